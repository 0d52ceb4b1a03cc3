#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/assembly/line_rows.hpp>
#include <dalembert/contact/kernel_average.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/string/grid.hpp>

/// Contacts of strings on a grid: a marker on a string that moves along it, averaged over the nodes by a
/// kernel as a contact of rods is (contact/kernel_average.hpp), and the constraint of two strings that roll
/// on each other there.
namespace dalembert::strings {

/// A marker on a string that moves along it; its s is an internal coordinate of the constraint.
template <class S = double, contact::Kernel K = contact::CubicSpline>
class StringMarker {
 public:
  static constexpr bool slides = true;        ///< one internal coordinate
  static constexpr bool on_line = true;       ///< of an assembly's lines
  static constexpr bool keeps_slopes = true;  ///< α′ is kept beside α
  using L = rod::NodePack<S>;                 ///< lanes of nodes

  std::size_t body = 0;  ///< number of the body

  /// On body number `number`, which is this string, with a kernel of width ℓ [m]. Throws
  /// std::invalid_argument as `contact::KernelAverage` does.
  StringMarker(std::size_t number, const GridString<S>& string, S kernel_width, K kernel = {})
      : body(number),
        average_(kernel, kernel_width, string.spacing(), string.nodes() + 2 * margin(string, kernel_width)),
        c_(string.parameters().c),
        nodes_(string.nodes()),
        margin_(margin(string, kernel_width)) {
    require(average_.window() <= nodes_, "StringMarker", "kernel_width", kernel_width,
            "the kernel must be shorter than the string");
  }

  /// The speed of waves there [m/s].
  [[nodiscard]] S c() const noexcept { return c_; }
  /// Number of nodes that bear it.
  [[nodiscard]] Eigen::Index count() const noexcept { return average_.window(); }
  /// Of the nodes of its string [m].
  [[nodiscard]] S spacing() const noexcept { return average_.spacing(); }
  /// As far as a position may move in one step of Newton's method [m].
  [[nodiscard]] S reach() const noexcept { return average_.kernel_width(); }
  /// Its velocity is that of the string.
  [[nodiscard]] bool beside_node() const noexcept { return false; }
  /// Displacements alone make its position [m].
  [[nodiscard]] S extent(const assembly::Point<S>&) const noexcept { return S(0); }
  /// It is on the string [m].
  [[nodiscard]] Vec<S, 3> arm(const assembly::Point<S>&) const noexcept { return {S(0), S(0), S(0)}; }

  /// Throws std::invalid_argument for a body that is not there, or another string.
  void check(const std::vector<assembly::Line<S>>& lines, const std::string& what) const {
    require(body < lines.size(), what, "string of a marker", body,
            message({"there are ", lines.size(), " bodies"}));
    require(lines[body].displacement.size() == nodes_, what, "nodes of a marker", nodes_,
            message({"string ", body, " has ", lines[body].displacement.size(), " nodes"}));
  }
  /// Where it is for the position s [m], its nodes, and their weights α, and α′ after them, if there is
  /// room. Throws ContactAtEnd, NotFinite.
  void find(const std::vector<assembly::Line<S>>& lines, S s, S time, assembly::Point<S>& p,
            assembly::Window& window, S* weights) const {
    contact::AveragedPoint<S> point = placed(s, time);
    p.s = s;
    window.body = body;
    window.line = true;
    window.around = closed() ? nodes_ : 0;
    window.first = first(point);
    const auto [of] =
        averages<1>(point, {&lines[body].displacement}, weights, weights ? weights + window.room : nullptr);
    p.R = {of.mean, S(0), S(0)};
    p.dR = {of.slope, S(0), S(0)};
  }
  /// How the string moves there.
  void find_velocity(const std::vector<assembly::Line<S>>& lines, assembly::Point<S>& p) const {
    const auto [of] = averages<1>(placed(p.s, S(0)), {&lines[body].velocity});
    p.V = {of.mean, S(0), S(0)};
    p.dV = {of.slope, S(0), S(0)};
  }
  /// The same with the weights that `find` kept.
  void find_velocity(const std::vector<assembly::Line<S>>& lines, const assembly::Window& window,
                     const S* weights, assembly::Point<S>& p) const {
    const S* const v = lines[body].velocity.data();
    const auto of = [&](Eigen::Index begin) {
      assembly::Window mine = window;
      mine.weights = begin;
      return assembly::detail::sum_over_line(mine, weights, nodes_, v, v,
                                             [](const auto& w, const auto& x, const auto&) { return w * x; });
    };
    p.V = {of(0), S(0), S(0)};
    p.dV = {of(window.room), S(0), S(0)};
  }
  /// Both for the position s [m] in the middle of a time h [s] in which the string went from `begin` to
  /// `end`, with its mean velocity. Throws the same.
  void find_middle(const std::vector<assembly::Line<S>>& begin, const std::vector<assembly::Line<S>>& end,
                   S h, S s, S time, assembly::Point<S>& p) const {
    const auto [u, v] = averages<2>(placed(s, time), {&begin[body].displacement, &end[body].displacement});
    p.s = s;
    p.R = {(u.mean + v.mean) / S(2), S(0), S(0)};
    p.dR = {(u.slope + v.slope) / S(2), S(0), S(0)};
    p.V = {(v.mean - u.mean) / h, S(0), S(0)};
    p.dV = {(v.slope - u.slope) / h, S(0), S(0)};
  }
  /// The rate of what is seen of it at this time while it stays where it is.
  [[nodiscard]] assembly::FrameChange<S> moved(const assembly::Point<S>& p) const { return {p.V, p.dV}; }
  /// How what is seen of it changes with its position.
  [[nodiscard]] assembly::FrameChange<S> slid(const assembly::Point<S>& p) const { return {p.dR, p.ddR}; }
  /// How what is seen of it changes while the nodes keep their velocities and it moves at `rate` = ṡ [m/s].
  [[nodiscard]] assembly::FrameRates<S> passing(const assembly::Point<S>& p, S rate) const {
    return {p.V + rate * p.dR, rate * p.dV, Vec<S, 3>(S(0), S(0), S(0))};
  }
  /// What is seen of it: one number each, as x.
  template <class T>
  [[nodiscard]] assembly::FrameState<T> seen(const assembly::PointState<T>& x) const {
    return {x.R, x.dR, x.rotation, x.V, x.W};
  }

