#pragma once

#include <complex>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <Eigen/Eigenvalues>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>

/// Eigenvalues, characteristic polynomials and their roots, of small dense matrices, and how they move with a
/// parameter.
namespace dalembert::analysis {

namespace detail {

/// The real Schur form of a square matrix that is finite. It is that of Eigen::RealSchur::compute, taken in
/// its steps: as one they would compile the vectors as well, which are most of its code.
template <PlainReal S>
[[nodiscard, gnu::cold, gnu::noinline]] Mat<S, Eigen::Dynamic> schur_form(const Mat<S, Eigen::Dynamic>& a) {
  using Matrix = Mat<S, Eigen::Dynamic>;
  const S scale = a.cwiseAbs().maxCoeff();
  if (scale < std::numeric_limits<S>::min()) return Matrix::Zero(a.rows(), a.cols());
  const Eigen::HessenbergDecomposition<Matrix> hessenberg(Matrix(a / scale));
  Eigen::RealSchur<Matrix> schur(a.rows());
  schur.computeFromHessenberg(Matrix(hessenberg.matrixH()), Matrix(), false);
  require(schur.info() == Eigen::Success, "eigenvalues", "matrix", "of slow convergence",
          "its Schur form was not found");
  return schur.matrixT() * scale;
}

}  // namespace detail

/// The eigenvalues of a real square matrix, the largest real part first and of a pair that with the positive
/// imaginary part.
/// Throws std::invalid_argument if the matrix is not square or not finite.
template <PlainReal S>
[[nodiscard, gnu::cold, gnu::noinline]] std::vector<std::complex<S>> eigenvalues(
    const Mat<S, Eigen::Dynamic>& a) {
  require(a.rows() == a.cols(), "eigenvalues", "columns", a.cols(), "a matrix must be square");
  require(a.allFinite(), "eigenvalues", "matrix", "not finite", "its entries must be finite");
  std::vector<std::complex<S>> values;
  if (a.rows() == 0) return values;
  const auto t = detail::schur_form<S>(a);  // triangular but for blocks of two conjugates
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    if (i + 1 == a.rows() || t(i + 1, i) == 0) {
      values.emplace_back(t(i, i));
      continue;
    }
    const S half = (t(i, i) - t(i + 1, i + 1)) / 2, real = t(i + 1, i + 1) + half;
    const S size = std::sqrt(std::abs(t(i + 1, i))) * std::sqrt(std::abs(t(i, i + 1)));
    const S root = std::sqrt(std::abs(size - half)) * std::sqrt(std::abs(size + half));
    values.insert(values.end(), {{real, root}, {real, -root}});
    ++i;
  }
  dalembert::detail::heap_sort(values.begin(), values.end(), [](const auto& x, const auto& y) {
    return x.real() > y.real() || (x.real() == y.real() && x.imag() > y.imag());
  });
  return values;
}

/// The coefficients of det(λ − A), that of the highest power, 1, first: n + 1 of them. Zero eigenvalues
/// are divided out by leaving off as many of the last. Reduces A to Hessenberg form by reflections, then
/// takes the recursion for leading minors.
/// Throws std::invalid_argument if the matrix is not square. Source: La Budde 1956, in Rehman and Ipsen 2011.
template <PlainReal S>
[[nodiscard]] Vec<S, Eigen::Dynamic> characteristic_polynomial(const Mat<S, Eigen::Dynamic>& a) {
  require(a.rows() == a.cols(), "characteristic_polynomial", "columns", a.cols(), "a matrix must be square");
  const Eigen::Index n = a.rows();
  using Column = Vec<S, Eigen::Dynamic>;
  if (n == 0) return Column::Ones(1);
  const Mat<S, Eigen::Dynamic> h =
      n < 3 ? a : Mat<S, Eigen::Dynamic>(Eigen::HessenbergDecomposition<Mat<S, Eigen::Dynamic>>(a).matrixH());
  // minors[i] holds det(λ − H) of the leading i × i block, the lowest power first.
  std::vector<Column> minors = {Column::Unit(n + 1, 0)};
  for (Eigen::Index i = 0; i < n; ++i) {
    Column next = Column::Zero(n + 1);
    next.tail(n) = minors.back().head(n);
    next -= h(i, i) * minors.back();
    S below = 1;
    for (Eigen::Index j = i - 1; j >= 0; --j) {
      below *= h(j + 1, j);
      next -= h(j, i) * below * minors[static_cast<std::size_t>(j)];
    }
    minors.push_back(std::move(next));
  }
  return minors.back().reverse();
}

