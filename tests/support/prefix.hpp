#pragma once

/// @file
/// What every test reads before its first line; a test still includes what it uses.

#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "support/eigen.hpp"
