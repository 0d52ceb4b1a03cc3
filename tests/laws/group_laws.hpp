#pragma once

/// @file
/// The laws that every model of LieGroup obeys, over every scalar: values, derivatives and lanes are all compared.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/lie/differences.hpp>
#include <dalembert/lie/retraction.hpp>

#include "lie/sample.hpp"
#include "support/catch.hpp"

namespace laws {

using namespace dalembert;

/// The largest absolute value in x: over lanes, and over derivatives.
template <Real S>
double magnitude(const S& x) {
  if constexpr (DualReal<S>) {
    double most = magnitude(x.value());
    for (int i = 0; i < x.derivatives().size(); ++i) most = std::max(most, magnitude(x.derivative(i)));
    return most;
  } else if constexpr (PackReal<S>) {
    double most = 0;
    for (int i = 0; i < S::width; ++i) most = std::max(most, magnitude(x[i]));
    return most;
  } else {
    return std::isnan(x) ? std::numeric_limits<double>::infinity() : std::abs(static_cast<double>(x));
  }
}
template <class D>
double largest_magnitude(const Eigen::MatrixBase<D>& x) {
  const typename D::PlainObject values = x;
  double most = 0;
  for (Eigen::Index i = 0; i < values.size(); ++i) most = std::max(most, magnitude(values.coeff(i)));
  return most;
}

/// A scalar near x: other lanes are x times up to 1, derivatives are arbitrary.
template <Real S>
S scalar(test::Sample& sample, double x) {
  if constexpr (DualReal<S>) {
    S y(scalar<typename S::Scalar>(sample, x));
    for (int i = 0; i < y.derivatives().size(); ++i)
      y.set_derivative(i, scalar<typename S::Scalar>(sample, sample.uniform(-1, 1)));
    return y;
  } else if constexpr (PackReal<S>) {
    S y(static_cast<Number<S>>(x));
    for (int i = 1; i < S::width; ++i) y.set(i, static_cast<Number<S>>(x * sample.uniform(0, 1)));
    return y;
  } else {
    return static_cast<S>(x);
  }
}

/// A twist whose components are at most `size`.
template <LieGroup G>
typename G::Tangent twist(test::Sample& sample, double size) {
  typename G::Tangent xi;
  for (int i = 0; i < G::dof; ++i) xi[i] = scalar<typename G::Scalar>(sample, size * sample.uniform(-1, 1));
  return xi;
}
template <LieGroup G>
G element(test::Sample& sample) {
  return G::exp(twist<G>(sample, 2));
}

template <LieGroup G>
class Suite {
  using S = typename G::Scalar;
  using T = typename G::Tangent;
  using M = Mat<S, G::dof>;
  static constexpr auto epsilon = static_cast<double>(std::numeric_limits<Number<S>>::epsilon());

  test::Sample sample_;
  double few_;  // a few ulp; more where derivatives add their roundings

  void near(const char* law, double off, double factor = 1) const {
    const double ulps = off / epsilon;
    CAPTURE(law, ulps);
    CHECK(ulps <= few_ * factor);
  }
  template <class A, class B>
  void same(const char* law, const Eigen::MatrixBase<A>& given, const Eigen::MatrixBase<B>& expected,
            double factor = 1) const {
    near(law, largest_magnitude(given - expected) / (1 + largest_magnitude(expected)), factor);
  }
  void same(const char* law, const G& given, const G& expected, double factor = 1) const {
    near(law, largest_magnitude((given.inverse() * expected).log()), factor);
  }

  /// Σ Aⁿ/(n + shift)!.
  static M series(const M& A, int shift) {
    M sum = M::Zero(), term = M::Identity();
    for (int n = 0; n < 40; ++n) {
      sum += term;
      term = M(term * A * constant<S>(1.0L / static_cast<long double>(n + 1 + shift)));
    }
    return sum;
  }
  /// d/ds of a column-valued function of one dual number s, at s = 0.
  template <class F>
  static auto rate(const F& f) {
    const Dual<S, 1> s(S(0), Vec<S, 1>(S(1)));
    const auto y = f(s);
    Vec<S, std::decay_t<decltype(y)>::RowsAtCompileTime> slope;
    for (Eigen::Index i = 0; i < y.size(); ++i) slope[i] = y[i].derivative(0);
    return slope;
  }
  /// x + s δ with a dual s.
  template <int N>
  static Vec<Dual<S, 1>, N> line(const Vec<S, N>& x, const Vec<S, N>& delta, const Dual<S, 1>& s) {
    Vec<Dual<S, 1>, N> y;
    for (int i = 0; i < N; ++i) y[i] = Dual<S, 1>(x[i]) + s * Dual<S, 1>(delta[i]);
    return y;
  }

 public:
  explicit Suite(double few) : sample_(test::seed()), few_(few) {}

