#pragma once

#include "integrator_comparison/comparison.hpp"
#include "support/summary.hpp"

namespace comparison {

/// NAME.png: energy error and slip against time, and error against cost.
void draw(const Table& table, const example::Run& run);

}  // namespace comparison
