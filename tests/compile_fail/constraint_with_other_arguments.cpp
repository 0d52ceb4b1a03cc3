// expect: along is.*reaction is.*coefficients is.*acceleration_bias is.*mobility is.*check is.*check_step is.*check_parameters is

#include "compile_fail/constraint.hpp"

/// All that is optional, each with an argument too few or of another type, or not const.
struct WithOthers {
  Eigen::Matrix<double, 1, 2> along(const FrameState<double>&, double) const { return {1, 0}; }
  template <class T>
  Vec<T, 2> reaction(const FrameState<T>& x) const {
    return {x.velocity[0], x.velocity[1]};
  }
  Rows<double, 2, 1> coefficients(const FrameState<double>&) const { return {}; }
  Vec<double, 2> acceleration_bias(const FrameState<double>&, double) const { return Vec<double, 2>::Zero(); }
  void check(const FrameState<double>&, double) const {}
  void check_step(double) const {}
  void check_parameters() {}
  double mobility(double) const { return 0; }
};

int main() { assemble<WithScalar, WithName, WithMarkers, WithVelocity, WithOthers>(); }
