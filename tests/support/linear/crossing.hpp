#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <dalembert/contact/kernel_average.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/lie/so3.hpp>
#include "support/linear/rod.hpp"

/// The rolling contact of two linear rods: equations (1), (2) and (4) of contact/linear_rods.hpp.
namespace test::linear {

/// A contact at rest.
template <class S>
struct LinearCrossing {
  std::size_t first = 0;                  ///< number of rod 1
  std::size_t second = 1;                 ///< number of rod 2
  S s1{};                                 ///< where it is on rod 1 [m]
  S s2{};                                 ///< and on rod 2 [m]
  SO3<S> turn = SO3<S>::identity();       ///< ξ = Λ₁ᵀΛ₂
  Vec<S, 3> between = Vec<S, 3>::Zero();  ///< κ = Λ₁ᵀ(r₂ − r₁), across both rods [m]
  S share = S(0.5);  ///< f₁, the radius of rod 1 by the sum of both: they touch at r₁ + f₁(r₂ − r₁)
  S kernel_width{};  ///< ℓ [m]

  /// Throws std::invalid_argument unless it joins two of `rods` across both.
  void check(std::size_t rods) const {
    for (const std::size_t rod : {first, second})
      require(rod < rods, "LinearCrossing", "number of a rod", rod, message({"there are ", rods}));
    require(first != second, "LinearCrossing", "second rod", second, "a straight rod does not touch itself");
    require(share >= 0 && share <= 1, "LinearCrossing", "share", share, "it must lie in [0, 1]");
    for (int i = 0; i < 3; ++i)
      require_entry(std::isfinite(between[i]), "LinearCrossing", "between", static_cast<std::size_t>(i),
                    between[i], "it must be finite [m]");
    const S apart = dalembert::detail::length(between);
    require(apart > 0, "LinearCrossing", "distance", apart, "the centrelines must be apart [m]");
    const S along1 = between[2] / apart, along2 = turn.inverse().act(between)[2] / apart;
    for (const S along : {along1, along2})
      require(std::abs(along) <= S(1e-6), "LinearCrossing",
              "direction along a rod of the line between the rods", along,
              "it must be at right angles to both");
  }
};

namespace detail {

/// The rows of a contact.
template <class S>
class LinearRows {
  using Index = Eigen::Index;
  using Column = Vec<S, Eigen::Dynamic>;
  using Row = Mat<S, 3, 6>;
  using Response = Mat<S, 6, 3>;

 public:
  /// For rods whose numbers begin at `begin` in columns of all nodes. Throws std::invalid_argument.
  template <Kernel K>
  LinearRows(const LinearCrossing<S>& contact, const std::vector<LinearRod<S>>& rods,
             const std::vector<Index>& begin, K kernel)
      : contact_(contact) {
    contact.check(rods.size());
    normal_ = contact.between / dalembert::detail::length(contact.between);
    const Vec<S, 3> b = contact.between;
    // x × κ as a matrix on x
    const Mat<S, 3> cross = dalembert::detail::matrix_of<S>(0, b[2], -b[1], -b[2], 0, b[0], b[1], -b[0], 0);
    for (int j = 0; j < 3; ++j) turn_.col(j) = contact.turn.act(Vec<S, 3>(Vec<S, 3>::Unit(j)));
    Row on1, on2;
    dalembert::detail::place(on1, 0, 0, Mat<S, 3>(Mat<S, 3>::Identity()));
    dalembert::detail::place(on1, 0, 3, Mat<S, 3>(contact.share * cross));
    dalembert::detail::place(on2, 0, 0, Mat<S, 3>(-turn_));
    dalembert::detail::place(on2, 0, 3, Mat<S, 3>((S(1) - contact.share) * (cross * turn_)));
    sides_.push_back(side(rods[contact.first], begin[contact.first], on1, contact.s1, "s1", kernel));
    sides_.push_back(side(rods[contact.second], begin[contact.second], on2, contact.s2, "s2", kernel));
  }

  /// κ/|κ|.
  [[nodiscard]] const Vec<S, 3>& normal() const noexcept { return normal_; }

