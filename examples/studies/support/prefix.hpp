#pragma once

/// @file
/// What every study reads before its first line; a study still includes what it uses.

#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/QR>

// Where common types are left to a library, every study sees that.
#ifdef DALEMBERT_COMPILED
#include <dalembert/compiled/rigid_bodies.hpp>
#include <dalembert/compiled/rolling_rods.hpp>
#include <dalembert/compiled/touching.hpp>
#endif
