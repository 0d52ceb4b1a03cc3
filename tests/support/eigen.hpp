#pragma once

/// @file
/// What eigenvalues and characteristic polynomials take from Eigen, compiled once for all tests.

#include <Eigen/Dense>

extern template class Eigen::EigenSolver<Eigen::MatrixXd>;
extern template class Eigen::HessenbergDecomposition<Eigen::MatrixXd>;
extern template class Eigen::RealSchur<Eigen::MatrixXd>;
