// Where eigenvalues cross the imaginary axis: for a real one the last coefficient of the characteristic
// polynomial changes its sign, for a pair the last but one of Hurwitz's determinants, which is ± the product of
// all λ_i + λ_j.
// Source: Gantmacher 1959, ch. XV, for Hurwitz's determinants and Orlando's formula.

#include "stability/boundaries.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <stdexcept>

#include <Eigen/LU>

#include "support/bisect.hpp"
#include "support/interrupt.hpp"

template std::vector<std::complex<double>> dalembert::analysis::eigenvalues<double>(
    const dalembert::Mat<double, Eigen::Dynamic>&);

namespace stability {

using dalembert::analysis::roots;
using Eigenvalues = std::vector<std::complex<double>>;

Column without_zeros(const Matrix& matrix, int zeros) {
  const Column all = dalembert::analysis::characteristic_polynomial<double>(matrix);
  const Eigen::Index left = all.size() - zeros;
  const double rate = std::max(1.0, matrix.cwiseAbs().maxCoeff());
  for (Eigen::Index i = left; i < all.size(); ++i)
    if (!(std::abs(all[i]) <= 1e-9 * std::pow(rate, static_cast<double>(i))))
      throw std::runtime_error("small motions: an eigenvalue that a family of motions makes 0 is not 0");
  return all.head(left);
}

namespace {

/// What counts as no real part [1/s], where the largest eigenvalue has this size.
double negligible(const Eigenvalues& values) {
  double size = 1;
  for (const auto& value : values) size = std::max(size, std::abs(value));
  return 1e-7 * size;
}

long growing(const Eigenvalues& values) {
  const double least = negligible(values);
  return std::count_if(values.begin(), values.end(), [&](const auto& x) { return x.real() > least; });
}
long pairs(const Eigenvalues& values) {
  return std::count_if(values.begin(), values.end(), [](const auto& x) { return x.imag() > 0; });
}

/// The determinant of the leading n − 1 rows and columns of Hurwitz's matrix.
double last_but_one(const Column& c) {
  const Eigen::Index n = c.size() - 1;
  Matrix hurwitz = Matrix::Zero(n - 1, n - 1);
  for (Eigen::Index i = 0; i < n - 1; ++i)
    for (Eigen::Index j = 0; j < n - 1; ++j) {
      const Eigen::Index k = 2 * j - i + 1;
      if (0 <= k && k <= n) hurwitz(i, j) = c[k];
    }
  return hurwitz.determinant();
}

/// Changes its sign where eigenvalues do what `kind` says.
double test(Kind kind, const Column& c) {
  switch (kind) {
    case Kind::real:
      return c[c.size() - 1];
    case Kind::pair:
      return last_but_one(c);
    case Kind::birth:
      return pairs(roots<double>(c)) % 2 == 0 ? 1 : -1;
  }
  return 0;
}

}  // namespace

Points follow(const Motion& motion, double from, double to, long count) {
  std::vector<double> parameters;
  for (long i = 0; i < count; ++i)
    parameters.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1));
  return dalembert::analysis::eigenvalue_curves(parameters, [&](double parameter) {
    example::end_if_interrupted();
    return roots<double>(motion.characteristic(parameter));
  });
}

std::vector<Boundary> boundaries(const Motion& motion, const Points& points) {
  std::vector<Boundary> found;
  const double range = points.back().parameter - points.front().parameter;
  const auto locate = [&](Kind kind, std::size_t k) {
    const auto f = [&](double parameter) { return test(kind, motion.characteristic(parameter)); };
    double value = example::bisect(f, points[k - 1].parameter, points[k].parameter, 0.01 * range);
    // A boundary that is one of the points may lie, by rounding, on its other side.
    if (std::isnan(value) && k + 1 < points.size())
      value = example::bisect(f, points[k].parameter, points[k + 1].parameter, 0.01 * range);
    if (std::isnan(value)) {
      if (k + 1 < points.size())
        std::cerr << "Not found what happens between " << points[k - 1].parameter << " and "
                  << points[k].parameter << ": more --points may tell.\n";
      return;
    }
    const auto known = std::find_if(motion.known.begin(), motion.known.end(), [&](const Known& each) {
      return each.kind == kind && std::abs(each.value - value) <= 1e-6 * range;
    });
    found.push_back({kind, value, known == motion.known.end() ? nullptr : &*known});
  };
  for (std::size_t k = 1; k < points.size(); ++k) {
    const auto &before = points[k - 1].values, &after = points[k].values;
    const long grows = std::abs(growing(after) - growing(before));
    if (grows > 0) locate(grows % 2 == 1 ? Kind::real : Kind::pair, k);
    // Pairs are made of real ones, two of which meet at 0 where that is a boundary of stability already.
    if (grows == 0 && std::abs(pairs(after) - pairs(before)) == 1) locate(Kind::birth, k);
  }
  return found;
}

std::vector<Interval> stable_intervals(const Points& points, const std::vector<Boundary>& found) {
  std::vector<double> ends = {points.front().parameter};
  for (const Boundary& each : found)
    if (each.kind != Kind::birth) ends.push_back(each.value);
  ends.push_back(points.back().parameter);
  std::vector<Interval> intervals;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const double middle = (ends[i - 1] + ends[i]) / 2;
    const auto near = std::min_element(points.begin(), points.end(), [&](const auto& x, const auto& y) {
      return std::abs(x.parameter - middle) < std::abs(y.parameter - middle);
    });
    if (growing(near->values) > 0) continue;
    const double least = negligible(near->values);
    const bool damped = std::all_of(near->values.begin(), near->values.end(),
                                    [&](const auto& x) { return x.real() < -least; });
    intervals.push_back({ends[i - 1], ends[i], damped});
  }
  return intervals;
}

}  // namespace stability
