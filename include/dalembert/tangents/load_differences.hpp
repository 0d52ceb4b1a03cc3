#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/body.hpp>
#include <dalembert/core/detail/central_difference.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/columns.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// The derivatives f′u of loads that do not tell them, by central differences of their forces f along a
/// displacement or a velocity u of the nodes (core/detail/central_difference.hpp). Nodes that do not act on
/// each other are moved at once: first it is supposed that a load acts on each node by itself, then that it
/// couples neighbours, and each time the derivative along a direction at random says whether that is so.
/// Hence it takes few loads of all nodes, and one or two for each node only where nodes far from each other
/// are coupled, many where most of them are.
/// Source: Curtis, Powell & Reid 1974, J. Inst. Math. Appl. 13, 117 (sparsity).
namespace dalembert::assembly::detail {

/// What loads are differentiated by.
enum class DerivativeBy { place, velocity };
/// Where forces jump or are not finite near by, so that there is no derivative: throw, or leave it out.
enum class WithoutDerivative { refuse, skip };

/// A length of a body, for the first steps: its extent, or where it has one node its largest radius of
/// gyration [m].
template <class B, class S = typename B::Scalar>
[[nodiscard, gnu::cold, gnu::noinline]] double length_of_body(const B& body, const Chain<S>& at) {
  double length = 0, far = 0;
  for (Index k = 0; k < at.nodes; ++k) {
    const NodeInertia<S> inertia = node_inertia(body, k);
    for (int i = 0; i < 3; ++i) {
      const double here = number::plain(at.configuration(k, i));
      length = std::max(length, std::abs(here - number::plain(at.configuration(0, i))));
      far = std::max(far, std::abs(here));
      if (at.nodes == 1)
        for (int j = 0; j < 3; ++j)
          length = std::max(length, std::sqrt(number::plain(inertia.rotary[i] * inertia.inverse[j])));
    }
  }
  return length > 0 ? length : far > 0 ? far : 1;
}

/// The derivatives of one load on one chain of nodes.
template <class S>
class LoadDifferences {
 public:
  using Load = std::function<void(const Chain<S>&, Columns<S, 6>&)>;

  /// Of the forces that `load` adds about `at`, on a body of this length [m].
  LoadDifferences(const Chain<S>& at, double length, DerivativeBy by, WithoutDerivative without, Load load)
      : at_(at), length_(length), by_(by), without_(without), load_(std::move(load)) {
    for (Index k = 0; k < at.nodes; ++k)
      for (int i = 0; i < 3; ++i) far_ = std::max(far_, std::abs(number::plain(at.configuration(k, i))));
  }

  /// add(k, l, −∂f_k/∂(δr_l, Σ_l)), or by (ṙ_l, ω_l), of all nodes that act on each other. Throws
  /// std::invalid_argument where there is no derivative, unless it is left out then, and what the load throws
  /// at the state itself.
  [[gnu::noinline]] void tell(const AddBlock<S>& add) {
    ahead_.setConstant(S(0));
    load_(at_, ahead_);
    for (const Index supposed : {Index(1), Index(3), at_.nodes}) {
      const Index colours = std::min(supposed, at_.nodes);
      const bool certain = colours == at_.nodes;
      found_.clear();
      doubt_ = 0;
      for (Index colour = 0; colour < colours; ++colour) {
        if (certain && colours > 1 && !acts(colour)) continue;
        find_blocks(colour, colours);
        if (certain) give(add);
      }
      if (certain) return;
      if (agrees()) return give(add);
    }
  }

 private:
  struct Block {
    Index row, column;
    Mat<S, 6, 6> value;
  };
  using Slope = dalembert::detail::CentralDifference<S>;  // f′u, node after node
  static constexpr double rounding =
      static_cast<double>(std::numeric_limits<decltype(value_of(S()))>::epsilon());

  [[nodiscard]] std::size_t number_of(Index k, int i) const noexcept {
    return static_cast<std::size_t>(6 * k + i);
  }
  /// The unit of number i of a node: lengths are parts of the body's.
  [[nodiscard]] double unit(int i) const noexcept { return i < 3 ? length_ : 1.0; }
  /// The size of forces and torques, as torques.
  template <class F>
  [[nodiscard]] double size(const F& force) const {
    double most = 0;
    for (Index k = 0; k < at_.nodes; ++k)
      for (int i = 0; i < 6; ++i) {
        number::keep_larger(most, std::abs(number::plain(force(k, i))) * unit(i));
      }
    return most;
  }

  void load_at(double by, Columns<S, 6>& f) {
    moved_ = at_;
    for (Index k = 0; k < at_.nodes; ++k) {
      const auto shift = [&](int i) { return S(by * direction_[number_of(k, i)]); };
      if (by_ == DerivativeBy::place) {
        rod::move_node<S>(moved_, k, Vec<S, 3>(shift(0), shift(1), shift(2)),
                          Vec<S, 3>(shift(3), shift(4), shift(5)));
      } else {
        for (int i = 0; i < 6; ++i) moved_.velocity(k, i) += shift(i);
      }
    }
    f.setConstant(S(0));
    load_(moved_, f);
  }