 private:
  /// A closed string goes on beyond its ends for as many nodes as a window is wide; fixed ends bear nothing.
  [[nodiscard]] static Eigen::Index margin(const GridString<S>& string, S kernel_width) {
    if (string.parameters().ends == Ends::fixed) return -1;
    if (!string.closed()) return 0;
    if (!(kernel_width > S(0)) || !(kernel_width < string.parameters().length)) return 1;
    return static_cast<Eigen::Index>(std::ceil(S(K::reach + 1) * kernel_width / string.spacing())) +
           K::reach + 2;
  }
  [[nodiscard]] bool closed() const noexcept { return margin_ > 0; }
  [[nodiscard]] contact::AveragedPoint<S> placed(S s, S time) const {
    const S length = S(nodes_) * average_.spacing();
    const S within = closed() ? s - std::floor(s / length) * length : s;
    contact::AveragedPoint<S> point;
    try {
      average_.place(within + S(margin_) * average_.spacing(), number::plain(time),
                     static_cast<int>(body) + 1, point);
    } catch (const ContactAtEnd&) {
      throw ContactAtEnd(
          message({"ContactAtEnd: the contact kernel on string ", body, " reaches an end, s = ", s, " m"}),
          number::plain(time));
    }
    average_.normalise(point);
    return point;
  }
  [[nodiscard]] Eigen::Index first(const contact::AveragedPoint<S>& p) const noexcept {
    const Eigen::Index k = p.first - margin_;
    return k < 0 ? k + nodes_ : k >= nodes_ ? k - nodes_ : k;
  }
  struct Average {
    S mean, slope;  // Σ α x and Σ α′ x
  };
  /// Those of arrays x of numbers of all nodes, and α and α′, if there is room for them.
  template <std::size_t N>
  [[nodiscard]] std::array<Average, N> averages(const contact::AveragedPoint<S>& p,
                                                const std::array<const Vec<S, Eigen::Dynamic>*, N>& x,
                                                S* weights = nullptr, S* weight_slopes = nullptr) const {
    constexpr Eigen::Index width = rod::width_of<L>;
    std::array<L, N> means, slopes;
    means.fill(L(S(0)));
    slopes.fill(L(S(0)));
    std::array<Average, N> sums{};
    const Eigen::Index begin = first(p), window = average_.window();
    for (int pack = 0; pack < p.packs; ++pack) {
      const auto w = average_.weights(p, pack);
      const Eigen::Index done = pack * width, from = begin + done, count = std::min(width, window - done);
      alignas(64) S value[static_cast<std::size_t>(width)], change[static_cast<std::size_t>(width)];
      if (count == width && from + width <= nodes_) [[likely]] {
        for (std::size_t i = 0; i < N; ++i) {
          const L lanes = rod::load<S, L>(x[i]->data() + from);
          means[i] += w.value * lanes;
          slopes[i] += w.first * lanes;
        }
        if (weights) {
          rod::store(w.value, weights + done);
          rod::store(w.first, weight_slopes + done);
        }
        continue;
      }
      rod::store(w.value, value);
      rod::store(w.first, change);
      for (Eigen::Index k = 0; k < count; ++k) {
        const Eigen::Index at = from + k < nodes_ ? from + k : from + k - nodes_;
        for (std::size_t i = 0; i < N; ++i) {
          sums[i].mean += value[k] * (*x[i])[at];
          sums[i].slope += change[k] * (*x[i])[at];
        }
        if (weights) {
          weights[done + k] = value[k];
          weight_slopes[done + k] = change[k];
        }
      }
    }
    for (std::size_t i = 0; i < N; ++i) {
      sums[i].mean += rod::lane_sum(means[i]);
      sums[i].slope += rod::lane_sum(slopes[i]);
    }
    return sums;
  }

