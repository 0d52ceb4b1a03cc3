// expect: tangency is there.*sliding is there.*check_markers is there.*integrated is there

#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/curve_marker.hpp>
#include <dalembert/rod/body.hpp>

using namespace dalembert;
using namespace dalembert::assembly;

struct Own {
  using Scalar = double;
  static constexpr std::string_view name = "Own";
  contact::CurveMarker<double> marker;
  auto markers() const { return std::tuple{marker}; }
  template <class T>
  Vec<T, 1> velocity_constraint(const FrameState<T>& x, const T&) const {
    return Vec<T, 1>(x.velocity[0]);
  }
  template <class T>
  Vec<T, 1> tangency(const FrameState<T>& x, const T&, int) const {
    return Vec<T, 1>(x.position[0]);
  }
  Vec<double, 1> sliding(const FrameState<double>&) const { return Vec<double, 1>(0.0); }
  void check_markers(const FrameState<double>&, double) const {}
  bool integrated(double) const { return true; }
};

using Bodies = Kinds<rod::ElasticRod<double>>;
static_assert(sizeof(Assembly<Bodies, Kinds<Own>>) > 0);

int main() {}
