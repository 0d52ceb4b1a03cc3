#include <dalembert/analysis/growth_vector.hpp>

#include <limits>

#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/se2.hpp>

#include "support/catch.hpp"

namespace growth_vector_test {

using namespace dalembert;
using analysis::growth_vector;
using Ranks = std::vector<int>;

// A unit mass in Rⁿ under the rows that `Row` gives.
template <int n, class Row>
struct Particle {
  using Group = Rn<double, n>;

  template <class T>
  T lagrangian(const Vec<T, n>& v) const {
    return detail::inner(v, v) / 2;
  }
  template <class T>
  auto velocity_constraint(const Rn<T, n>& q, const Vec<T, n>& v) const {
    return Row{}(q.coordinates(), v);
  }
};

struct MartinetRow {
  template <class T>
  T operator()(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return v[2] - q[1] * q[1] * v[0];
  }
};
struct EngelRows {
  template <class T>
  Vec<T, 2> operator()(const Vec<T, 4>& q, const Vec<T, 4>& v) const {
    return {v[1] - q[2] * v[0], v[2] - q[3] * v[0]};
  }
};
// The rate of sin x · (1 + y²) + exp z times a factor that hides it.
struct HiddenRow {
  template <class T>
  T operator()(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    using std::cos, std::sin, std::exp;
    const T rate = cos(q[0]) * (1 + q[1] * q[1]) * v[0] + 2 * sin(q[0]) * q[1] * v[1] + exp(q[2]) * v[2];
    return (2 + sin(q[0] * q[1])) * rate;
  }
};
// ż = −y is no surface, but its linear part is.
struct AffineRow {
  template <class T>
  T operator()(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return v[2] + q[1];
  }
};
// The same row three times, and the rate of z − x.
struct RedundantRows {
  template <class T>
  Vec<T, 4> operator()(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    const T row = v[2] - q[1] * v[0];
    return {row, 2 * row, row * (1 + q[0] * q[0]), v[2] - v[0]};
  }
};

// The origin of a frame in the plane stays on a line of space: ẋ = 0, with velocities in the body or in space.
template <class Frame>
struct OnLine {
  using Group = SE2<double>;
  using Trivialisation = Frame;

  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {
    return detail::inner(xi, xi) / 2;
  }
  template <class T>
  T velocity_constraint(const SE2<T>& g, const Vec<T, 3>& xi) const {
    if constexpr (std::same_as<Frame, trivialisation::Left>)
      return g.rotation().cosine() * xi[0] - g.rotation().sine() * xi[1];
    else
      return xi[0] - xi[2] * g.translation()[1];
  }
};
// A blade along e₁ of the body, with velocities in space.
struct SkateInSpace {
  using Group = SE2<double>;
  using Trivialisation = trivialisation::Right;

  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {
    return detail::inner(xi, xi) / 2;
  }
  template <class T>
  T velocity_constraint(const SE2<T>& g, const Vec<T, 3>& xi) const {
    const T x = xi[0] - xi[2] * g.translation()[1], y = xi[1] + xi[2] * g.translation()[0];
    return g.rotation().cosine() * y - g.rotation().sine() * x;
  }
};
struct OnSphere {
  using Group = Rn<double, 3>;

  template <class T>
  T lagrangian(const Vec<T, 3>& v) const {
    return detail::inner(v, v) / 2;
  }
  template <class T>
  T position_constraint(const Rn<T, 3>& q) const {
    return detail::inner(q.coordinates(), q.coordinates()) - 1;
  }
};
struct Free {
  using Group = SE2<double>;

  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {
    return detail::inner(xi, xi) / 2;
  }
};

TEST_CASE("classical distributions grow as they do in the books", "[analysis]") {
  const auto at = [](auto... x) { return Rn<double, sizeof...(x)>(Vec<double, sizeof...(x)>(x...)); };
  CHECK(growth_vector(Particle<3, MartinetRow>{}, at(0.3, 0.0, -0.2)).ranks == Ranks{2, 2, 3});
  CHECK(growth_vector(Particle<3, MartinetRow>{}, at(0.3, 0.5, -0.2)).ranks == Ranks{2, 3, 3});
  CHECK(growth_vector(Particle<4, EngelRows>{}, at(0.3, 0.5, -0.2, 0.7)).ranks == Ranks{2, 3, 4});
  CHECK(growth_vector(Free{}, SE2d(0.1, 0.2, 0.3)).ranks == Ranks{3, 3, 3});
}

TEST_CASE("rows that are rates of functions are found out, in whatever frame they are written",
          "[analysis]") {
  const auto hidden = growth_vector(Particle<3, HiddenRow>{}, Rn<double, 3>(Vec<double, 3>(0.4, -0.7, 0.2)));
  CHECK(hidden.ranks == Ranks{2, 2, 2});
  CHECK(hidden.is_holonomic());
  CHECK(!hidden.reaches_everything());
  const SE2d g(0.4, -0.7, 1.1);
  CHECK(growth_vector(OnLine<trivialisation::Left>{}, g).ranks == Ranks{2, 2, 2});
  CHECK(growth_vector(OnLine<trivialisation::Right>{}, g).ranks == Ranks{2, 2, 2});
  CHECK(growth_vector(SkateInSpace{}, g).ranks == Ranks{2, 3, 3});
  CHECK(growth_vector(OnSphere{}, Rn<double, 3>(Vec<double, 3>(0.6, 0.0, 0.8))).ranks == Ranks{2, 2, 2});
}

TEST_CASE("of affine rows the linear part counts", "[analysis]") {
  const auto growth = growth_vector(Particle<3, AffineRow>{}, Rn<double, 3>(Vec<double, 3>(0.4, -0.7, 0.2)));
  CHECK(growth.ranks == Ranks{2, 2, 2});
}

TEST_CASE("rows that follow from others count once", "[analysis]") {
  const auto growth =
      growth_vector(Particle<3, RedundantRows>{}, Rn<double, 3>(Vec<double, 3>(0.4, -0.7, 0.2)));
  CHECK(growth.ranks == Ranks{1, 1, 1});
  CHECK(growth.dimension == 3);
}

TEST_CASE("what is no configuration or tolerance is refused", "[analysis]") {
  const SE2d g(0.4, -0.7, 1.1);
  CHECK_THROWS_AS(growth_vector(SkateInSpace{}, g, 0, 0), std::invalid_argument);
  CHECK_THROWS_AS(growth_vector(SkateInSpace{}, g, 0, 1), std::invalid_argument);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(growth_vector(SkateInSpace{}, SE2d(nan, 0, 0)), std::invalid_argument);
}

}  // namespace growth_vector_test
