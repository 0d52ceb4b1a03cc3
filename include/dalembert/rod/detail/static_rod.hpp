#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <dalembert/core/number.hpp>
#include <dalembert/rod/concepts.hpp>
#include <dalembert/rod/detail/check.hpp>
#include <dalembert/rod/detail/tangent.hpp>

/// One rod in a static Newton iteration: its residual and stiffness, its held ends on their path to new frames, and
/// its step.
///   K δ = f,  f the loads of `Rod::forces`, K = −∂f/∂(δr, Σ)                            (1)
/// where δ of a held degree is what is left of the path of its end.
namespace dalembert::rod {

/// Residual, stiffness and step of one rod with `Count` right-hand sides; the first of them is the residual. It
/// allocates when it is made and never after that.
template <class R, int Count = 1>
class StaticRod {
 public:
  using S = typename R::Scalar;  ///< the number type
  using Index = Eigen::Index;    ///< counts nodes
  /// Columns to solve for at once.
  using RightHandSides =
      Eigen::Matrix<S, Eigen::Dynamic, Count, Count == 1 ? Eigen::ColMajor : Eigen::RowMajor>;

  /// For rods with the nodes of `rod`.
  explicit StaticRod(const R& rod)
      : stiffness_(rod.nodes()),
        forces_(zero_columns<S, 6>(rod.nodes())),
        columns_(6 * rod.nodes(), Count),
        before_(rod.nodes()) {
    for (Index element = 0; element < (R::varies ? rod.elements() : 1); ++element) {
      const auto& material = rod.material_at(element);
      const RestStrain<S> rest = material.rest();
      const Mat<S, 6, 6> k = material_tangent(material, rest.stretch, rest.curvature);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          stretching_ = std::max(stretching_, number::abs(k(i, j)));
          bending_ = std::max(bending_, number::abs(k(3 + i, 3 + j)));
        }
    }
  }

  /// Remember the chain, to return to it or to see how its ends are moved.
  void save(const Chain<S>& chain) { before_ = chain; }
  /// Put the remembered chain.
  void restore(Chain<S>& chain) const { chain = before_; }

  /// Take the frames of held ends in `chain` as aims, and put the ends back to where they were when saved.
  [[gnu::noinline]] void set_target(const R& rod, Chain<S>& chain) {
    for (const End end : {End::start, End::finish}) {
      EndPath& path = path_[end == End::start ? 0 : 1];
      const Index k = node(rod, end);
      const auto& was = before_.configuration;
      const auto& is = chain.configuration;
      const detail::Relative<S> turn(
          ElementPose<S>{was(k, 3), at3<4>(was, k), is(k, 3), at3<4>(is, k), at3<0>(is, k)});
      const Vec<S, 3> rotation = (S(2) * turn.A) * turn.v;
      path.exact = true;
      for (int i = 0; i < 6; ++i) {
        const S left = i < 3 ? is(k, i) - was(k, i) : rotation[i - 3];
        path.left[at(i)] = rod.held(k, i) ? left : S(0);
        path.exact = path.exact && rod.held(k, i);
      }
      for (int i = 0; i < 7; ++i) {
        path.frame[at(i)] = is(k, i);
        chain.configuration(k, i) = was(k, i);
      }
    }
  }

  /// Residual and stiffness of `chain`.
  [[gnu::noinline]] void assemble(const R& rod, const Chain<S>& chain) {
    turned_too_far_ = !rod.forces(chain, forces_);
    assemble_tangent(rod, chain, stiffness_);
    force_scale_ = torque_scale_ = S(0);
    for (Index k = 0; k < rod.elements(); ++k) {
      const Strain<S> e = rod.strain(chain, k);
      const Stress<S> stress = rod.material_at(k).stress(e.stretch, e.curvature);
      const Triple<S> n(stress.force), m(stress.moment), stretch(e.stretch);
      force_scale_ = std::max(force_scale_, norm(n));
      torque_scale_ = std::max(torque_scale_, norm(m) + rod.spacing() * norm(cross(n, stretch)));
    }
    S farthest(0);
    for (int i = 0; i < 3; ++i)
      for (Index k = 0; k < chain.nodes; ++k)
        farthest = std::max(farthest, number::abs(chain.configuration(k, i)));
    const S reach = farthest / rod.spacing();
    const S digits = S(8) * std::numeric_limits<S>::epsilon() * (S(1) + reach);
    force_floor_ = digits * stretching_;
    torque_floor_ = digits * (stretching_ * rod.spacing() + bending_ / rod.spacing());
  }

  /// The loads that `assemble` found, to be changed by other forces before `prepare` [N, N m].
  [[nodiscard]] Columns<S, 6>& forces() noexcept { return forces_; }
  /// −∂f/∂(δr, Σ), with the held rows put by `prepare`.
  [[nodiscard]] const BlockTridiagonal<S>& stiffness() const noexcept { return stiffness_; }
  /// Right-hand sides, then solutions: six numbers a node, spatial δr and body Σ.
  [[nodiscard]] RightHandSides& columns() noexcept { return columns_; }
  /// The right-hand sides.
  [[nodiscard]] const RightHandSides& columns() const noexcept { return columns_; }

