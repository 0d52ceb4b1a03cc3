#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/body.hpp>
#include <dalembert/core/detail/type_name.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// The inertia of the bodies of an assembly, as rows of constraints ask for it.
namespace dalembert::assembly {

/// The inertia of the nodes of a body, as columns. They throw std::invalid_argument that names the body, the
/// node and the value for an inverse that is negative or not finite, and moments that are not finite.
template <class S = double>
struct InertiaColumns {
  Columns<S, 6> inverse;                ///< 1/m (spatial), 1/J (body); 0 where held
  Columns<S, 3> gyro;                   ///< (J₃ − J₂)/J₁ and so on; 0 where held
  S damping{};                          ///< ν [1/s]
  Vec<S, Eigen::Dynamic> line_inverse;  ///< 1/m of the nodes of a string, 0 where held
  bool uneven = false;  ///< whether some node moves next to not at all along, or about, one axis alone

  /// Those of a string.
  template <LineBody B>
  [[gnu::cold, gnu::noinline]] explicit InertiaColumns(const B& body) : damping(damping_rate(body)) {
    line_inverse.resize(body.nodes());
    for (Eigen::Index k = 0; k < body.nodes(); ++k) {
      line_inverse[k] = inverse_mass(body, k);
      check(dalembert::detail::type_name<B>(), k, {.inverse = Vec<S, 6>::Constant(line_inverse[k])});
    }
  }
  /// Those of a chain.
  template <ChainBody B>
  [[gnu::cold, gnu::noinline]] explicit InertiaColumns(const B& body)
      : inverse(rod::zero_columns<S, 6>(body.nodes())),
        gyro(rod::zero_columns<S, 3>(body.nodes())),
        damping(damping_rate(body)) {
    for (Eigen::Index k = 0; k < body.nodes(); ++k) {
      const NodeInertia<S> n = node_inertia(body, k);
      check(dalembert::detail::type_name<B>(), k, n);
      for (int i = 0; i < 6; ++i) inverse(k, i) = n.inverse[i];
      for (int i = 0; i < 6; ++i)
        uneven = uneven || n.inverse[i] < S(1024) * S(std::numeric_limits<S>::epsilon()) *
                                              n.inverse[3 * (i / 3) + (i + 1) % 3];
      for (int i = 0; i < 3; ++i)
        gyro(k, i) = (n.rotary[(i + 2) % 3] - n.rotary[(i + 1) % 3]) * n.inverse[3 + i];
    }
  }

  /// Whether every number of the other is the same.
  [[nodiscard]] bool same_as(const InertiaColumns& other) const noexcept {
    const auto same = [](const auto& a, const auto& b) {
      return a.rows() == b.rows() && std::equal(a.data(), a.data() + a.size(), b.data());
    };
    return damping == other.damping && same(inverse, other.inverse) && same(gyro, other.gyro) &&
           same(line_inverse, other.line_inverse);
  }

 private:
  /// Whether node k of a body can have this.
  [[gnu::cold, gnu::noinline]] static void check(std::string_view body, Eigen::Index k,
                                                 const NodeInertia<S>& n) {
    const auto node = static_cast<std::size_t>(k);
    for (int i = 0; i < 6; ++i)
      require_entry(number::isfinite(n.inverse[i]) && n.inverse[i] >= S(0), body,
                    i < 3 ? "inverse mass of node" : "inverse inertia of node", node, n.inverse[i],
                    i < 3 ? "it must be finite and not negative, 0 where held [1/kg]"
                          : "it must be finite and not negative, 0 where held [1/(kg m^2)]");
    for (int i = 0; i < 3; ++i)
      require_entry(number::isfinite(n.rotary[i]), body, "inertia of node", node, n.rotary[i],
                    "it must be finite [kg m^2]");
  }
};

/// Those of many bodies. Bodies that are alike share theirs, which so stay in the cache.
template <class S = double>
class Inertias {
 public:
  /// Adds those of the next body.
  template <Body B>
  [[gnu::cold, gnu::noinline]] void add(const B& body) {
    InertiaColumns<S> mine(body);
    std::size_t like = distinct_.size();
    if constexpr (std::is_floating_point_v<S>) {  // numbers that carry derivatives may differ in these alone
      const std::size_t oldest = distinct_.size() - std::min(distinct_.size(), most_compared);
      for (std::size_t i = oldest; i < distinct_.size(); ++i)
        if (distinct_[i].same_as(mine)) like = i;
    }
    if (like == distinct_.size()) distinct_.push_back(std::move(mine));
    of_body_.push_back(like);
    uneven_ = uneven_ || distinct_[like].uneven;
  }
  /// Whether one of them is `uneven`.
  [[nodiscard]] bool uneven() const noexcept { return uneven_; }
  /// Those of a body.
  [[nodiscard]] const InertiaColumns<S>& operator[](std::size_t body) const noexcept {
    return distinct_[of_body_[body]];
  }

 private:
  bool uneven_ = false;
  static constexpr std::size_t most_compared = 16;

  std::vector<InertiaColumns<S>> distinct_;
  std::vector<std::size_t> of_body_;
};

}  // namespace dalembert::assembly
