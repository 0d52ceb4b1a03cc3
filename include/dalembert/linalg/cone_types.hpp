#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/detail/contact_law.hpp>

/// What a cone problem is, and what is found of it; linalg/cone_problem.hpp has the equations (1) to (4) that
/// are meant here.
namespace dalembert::linalg {

/// A cone problem: rows that hold come first, then three rows a contact: normal and two tangents.
template <class S = double>
struct ConeProblem {
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;  ///< of as many rows as there are
  using Column = Vec<S, Eigen::Dynamic>;                            ///< likewise

  Eigen::Index held = 0;      ///< rows of (2)
  std::vector<S> friction{};  ///< μ of each contact, 0 to infinity
  Matrix G{};                 ///< of all rows, symmetric
  Column b{};                 ///< likewise

  /// Of so many rows that hold and contacts with these coefficients, with G and b zero.
  ConeProblem(Eigen::Index rows, std::vector<S> coefficients)
      : held(rows), friction(std::move(coefficients)) {
    G = Matrix::Zero(size(), size());
    b = Column::Zero(size());
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
    require(G.allFinite() && b.allFinite(), "ConeProblem", "an entry", "not finite", "all must be finite");
  }
  /// (4), the largest over contacts and rows that hold.
  [[nodiscard]] S natural_map(const Column& P) const {
    const Column u = b + G * P;
    const S largest = size() > 0 ? S(G.diagonal().maxCoeff()) : S(0),
            rho = largest > S(0) ? S(1) / largest : S(1);
    S worst(0);
    for (Eigen::Index i = 0; i < held; ++i) worst = std::max(worst, S(rho * std::abs(u[i])));
    for (std::size_t c = 0; c < friction.size(); ++c)
      worst = std::max(worst, detail::natural_map<S>(P.template segment<3>(row(c)),
                                                     u.template segment<3>(row(c)), friction[c], rho));
    return worst;
  }
};

/// How a cone problem is solved.
template <class S = double>
struct ConeOptions {
  S tolerance = S(1e-12);  ///< of the natural map, relative to the largest impulse; beside it rounding of b
  int newton = 40;         ///< steps of Newton's method from each start, at most
  int sweeps = 20000;      ///< of the block Gauss–Seidel method, at most, in the end
};

/// What was found.
template <class S = double>
struct ConeSolution {
  Vec<S, Eigen::Dynamic> P;  ///< impulses of all rows
  S residual{};              ///< natural map over the largest impulse
  bool converged = false;    ///< whether the natural map met the tolerance
  int newton = 0;            ///< steps of Newton's method
  int sweeps = 0;            ///< of the block Gauss–Seidel method
  int ladders = 0;           ///< of growing coefficients
};

}  // namespace dalembert::linalg
