#pragma once

#include <filesystem>

#include "integrator_comparison/comparison.hpp"

namespace comparison {

/// NAME.png: energy error and slip against time, and error against cost.
void draw(const Table& table, const std::filesystem::path& folder);

}  // namespace comparison
