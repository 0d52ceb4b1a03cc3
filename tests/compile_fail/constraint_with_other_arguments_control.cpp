// expect: success

#include "compile_fail/constraint.hpp"

struct WithOthers {
  Eigen::Matrix<double, 1, 2> along(const FrameState<double>&) const { return {1, 0}; }
  template <class T>
  Vec<T, 2> reaction(const FrameState<T>& x, const T&) const {
    return {x.velocity[0], x.velocity[1]};
  }
  Rows<double, 2, 1> coefficients(const FrameState<double>&, double) const { return {}; }
  Vec<double, 2> acceleration_bias(const FrameState<double>&, const FrameRates<double>&, double) const {
    return Vec<double, 2>::Zero();
  }
  void check(const Vec<double, 2>&, const FrameState<double>&, double) const {}
  void check_step(double, double) const {}
  void check_parameters() const {}
};

int main() { assemble<WithScalar, WithName, WithMarkers, WithVelocity, WithOthers>(); }