/// The roots of a polynomial, the coefficient of the highest power first, in the order of `eigenvalues`:
/// those of its companion matrix.
/// Throws std::invalid_argument if there is no coefficient or the first is 0, or one is not finite.
template <PlainReal S>
[[nodiscard]] std::vector<std::complex<S>> roots(const Vec<S, Eigen::Dynamic>& polynomial) {
  require(polynomial.size() > 0, "roots", "coefficients", polynomial.size(), "a polynomial needs one");
  require(polynomial[0] != 0, "roots", "first coefficient", polynomial[0], "it must not be 0");
  const Eigen::Index n = polynomial.size() - 1;
  Mat<S, Eigen::Dynamic> companion = Mat<S, Eigen::Dynamic>::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    companion(0, i) = -polynomial[i + 1] / polynomial[0];
    if (i > 0) companion(i, i - 1) = 1;
  }
  return eigenvalues<S>(companion);
}

namespace detail {

/// The permutation p of least Σ cost(i, p[i]), by shortest augmenting paths. Source: Kuhn 1955; Jonker and
/// Volgenant 1987.
template <PlainReal S>
[[nodiscard]] std::vector<std::size_t> cheapest_assignment(const Mat<S, Eigen::Dynamic>& cost) {
  const auto n = static_cast<std::size_t>(cost.rows());
  const auto at = [&](std::size_t i, std::size_t j) {
    return cost(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  };
  constexpr auto nobody = std::numeric_limits<std::size_t>::max();
  std::vector<S> row_price(n, 0), column_price(n + 1, 0);
  std::vector<std::size_t> owner(n + 1, nobody);  // of each column; the last column is where a new row waits
  for (std::size_t row = 0; row < n; ++row) {
    std::vector<S> shortest(n, std::numeric_limits<S>::infinity());
    std::vector<std::size_t> before(n, n);
    std::vector<bool> done(n + 1, false);
    std::size_t column = n;
    owner[n] = row;
    while (owner[column] != nobody) {
      done[column] = true;
      const std::size_t i = owner[column];
      std::size_t next = n;
      S step = std::numeric_limits<S>::infinity();
      for (std::size_t j = 0; j < n; ++j) {
        if (done[j]) continue;
        const S reduced = at(i, j) - row_price[i] - column_price[j];
        if (reduced < shortest[j]) shortest[j] = reduced, before[j] = column;
        if (shortest[j] < step || next == n) step = shortest[j], next = j;
      }
      for (std::size_t j = 0; j <= n; ++j) {
        if (done[j])
          row_price[owner[j]] += step, column_price[j] -= step;
        else if (j < n)
          shortest[j] -= step;
      }
      column = next;
    }
    for (; column != n; column = before[column]) owner[column] = owner[before[column]];
    owner[n] = nobody;
  }
  std::vector<std::size_t> permutation(n);
  for (std::size_t j = 0; j < n; ++j) permutation[owner[j]] = j;
  return permutation;
}

}  // namespace detail

/// The eigenvalues at one value of a parameter.
template <PlainReal S = double>
struct EigenvaluePoint {
  S parameter{};                        ///< where [unit of the parameter]
  std::vector<std::complex<S>> values;  ///< entry i belongs to the same curve at every point
};

/// Follow eigenvalues along a parameter: `spectrum(parameter)` gives them in any order, as many at each of
/// `parameters`, which increase or decrease. Each curve goes on to the value nearest to where it pointed, so
/// that curves may cross; the sum of the distances is the least. The parameters must be so close that this
/// tells curves apart.
/// Throws std::invalid_argument if the number of eigenvalues changes or the parameters are not in order.
template <PlainReal S, class Spectrum>
[[nodiscard]] std::vector<EigenvaluePoint<S>> eigenvalue_curves(const std::vector<S>& parameters,
                                                                const Spectrum& spectrum) {
  std::vector<EigenvaluePoint<S>> points;
  for (const S parameter : parameters) {
    EigenvaluePoint<S> point{parameter, spectrum(parameter)};
    const std::size_t known = points.size(), n = point.values.size();
    if (known > 0) {
      const auto& last = points.back();
      require(n == last.values.size(), "eigenvalue_curves", "eigenvalues", n,
              "there must be as many as at the parameter before");
      require(
          parameter != last.parameter &&
              (known < 2 || (parameter > last.parameter) == (last.parameter > points[known - 2].parameter)),
          "eigenvalue_curves", "parameter", parameter, "parameters must increase or decrease");
      Mat<S, Eigen::Dynamic> cost(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
      for (std::size_t i = 0; i < n; ++i) {
        std::complex<S> guess = last.values[i];
        if (known > 1) {
          const auto& earlier = points[known - 2];
          const S ratio = (parameter - last.parameter) / (last.parameter - earlier.parameter);
          guess += ratio * (last.values[i] - earlier.values[i]);
        }
        for (std::size_t j = 0; j < n; ++j)
          cost(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
              std::abs(guess - point.values[j]);
      }
      const auto next = detail::cheapest_assignment<S>(cost);
      const auto unordered = point.values;
      for (std::size_t i = 0; i < n; ++i) point.values[i] = unordered[next[i]];
    }
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace dalembert::analysis