  void group() {
    const G a = element<G>(sample_), b = element<G>(sample_), c = element<G>(sample_), one = G::identity();
    same("associativity", (a * b) * c, a * (b * c));
    same("left identity", one * a, a);
    same("right identity", a * one, a);
    same("inverse", a * a.inverse(), one);
    same("inverse of a product", (a * b).inverse(), b.inverse() * a.inverse());
    same("normalised", a.normalised(), a);
    typename G::Point p;
    for (Eigen::Index i = 0; i < p.size(); ++i) p[i] = scalar<S>(sample_, sample_.uniform(-1, 1));
    same("action", (a * b).act(p), a.act(b.act(p)), 2);
    same("action of the identity", one.act(p), p);
    if constexpr (!DualReal<S>) {
      using D = Dual<S, 2>;
      const auto lifted = a.template cast<D>();
      CHECK(largest_magnitude(lifted.template cast<S>().log() - a.log()) == 0);
      same("cast", detail::convert_all<S>(lifted.log()), a.log());
      CHECK(largest_magnitude(lifted.log()) == largest_magnitude(detail::convert_all<S>(lifted.log())));
    }
  }

  void exponential() {
    for (const double size : {1e-9, 1e-3, 0.1, 1.0, 1.8}) {
      CAPTURE(size);
      const T xi = twist<G>(sample_, size);
      same("log of exp", G::exp(xi).log(), xi);
      same("exp of opposite", G::exp(T(-xi)), G::exp(xi).inverse());
      same("one parameter", G::exp(xi) * G::exp(xi), G::exp(T(S(2) * xi)));
      const G g = element<G>(sample_);
      same("exp of log", G::exp(g.log()), g);
    }
    near("exp of zero", largest_magnitude(G::exp(T(T::Zero())).log()));
  }

  void adjoint() {
    const G g = element<G>(sample_), h = element<G>(sample_);
    const T xi = twist<G>(sample_, 1), eta = twist<G>(sample_, 1), zeta = twist<G>(sample_, 1),
            mu = twist<G>(sample_, 1);
    same("Ad is a homomorphism", (g * h).Ad(), g.Ad() * h.Ad(), 4);
    same("Ad applied", g.Ad(eta), g.Ad() * eta, 2);
    same("Ad conjugates", g * G::exp(xi) * g.inverse(), G::exp(g.Ad(xi)), 8);
    same("Ad of exp is exp of ad", G::exp(xi).Ad(), series(G::ad(xi), 0), 4);
    same("Ad keeps brackets", g.Ad(G::ad(xi, eta)), G::ad(g.Ad(xi), g.Ad(eta)), 16);
    same("ad applied", G::ad(xi, eta), G::ad(xi) * eta);
    same("ad is antisymmetric", G::ad(xi, eta), -G::ad(eta, xi));
    same("Jacobi", G::ad(xi, G::ad(eta, zeta)), G::ad(G::ad(xi, eta), zeta) + G::ad(eta, G::ad(xi, zeta)), 4);
    same("coad is the transpose of ad", G::coad(xi, mu), G::ad(xi).transpose() * mu);
    near("coad pairs", magnitude(S(G::coad(xi, mu).dot(eta) - mu.dot(G::ad(xi, eta)))), 4);
    if constexpr (!DualReal<S>) {
      using H = typename G::template rebind<Dual<S, 1>>;
      const Vec<S, G::dof> zero = T::Zero();
      const T bracket = rate([&](const auto& s) {
        return H::exp(line<G::dof>(zero, xi, s)).Ad(detail::convert_all<Dual<S, 1>>(eta));
      });
      same("ad is the derivative of Ad", G::ad(xi, eta), bracket);
      using D = Dual<Dual<S, 1>, 1>;
      using K = typename G::template rebind<D>;
      const D s = D::variable(Dual<S, 1>::variable(S(0), 0), 0);
      Vec<D, G::dof> small;
      for (int i = 0; i < G::dof; ++i) small[i] = s * xi[i];
      std::vector<D> whole, cut;
      (void)K::exp(small).template mapped<D>([&](const D& x) { return whole.push_back(x), x; });
      (void)K::exp_to_second_order(small).template mapped<D>([&](const D& x) { return cut.push_back(x), x; });
      for (std::size_t i = 0; i < whole.size(); ++i) {
        near("exp to second order has the value of exp",
             magnitude(S(whole[i].value().value() - cut[i].value().value())));
        near("exp to second order has its first derivative",
             magnitude(S(whole[i].derivative(0).value() - cut[i].derivative(0).value())));
        near("exp to second order has its second derivative",
             magnitude(S(whole[i].derivative(0).derivative(0) - cut[i].derivative(0).derivative(0))));
      }
    }
  }