  /// A v.
  [[nodiscard]] Vec<S, 3> value(const Column& v) const {
    Vec<S, 3> sum = dalembert::detail::zeros<S, 3>();
    for (const Side& side : sides_)
      dalembert::detail::add_scaled(sum, S(1),
                                    dalembert::detail::times(side.row, side.average(v, side.weights)));
    return sum;
  }
  /// A M⁻¹f.
  [[nodiscard]] Vec<S, 3> acceleration(const Column& f) const {
    Vec<S, 3> sum = dalembert::detail::zeros<S, 3>();
    for (const Side& side : sides_)
      for (std::size_t k = 0; k < side.responses.size(); ++k)
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < 6; ++i) sum[j] += side.responses[k](i, j) * f[side.number(k, i)];
    return sum;
  }
  /// v += M⁻¹Aᵀμ.
  void add_response(const Vec<S, 3>& mu, Column& v) const {
    for (const Side& side : sides_)
      for (std::size_t k = 0; k < side.responses.size(); ++k) {
        const Vec<S, 6> change = dalembert::detail::times(side.responses[k], mu);
        for (int i = 0; i < 6; ++i) v[side.number(k, i)] += change[i];
      }
  }
  /// f += Aᵀλ.
  void add_reaction(const Vec<S, 3>& lambda, Column& f) const {
    for (const Side& side : sides_) {
      const Vec<S, 6> force = dalembert::detail::transpose_times(side.row, lambda);
      for (std::size_t k = 0; k < side.weights.size(); ++k)
        for (int i = 0; i < 6; ++i) f[side.number(k, i)] += side.weights[k] * force[i];
    }
  }
  /// (ṡ₁, ṡ₂) for the velocities v. Throws ParallelRods.
  [[nodiscard]] Vec<S, 2> rates(const Column& v, S time) const {
    const auto linear = [&](std::size_t i, const std::vector<S>& weights) {
      const Vec<S, 3> own = dalembert::detail::part<3>(sides_[i].average(v, weights));
      return i == 0 ? own : Vec<S, 3>(turn_ * own);
    };
    const Vec<S, 3> t1 = Vec<S, 3>::UnitZ(), t2 = turn_.col(2);
    const Vec<S, 3> apart = linear(1, sides_[1].weights) - linear(0, sides_[0].weights);
    const S v1 = apart.dot(t1) + contact_.between.dot(linear(0, sides_[0].slopes));
    const S v2 = apart.dot(t2) + contact_.between.dot(linear(1, sides_[1].slopes));
    const S c = t1.dot(t2), square = 1 - c * c;
    if (!(square > S(1e-9)))
      throw ParallelRods("ParallelRods: rods in linear contact are parallel, so that it is anywhere,",
                         static_cast<double>(time));
    return {(v1 - c * v2) / square, (c * v1 - v2) / square};
  }

 private:
  /// What a contact has on one rod.
  struct Side {
    Index begin;                      // where the numbers of the first node of the window are
    Row row;                          // on the average
    std::vector<S> weights;           // α
    std::vector<S> slopes;            // α′ [1/m]
    std::vector<Response> responses;  // α M⁻¹rowᵀ of each node

    [[nodiscard]] Index number(std::size_t k, int i) const noexcept { return begin + 6 * Index(k) + i; }
    [[nodiscard]] Vec<S, 6> average(const Column& v, const std::vector<S>& by) const noexcept {
      Vec<S, 6> sum = dalembert::detail::zeros<S, 6>();
      for (std::size_t k = 0; k < by.size(); ++k)
        for (int i = 0; i < 6; ++i) sum[i] += by[k] * v[number(k, i)];
      return sum;
    }
  };

  template <Kernel K>
  [[nodiscard]] Side side(const LinearRod<S>& rod, Index begin, const Row& row, S s, const char* name,
                          K kernel) const {
    const KernelAverage<S, K> average(kernel, contact_.kernel_width, rod.spacing(), rod.nodes());
    AveragedPoint<S> point;
    try {
      average.place(s, 0, 0, point);
    } catch (const InvalidState&) {
      require(false, "LinearCrossing", name, s,
              "the window of the contact must lie inside the rod, off its ends [m]");
    }
    average.normalise(point);
    Side made{begin + 6 * point.first, row, {}, {}, {}};
    const auto count = static_cast<std::size_t>(average.window());
    const std::size_t packed =
        static_cast<std::size_t>(point.packs) * static_cast<std::size_t>(average.width);
    made.weights.resize(packed);
    made.slopes.resize(packed);
    for (int pack = 0; pack < point.packs; ++pack) {
      const auto w = average.weights(point, pack);
      rod::store(w.value, made.weights.data() + pack * average.width);
      rod::store(w.first, made.slopes.data() + pack * average.width);
    }
    made.weights.resize(count);
    made.slopes.resize(count);
    for (std::size_t k = 0; k < count; ++k)
      made.responses.push_back(
          Response(made.weights[k] * rod.inverse_inertia(point.first + Index(k)) * row.transpose()));
    return made;
  }

  LinearCrossing<S> contact_;
  Vec<S, 3> normal_;
  Mat<S, 3> turn_;
  std::vector<Side> sides_{};
};

}  // namespace detail

}  // namespace test::linear
