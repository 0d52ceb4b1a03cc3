#pragma once

/// @file
/// What every test reads before its first line; a test still includes what it uses.

#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/eigen.hpp"

// Where common types are left to a library, every test sees that.
#ifdef DALEMBERT_COMPILED
#include <dalembert/compiled/rigid_bodies.hpp>
#include <dalembert/compiled/rolling_rods.hpp>
#include <dalembert/compiled/touching.hpp>
#endif