  void jacobians() {
    for (const double size : {0.0, 1e-9, 1e-3, 0.1, 1.0, 1.7}) {
      CAPTURE(size);
      const T xi = twist<G>(sample_, size), delta = twist<G>(sample_, 1);
      const M left = G::left_jacobian(xi), right = G::right_jacobian(xi), one = M::Identity();
      same("left Jacobian is its series", left, series(G::ad(xi), 1), 2);
      same("right is left of opposite", right, G::left_jacobian(T(-xi)));
      same("left is Ad times right", left, G::exp(xi).Ad() * right, 4);
      same("left inverse", G::left_jacobian_inverse(xi) * left, one, 4);
      same("right inverse", G::right_jacobian_inverse(xi) * right, one, 4);
      same("left applied", G::left_jacobian(xi, delta), left * delta, 2);
      same("right applied", G::right_jacobian(xi, delta), right * delta, 2);
      same("left inverse applied", G::left_jacobian_inverse(xi, delta), G::left_jacobian_inverse(xi) * delta,
           2);
      same("right inverse applied", G::right_jacobian_inverse(xi, delta),
           G::right_jacobian_inverse(xi) * delta, 2);
      if constexpr (!DualReal<S>) {
        using D = Dual<S, 1>;
        using H = typename G::template rebind<D>;
        const auto back = H::exp(detail::convert_all<D>(T(-xi)));
        const auto moved = [&](const auto& s) { return H::exp(line<G::dof>(xi, delta, s)); };
        same("right Jacobian is the derivative of exp", right * delta,
             rate([&](const auto& s) { return (back * moved(s)).log(); }), 8);
        same("left Jacobian is the derivative of exp", left * delta,
             rate([&](const auto& s) { return (moved(s) * back).log(); }), 8);
        same("log has the inverse of it", delta, rate([&](const auto& s) {
               const Vec<D, G::dof> step = s * detail::convert_all<D>(T(right * delta));
               return (H::exp(detail::convert_all<D>(xi)) * H::exp(step)).log();
             }),
             8);
      }
      if constexpr (std::is_same_v<S, double>) {
        const M difference = difference_jacobian([](const T& x) { return G::exp(x); }, xi);
        CHECK(largest_magnitude(right - difference) < 1e-10);
        const M log_difference = difference_jacobian([](const G& g) { return g.log(); }, G::exp(xi));
        CHECK(largest_magnitude(G::right_jacobian_inverse(xi) - log_difference) < 1e-10);
      }
    }
  }

  template <class R>
    requires RetractionOf<R, G>
  void retraction() {
    const T zero = T::Zero();
    same("retraction at zero", R::template map<G>(zero), G::identity());
    same("tangent at zero", R::template body_tangent<G>(zero), M::Identity());
    for (const double size : {1e-9, 1e-3, 0.1, 1.0, 1.6}) {
      CAPTURE(size);
      const T xi = twist<G>(sample_, size), delta = twist<G>(sample_, 1);
      const G g = element<G>(sample_), step = R::template map<G>(xi);
      const M body = R::template body_tangent<G>(xi), spatial = R::template spatial_tangent<G>(xi);
      same("inverse map", R::inverse_map(step), xi);
      same("local undoes retract", R::local(g, R::retract(g, xi)), xi, 4);
      same("opposite twist", R::template map<G>(T(-xi)), step.inverse());
      same("spatial is Ad times body", spatial, step.Ad() * body, 4);
      same("body inverse", R::template body_tangent_inverse<G>(xi) * body, M::Identity(), 4);
      same("spatial inverse", R::template spatial_tangent_inverse<G>(xi) * spatial, M::Identity(), 4);
      same("body inverse applied", R::template body_tangent_inverse<G>(xi, delta),
           R::template body_tangent_inverse<G>(xi) * delta, 2);
      if constexpr (!DualReal<S>) {
        using D = Dual<S, 1>;
        using H = typename G::template rebind<D>;
        const auto back = step.inverse().template cast<D>();
        const auto moved = [&](const auto& s) { return R::template map<H>(line<G::dof>(xi, delta, s)); };
        same("body tangent is a derivative", body * delta,
             rate([&](const auto& s) { return (back * moved(s)).log(); }), 8);
        same("spatial tangent is a derivative", spatial * delta,
             rate([&](const auto& s) { return (moved(s) * back).log(); }), 8);
      }
    }
    // τ agrees with exp up to the second order: the third derivative may differ.
    const T xi = twist<G>(sample_, 1);
    if constexpr (PlainReal<S>) {
      const S h = static_cast<S>(1e-2);
      const double third =
          largest_magnitude((R::template map<G>(T(h * xi)).inverse() * G::exp(T(h * xi))).log());
      CHECK(third <= 0.5e-6 * std::pow(largest_magnitude(xi) + 1, 3) + 20 * epsilon);
    }
  }

  void all() {
    for (int repeat = 0; repeat < 8; ++repeat) {
      group();
      exponential();
      adjoint();
      jacobians();
    }
  }
  void retractions() {
    for (int repeat = 0; repeat < 8; ++repeat) {
      retraction<Exponential>();
      retraction<Cayley>();
    }
  }
};

/// Every group of the library over S.
template <Real S>
struct Groups {
  using List =
      std::tuple<SO2<S>, SE2<S>, SO3<S>, SE3<S>, Rn<S, 3>, Product<SE2<S>, Rn<S, 2>>, Power<SO3<S>, 2>>;
};

}  // namespace laws
