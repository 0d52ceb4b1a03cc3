#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/detail/contact_law.hpp>
#include <dalembert/linalg/detail/growing.hpp>

/// What a cone problem is, and what is found of it; linalg/cone_problem.hpp has the equations (1) to (4) that
/// are meant here.
namespace dalembert::linalg {

namespace detail {

/// Three numbers of a column.
template <class Column>
[[nodiscard]] Vec<typename Column::Scalar, 3> three(const Column& x, Eigen::Index first) {
  return {x[first], x[first + 1], x[first + 2]};
}
/// The largest magnitude of a column; not-a-number if one is.
template <class Column>
[[nodiscard]] auto magnitude(const Column& x) {
  using S = typename Column::Scalar;
  S largest(0);
  for (Eigen::Index i = 0; i < x.size(); ++i) number::keep_larger(largest, S(std::abs(x[i])));
  return largest;
}

/// (4) of impulses that leave these velocities, the largest over contacts and rows that hold.
template <class Problem, class Impulses, class Velocities>
[[nodiscard]] auto natural_map(const Problem& problem, const Impulses& P, const Velocities& u) {
  using S = typename Impulses::Scalar;
  const S largest = problem.largest_response(), rho = largest > S(0) ? S(1) / largest : S(1);
  S worst(0);
  for (Eigen::Index i = 0; i < problem.held; ++i) worst = std::max(worst, S(rho * std::abs(u[i])));
  for (std::size_t c = 0; c < problem.friction.size(); ++c)
    worst = std::max(
        worst, natural_map<S>(three(P, problem.row(c)), three(u, problem.row(c)), problem.friction[c], rho));
  return worst;
}

}  // namespace detail

/// A cone problem: rows that hold come first, then three rows a contact: normal and two tangents.
template <class S = double>
struct ConeProblem {
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;  ///< of as many rows as there are
  using Column = Vec<S, Eigen::Dynamic>;                            ///< likewise
  using GrowingMatrix = detail::Growing<Matrix>;                    ///< keeps its memory in a new problem
  using GrowingColumn = detail::Growing<Column>;                    ///< likewise

  Eigen::Index held = 0;      ///< rows of (2)
  std::vector<S> friction{};  ///< μ of each contact, 0 to infinity
  GrowingMatrix G{};          ///< of all rows, symmetric
  GrowingColumn b{};          ///< likewise

  /// Of so many rows that hold and contacts with these coefficients, with G and b zero.
  ConeProblem(Eigen::Index rows, std::vector<S> coefficients)
      : held(rows), friction(std::move(coefficients)) {
    clear();
  }
  /// G and b zero, for the rows and coefficients that there are now.
  void clear() {
    G.set_zero(size(), size());
    b.set_zero(size());
  }
  /// Number of rows.
  [[nodiscard]] Eigen::Index size() const noexcept {
    return held + 3 * static_cast<Eigen::Index>(friction.size());
  }
  /// First row of a contact.
  [[nodiscard]] Eigen::Index row(std::size_t contact) const noexcept {
    return held + 3 * static_cast<Eigen::Index>(contact);
  }
  /// Throws std::invalid_argument for coefficients that are negative or no number, sizes that do not fit, and
  /// entries that are not finite.
  void check() const {
    for (const S mu : friction)
      require(mu >= S(0), "ConeProblem", "friction", mu, "it must not be negative, nor no number");
    require(held >= 0, "ConeProblem", "rows that hold", held, "they must be counted");
    require(G.rows() == size() && G.cols() == size(), "ConeProblem", "rows of G", G.rows(),
            "there must be as many as rows of the problem");
    require(b.size() == size(), "ConeProblem", "size of b", b.size(), "it must have one number a row");
    S total(0);
    for (Eigen::Index i = 0; i < G.size(); ++i) total += S(0) * G.data()[i];
    for (const S& x : b) total += S(0) * x;
    require(total == S(0), "ConeProblem", "an entry", "not finite", "all must be finite");
  }
  /// Put a block of the contacts i and j, and its transpose.
  void put(std::size_t i, std::size_t j, const Mat<S, 3>& block) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) G(row(i) + r, row(j) + c) = G(row(j) + c, row(i) + r) = block(r, c);
  }
  /// b + G P.
  [[nodiscard]] Column velocities(const Column& P) const { return b + G * P; }
  /// The largest entry of the diagonal of G.
  [[nodiscard]] S largest_response() const {
    S largest(0);
    for (Eigen::Index i = 0; i < size(); ++i) largest = std::max(largest, S(G(i, i)));
    return largest;
  }
  /// (4), the largest over contacts and rows that hold.
  [[nodiscard]] S natural_map(const Column& P) const { return detail::natural_map(*this, P, velocities(P)); }
};

/// How a cone problem is solved.
template <class S = double>
struct ConeOptions {
  S tolerance = S(1e-12);  ///< of the natural map, relative to the largest impulse; beside it rounding of b
  int newton = 40;         ///< steps of Newton's method from each start, at most
  int sweeps = 20000;      ///< of the block Gauss–Seidel method, at most, in the end; 0: only what is quick
};

/// How a solution was found.
template <class S = double>
struct ConeCounts {
  S residual{};            ///< natural map over the largest impulse
  bool converged = false;  ///< whether the natural map met the tolerance
  int newton = 0;          ///< steps of Newton's method
  int factored = 0;        ///< of these, steps for which slopes were decomposed
  int sweeps = 0;          ///< of the block Gauss–Seidel method
  int ladders = 0;         ///< of growing coefficients
};

/// What was found.
template <class S = double>
struct ConeSolution : ConeCounts<S> {
  typename ConeProblem<S>::GrowingColumn P;  ///< impulses of all rows
};

}  // namespace dalembert::linalg
