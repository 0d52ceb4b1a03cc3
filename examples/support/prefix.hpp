#pragma once

/// @file
/// What every example reads before its first line; an example still includes what it uses.

#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <Eigen/Dense>
#include <nlohmann/json.hpp>
