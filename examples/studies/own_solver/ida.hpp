#pragma once

#include <functional>
#include <vector>

namespace own_solver {

/// F(t, Y, Ẏ) → out.
using ResidualFunction = std::function<void(double t, const double* Y, const double* Ydot, double* out)>;

/// A run of SUNDIALS' IDA (variable-order BDF) from consistent Y, Ẏ at `start` until `end` [s], both of which are overwritten by those at
/// the end. `differential` tells which unknowns have rates. Throws std::runtime_error if IDA fails, and what F throws.
void solve_by_ida(const ResidualFunction& residual, const std::vector<bool>& differential, double start,
                  double end, double tolerance, std::vector<double>& Y, std::vector<double>& Ydot);

}  // namespace own_solver
