// expect: success

#include <dalembert/contact/axis_marker.hpp>

#include "compile_fail/constraint.hpp"

struct WithAxis {
  contact::AxisMarker<double> axis{0, 0, {0, 0, 0}, {0, 0, 1}, 1.0};
  auto markers() const { return std::tuple{axis}; }
  template <class T>
  Vec<T, 1> tangency(const FrameState<T>& x) const {
    return Vec<T, 1>(x.position[2]);
  }
};

int main() { assemble<WithScalar, WithName, WithAxis, WithVelocity, WithPosition, WithAlong>(); }