  contact::KernelAverage<S, K, L> average_;
  S c_;
  Eigen::Index nodes_, margin_;
};

/// Two strings that roll on each other without slip where the contact is spread over their nodes, with the
/// notation of string/strings.hpp:
///   Σ α u_t = F Σ β v_t,   ṡ₁ = G₁ Σ α u_t,   ṡ₂ = G₂ Σ β v_t                        (1)
/// Its multiplier is minus the λ there [N]. The energy of the grid is kept exactly, whatever the kernel.
template <class S = double, contact::Kernel K = contact::CubicSpline>
struct GridContact {
  using Scalar = S;                                   ///< the number type
  static constexpr const char* name = "GridContact";  ///< for messages

  StringMarker<S, K> first;   ///< on the string of u
  StringMarker<S, K> second;  ///< on that of v
  S F = 1;                    ///< ratio of the velocities
  S G1 = 0;                   ///< ratio of the contact's speed to the first string's
  S G2 = 0;                   ///< the same of the second

  /// The markers on both strings.
  [[nodiscard]] auto markers() const { return std::tie(first, second); }
  /// The row (1).
  template <class T>
  [[nodiscard]] Vec<T, 1> velocity_constraint(const assembly::FrameState<T>& x,
                                              const assembly::FrameState<T>& y, const T&) const {
    return Vec<T, 1>(x.velocity[0] - T(F) * y.velocity[0]);
  }
  /// Its coefficients.
  [[nodiscard]] assembly::Rows<S, 1, 2> coefficients(const assembly::FrameState<S>&,
                                                     const assembly::FrameState<S>&, const S&) const {
    assembly::Rows<S, 1, 2> rows;
    for (int i = 0; i < 2; ++i) {
      rows.linear[static_cast<std::size_t>(i)] << (i == 0 ? S(1) : -F), S(0), S(0);
      rows.angular[static_cast<std::size_t>(i)].setZero();
    }
    rows.known[0] = S(0);
    return rows;
  }
  /// Its change while the contact moves and the nodes keep their velocities.
  [[nodiscard]] Vec<S, 1> acceleration_bias(const assembly::FrameState<S>&, const assembly::FrameState<S>&,
                                            const assembly::FrameRates<S>& x,
                                            const assembly::FrameRates<S>& y, const S&) const {
    return Vec<S, 1>(x.velocity[0] - F * y.velocity[0]);
  }
  /// How the contact moves, (1).
  [[nodiscard]] Vec<S, 2> sliding(const assembly::FrameState<S>& x, const assembly::FrameState<S>& y,
                                  const S&) const {
    return {G1 * x.velocity[0], G2 * y.velocity[0]};
  }
  /// Throws SupersonicContact where the contact is not slower than the waves.
  void check(const Vec<S, 1>&, const assembly::FrameState<S>& x, const assembly::FrameState<S>& y,
             const S& time) const {
    const S ratio =
        std::max(std::abs(G1 * x.velocity[0]) / first.c(), std::abs(G2 * y.velocity[0]) / second.c());
    if (ratio >= S(1)) [[unlikely]]
      throw SupersonicContact(static_cast<double>(ratio), static_cast<double>(time));
  }
  /// Throws std::invalid_argument for ratios that are not finite, and F = 0.
  void check_parameters() const {
    require(std::isfinite(F) && F != S(0), name, "F", F,
            "the ratio of velocities must be finite and not zero");
    require(std::isfinite(G1), name, "G1", G1, "the ratio of speeds must be finite");
    require(std::isfinite(G2), name, "G2", G2, "the ratio of speeds must be finite");
  }
};

}  // namespace dalembert::strings
