// Constraints whose velocity rows are the rates of their position rows, and some that only say so.

#include <dalembert/assembly/detail/check_along.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

#include <dalembert/tangents/detail/node_tangent.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/links.hpp"

namespace check_along_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Catch::Matchers::ContainsSubstring;
using V3 = Vec<double, 3>;

/// Two frames stay at a distance, and turn as they like: φ = ½(|d|² − (r + c t)²). Its velocity row is off
/// by a part of some terms.
struct Tether : test::Ends {
  static constexpr std::string_view name = "Tether";
  double length = 1, speed = 0.1;
  double of_first = 0, of_turn = 0, of_time = 0;
  double factor = 1;  ///< of the row

  template <class T>
  T position_constraint(const FrameState<T>& a, const FrameState<T>& b, const T& t) const {
    const Vec<T, 3> d = apart(a, b);
    const T r = length + speed * t;
    return (d.dot(d) - r * r) / 2.0;
  }
  template <class T>
  T velocity_constraint(const FrameState<T>& a, const FrameState<T>& b, const T& t) const {
    const Vec<T, 3> d = apart(a, b);
    return factor *
           (d.dot(b.velocity) - (1 + of_first) * d.dot(a.velocity) +
            of_turn * length * d.dot(b.angular_velocity) - (1 + of_time) * speed * (length + speed * t));
  }
  Eigen::Matrix<double, 1, 1> along(const FrameState<double>&, const FrameState<double>&) const {
    return Eigen::Matrix<double, 1, 1>(1 / factor);
  }
};

/// One with that off, or of that factor.
Tether with(double Tether::*what, double value) {
  Tether c;
  c.*what = value;
  return c;
}
/// Between two frames of this size that are apart as it says, but for a part of that.
void check(Tether c, double size, double open) {
  test::Draw draw(test::seed());
  c.length = size * draw.between(0.5, 2);
  c.speed = size * draw.between(0.1, 0.5);
  c.first = {0, 0, size * draw.vector(), draw.rotation()};
  c.second = {1, 0, size * draw.vector(), draw.rotation()};
  State<double> x;
  x.time = 0.3;
  x.chains = {Chain<double>(1), Chain<double>(1)};
  const auto one = draw.rotation(), two = draw.rotation();
  const V3 origin = size * draw.vector();
  const V3 apart = (1 + open) * (c.length + c.speed * x.time) * draw.direction();
  x[0].set_frame(0, one, origin - one.act(c.first.offset));
  x[1].set_frame(0, two, origin + apart - two.act(c.second.offset));
  PlacedConstraint<Tether> placed(c, x, 0);
  check_along(c, placed.evaluation, 3, x);
}
/// What it is refused with; nothing if it is taken.
std::string refusal(const Tether& c, double size, double open = 0) {
  try {
    check(c, size, open);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return {};
}
constexpr std::array sizes = {1e-6, 1e-3, 1.0, 30.0, 1e6};

TEST_CASE("rows that are the rates of positions are taken at any size, whatever they are multiplied by",
          "[assembly][check_along]") {
  for (const double size : sizes) {
    for (const double factor : {-1.0, 1e-5, 30.0})
      CHECK(refusal(with(&Tether::factor, factor), size).empty());
    CHECK(refusal({}, size, 0.2).empty());
  }
}

TEST_CASE("rows that are not the rates of positions are refused by name, with what they are off by",
          "[assembly][check_along]") {
  for (const double size : sizes)
    for (const double off : {0.5, 1e-4}) {
      CAPTURE(size, off);
      const std::string first = refusal(with(&Tether::of_first, off), size);
      CHECK_THAT(first, ContainsSubstring("Tether: rate of row 0 [m] of Tether 3 (body 0, body 1) = off by"));
      CHECK_THAT(first, ContainsSubstring("the position of marker 0"));
      CHECK_THAT(refusal(with(&Tether::of_turn, off), size), ContainsSubstring("the rotation of marker 1"));
      const std::string time = refusal(with(&Tether::of_time, off), size);
      CHECK_THAT(time, ContainsSubstring("with the time, but C (A v + b)"));
      double difference = 0, beside = 1;
      REQUIRE(std::sscanf(time.c_str() + time.find("off by"), "off by %lf beside %lf", &difference,
                          &beside) == 2);
      CHECK(difference / beside == Approx(off / (2 + off)).epsilon(1e-4));
    }
}

TEST_CASE("where positions are open, only what is far off is refused", "[assembly][check_along]") {
  for (const double size : sizes)
    for (const double off : {0.3, -0.3}) {
      CAPTURE(size, off);
      CHECK(!refusal(with(&Tether::of_first, off), size, 0.2).empty());
      CHECK(!refusal(with(&Tether::of_time, off), size, -0.2).empty());
      CHECK(refusal(with(&Tether::of_first, off / 10), size, 0.2).empty());
      CHECK(refusal(with(&Tether::of_time, off / 10), size, -0.2).empty());
    }
}

TEST_CASE(
    "a coefficient is as large as its terms: a length beside displacements, known numbers with the time",
    "[assembly][check_along]") {
  test::Draw draw(test::seed());
  Evaluation<Tether> e;
  for (std::size_t i = 0; i < 2; ++i) {
    e.linear[i] = draw.vector().transpose();
    e.angular[i] = 0.01 * draw.vector().transpose();
  }
  e.linear[1](0, 2) = -3;
  e.angular[0](0, 1) = -70;
  e.along(0, 0) = -0.5;
  e.known[0] = -8;
  e.sizes[0] = 2;
  for (const int probe : {0, 2}) CHECK(coefficient_size<Tether>(e, 0, probe) == 0.5 * 3);
  for (const int probe : {1, 3}) CHECK(coefficient_size<Tether>(e, 0, probe) == 0.5 * 70);
  CHECK(coefficient_size<Tether>(e, 0, 4) == 0.5 * 8);
  e.sizes[0] = 40;
  CHECK(coefficient_size<Tether>(e, 0, 1) == 0.5 * 3 * 40);
}

}  // namespace check_along_test