  /// The largest force and torque on free degrees, each relative to the largest inside the rod, with round-off
  /// as good as `tolerance`.
  [[nodiscard]] S residual(const R& rod, S tolerance) const {
    return std::max(largest(rod, 0) / (force_scale_ + force_floor_ / tolerance),
                    largest(rod, 3) / (torque_scale_ + torque_floor_ / tolerance));
  }
  /// Throws ElementTurnedTooFar if the chain of the last `assemble` has an element that turns too far; `number` is the rod's.
  void check_turns(const Chain<S>& chain, std::size_t number) const {
    if (turned_too_far_) detail::throw_turned_too_far(chain, number, S(0));
  }
  /// Whether the held ends are where they shall be.
  [[nodiscard]] bool at_target() const noexcept { return path_[0].at_target() && path_[1].at_target(); }

  /// Residual into the first column (the others become zero), held degrees into the system, factors. Throws
  /// SingularPivot.
  [[gnu::noinline]] void prepare(const R& rod) {
    std::fill_n(columns_.data(), columns_.size(), S(0));
    for (Index k = 0; k < rod.nodes(); ++k)
      for (int i = 0; i < 6; ++i) columns_(6 * k + i, 0) = forces_(k, i);
    hold(rod, 0, 1, path_[0].left);
    hold(rod, rod.elements(), rod.elements() - 1, path_[1].left);
    stiffness_.factor();
  }
  /// Solve for every column.
  void solve() { stiffness_.solve(columns_); }

  /// The largest displacement [m] and rotation [rad] in column 0.
  [[nodiscard]] Vec<S, 2> step() const noexcept {
    Vec<S, 2> largest(S(0), S(0));
    for (Index k = 0; k < columns_.rows(); k += 6) {
      for (int i = 0; i < 2; ++i) {
        const S x = norm(column(k + 3 * i));
        if (!(x <= largest[i])) largest[i] = x;  // a NaN stays
      }
    }
    return largest;
  }

  /// Move every node by `fraction` of column 0.
  [[gnu::noinline]] void move(Chain<S>& chain, S fraction) {
    for (Index k = 0; k < chain.nodes; ++k)
      move_node<S>(chain, k, fraction * column(6 * k), fraction * column(6 * k + 3));
    for (std::size_t e = 0; e < 2; ++e) {
      EndPath& path = path_[e];
      for (int i = 0; i < 6; ++i) path.left[at(i)] *= S(1) - fraction;
      if (!path.exact || !path.at_target()) continue;
      for (int i = 0; i < 7; ++i) chain.configuration(e == 0 ? 0 : chain.nodes - 1, i) = path.frame[at(i)];
    }
  }

 private:
  /// An end on its path.
  struct EndPath {
    std::array<S, 6> left{};   // what its held degrees still have to move
    std::array<S, 7> frame{};  // where it shall arrive
    bool exact = false;        // all degrees are held: it is put there to the last bit

    [[nodiscard]] bool at_target() const noexcept {
      for (const S& x : left)
        if (!number::is_zero(x)) return false;
      return true;
    }
  };

  /// Three numbers of column 0.
  [[nodiscard]] Triple<S> column(Index row) const noexcept {
    return {columns_(row, 0), columns_(row + 1, 0), columns_(row + 2, 0)};
  }

  [[nodiscard]] static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  [[nodiscard]] static Index node(const R& rod, End end) noexcept {
    return end == End::start ? 0 : rod.elements();
  }

  /// The largest of the loads' columns first, first + 1, first + 2 on free degrees.
  [[nodiscard]] S largest(const R& rod, int first) const noexcept {
    S most(0);
    for (Index k = 0; k < rod.nodes(); ++k)
      for (int i = first; i < first + 3; ++i)
        if (!rod.held(k, i)) {
          const S f = number::abs(forces_(k, i));
          if (!(f <= most)) most = f;  // a NaN stays
        }
    return most;
  }

  /// Held degrees of end node k: known increments go to the right-hand side, their rows become trivial.
  [[gnu::noinline]] void hold(const R& rod, Index k, Index neighbour, const std::array<S, 6>& increment) {
    auto& own = stiffness_.diagonal(k);
    auto& row = k < neighbour ? stiffness_.upper(k) : stiffness_.lower(neighbour);
    auto& column = k < neighbour ? stiffness_.lower(k) : stiffness_.upper(neighbour);
    for (int i = 0; i < 6; ++i) {
      if (!rod.held(k, i)) continue;
      for (int j = 0; j < 6; ++j) {
        columns_(6 * k + j, 0) -= increment[at(i)] * own(j, i);
        columns_(6 * neighbour + j, 0) -= increment[at(i)] * column(j, i);
      }
    }
    for (int i = 0; i < 6; ++i) {
      if (!rod.held(k, i)) continue;
      for (int j = 0; j < 6; ++j) own(j, i) = own(i, j) = row(i, j) = column(j, i) = S(0);
      own(i, i) = S(1);
      columns_(6 * k + i, 0) = increment[at(i)];
    }
  }

  bool turned_too_far_ = false;
  BlockTridiagonal<S> stiffness_;
  Columns<S, 6> forces_;
  RightHandSides columns_;
  Chain<S> before_;
  std::array<EndPath, 2> path_;
  S stretching_{}, bending_{};        // largest stiffness [N, N m²]
  S force_scale_{}, torque_scale_{};  // largest in the rod [N, N m]
  S force_floor_{}, torque_floor_{};  // round-off of the loads [N, N m]
};

}  // namespace dalembert::rod
