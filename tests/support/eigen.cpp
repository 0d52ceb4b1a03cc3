#include "support/eigen.hpp"

template class Eigen::EigenSolver<Eigen::MatrixXd>;
template class Eigen::HessenbergDecomposition<Eigen::MatrixXd>;
template class Eigen::RealSchur<Eigen::MatrixXd>;