  /// Whether forces change at all where node l moves.
  [[nodiscard]] bool acts(Index l) {
    std::fill(direction_.begin(), direction_.end(), 0.0);
    for (int i = 0; i < 6; ++i) direction_[number_of(l, i)] = (0.6 + 0.1 * i) * unit(i);
    try {
      load_at(0x1p-10, ahead_);
      load_at(-0x1p-10, behind_);
    } catch (const std::exception&) {
      return true;
    }
    return !(size([&](Index k, int i) { return S(ahead_(k, i) - behind_(k, i)); }) <= 0);
  }

  /// f′u along the direction.
  [[nodiscard]] Slope find_slope() {
    const bool by_place = by_ == DerivativeBy::place;
    const auto at = [&](double h, std::vector<S>& out) {
      load_at(h, ahead_);
      for (Index k = 0; k < at_.nodes; ++k)
        for (int i = 0; i < 6; ++i) out[number_of(k, i)] = ahead_(k, i);
    };
    const auto size_of = [&](const std::vector<S>& f) {
      return size([&](Index k, int i) { return f[number_of(k, i)]; });
    };
    Slope found = dalembert::detail::central_difference<S>(by_place ? 0.25 : 256, direction_.size(), at,
                                                           size_of, by_place ? far_ / length_ : 0);
    if (found.value.empty() || !(found.jump <= 0.01 * found.largest)) {
      if (without_ == WithoutDerivative::refuse) refuse(found.value.empty(), found.jump);
      return {std::vector<S>(direction_.size(), S(0)), 0};
    }
    return found;
  }

  [[noreturn, gnu::noinline]] void refuse(bool is_infinite, double jump) const {
    const char* const by = by_ == DerivativeBy::place ? "displacements" : "velocities";
    require(!is_infinite, "WithLoad", message({"derivative of a load by ", by}), "not finite",
            "its forces must be finite near a state about which it is asked for");
    dalembert::detail::refuse(
        "WithLoad", message({"jump of a load by ", by}), jump,
        "its derivative is asked for here: take a state where it has one, or let it tell "
        "add_stiffness and add_damping [N m]");
  }

  /// The node of a colour that acts on node k, if neighbours only do so.
  [[nodiscard]] Index source(Index k, Index colour, Index colours) const noexcept {
    if (colours == at_.nodes) return colour;
    const Index apart = (colour - k % colours + colours) % colours;
    return k + (2 * apart > colours ? apart - colours : apart);
  }

  /// Those by the nodes of one colour, all at once.
  void find_blocks(Index colour, Index colours) {
    const std::size_t first = found_.size();
    for (Index k = 0; k < at_.nodes; ++k) {
      const Index l = source(k, colour, colours);
      if (l >= 0 && l < at_.nodes) found_.push_back({k, l, {}});
    }
    for (int j = 0; j < 6; ++j) {
      std::fill(direction_.begin(), direction_.end(), 0.0);
      for (Index l = colour; l < at_.nodes; l += colours) direction_[number_of(l, j)] = unit(j);
      const Slope slope = find_slope();
      doubt_ += slope.doubt;
      for (std::size_t b = first; b < found_.size(); ++b)
        for (int i = 0; i < 6; ++i)
          found_[b].value(i, j) = slope.value[number_of(found_[b].row, i)] * S(-1 / unit(j));
    }
  }

  /// Whether the blocks found are all that there are.
  [[nodiscard]] bool agrees() {
    std::uint64_t seed = 1;
    for (Index k = 0; k < at_.nodes; ++k)
      for (int i = 0; i < 6; ++i) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        direction_[number_of(k, i)] = (static_cast<double>(seed >> 40) / (1 << 23) - 1) * unit(i);
      }
    Slope slope = find_slope();
    const auto entry = [&](Index k, int i) { return slope.value[number_of(k, i)]; };
    const double whole = size(entry);
    for (const Block& b : found_)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
          slope.value[number_of(b.row, i)] += b.value(i, j) * S(direction_[number_of(b.column, j)]);
    return size(entry) <= std::pow(rounding, 0.625) * whole + 8 * (slope.doubt + doubt_);
  }

  void give(const AddBlock<S>& add) {
    for (const Block& b : found_) {
      bool zero = std::is_floating_point_v<S>;
      for (int i = 0; i < 36; ++i) zero = zero && b.value(i / 6, i % 6) == S(0);
      if (!zero) add(b.row, b.column, b.value);
    }
    found_.clear();
  }

  const Chain<S>& at_;
  double length_, far_ = 0;
  DerivativeBy by_;
  WithoutDerivative without_;
  Load load_;
  Chain<S> moved_ = at_;
  Columns<S, 6> ahead_ = rod::zero_columns<S, 6>(at_.nodes), behind_ = ahead_;
  std::vector<double> direction_ = std::vector<double>(static_cast<std::size_t>(6 * at_.nodes));
  std::vector<Block> found_;
  double doubt_ = 0;
};

}  // namespace dalembert::assembly::detail
