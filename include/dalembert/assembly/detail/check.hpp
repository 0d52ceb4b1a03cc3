#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/rod/detail/check.hpp>

/// What an assembly refuses: rates that another assembly made, and states whose numbers are none.
namespace dalembert::assembly::detail {

/// Throws std::invalid_argument: of something, or of its entry `entry` unless that is negative, there are not
/// as many as wanted.
[[gnu::cold, gnu::noinline]] inline void refuse_number(const char* what, std::ptrdiff_t entry,
                                                       std::ptrdiff_t found, const char* rule,
                                                       std::ptrdiff_t wanted, const char* after) {
  require(false, "Assembly", entry < 0 ? std::string(what) : message({what, " ", entry}), found,
          message({rule, wanted, after}));
}
template <std::integral E, std::integral F, std::integral W>
void refuse_number(const char* what, E entry, F found, const char* rule, W wanted, const char* after = "") {
  refuse_number(what, static_cast<std::ptrdiff_t>(entry), static_cast<std::ptrdiff_t>(found), rule,
                static_cast<std::ptrdiff_t>(wanted), after);
}

/// Throws std::invalid_argument for chains or lines that are not of this shape.
template <class S>
void check_shape(const State<S>& x, const State<S>& shape) {
  const auto& chains = x.chains;
  const auto& wanted = shape.chains;
  if (chains.size() != wanted.size()) [[unlikely]]
    refuse_number("chains", -1, chains.size(), "there must be one chain per body, and there are ",
                  wanted.size(), " bodies");
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (chains[i].nodes != wanted[i].nodes ||
        chains[i].configuration.rows() != wanted[i].configuration.rows() ||
        chains[i].velocity.rows() != wanted[i].velocity.rows()) [[unlikely]]
      refuse_number("nodes of chain", i, chains[i].nodes,
                    "a chain must have the nodes of its body, and there are ", wanted[i].nodes);
  if (x.lines.size() != shape.lines.size()) [[unlikely]]
    refuse_number("lines", -1, x.lines.size(),
                  "there must be a line per body where one is a string, and there are ", shape.lines.size());
  for (std::size_t i = 0; i < shape.lines.size(); ++i) {
    const Eigen::Index nodes = shape.lines[i].displacement.size();
    if (x.lines[i].displacement.size() != nodes || x.lines[i].velocity.size() != nodes) [[unlikely]]
      refuse_number("nodes of line", i, x.lines[i].displacement.size(),
                    "a line must have the nodes of its body, and there are ", nodes);
  }
}
/// Throws std::invalid_argument for chains or lines whose numbers mean nothing.
template <class S>
[[gnu::cold, gnu::noinline]] void check_numbers(const State<S>& x) {
  const auto& chains = x.chains;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    require_entry(chains[i].finite(), "Assembly", "chain", i, "not finite",
                  "positions and velocities must be finite");
    require_entry(chains[i].unit(), "Assembly", "quaternions of chain", i, "not of norm 1",
                  "a rotation is a unit quaternion");
    require_entry(chains[i].squares_are_finite(), "Assembly", "chain", i, "too large",
                  "the squares of positions and velocities must be finite");
  }
  for (std::size_t i = 0; i < x.lines.size(); ++i)
    require_entry(x.lines[i].finite(), "Assembly", "line", i, "not finite",
                  "displacements and velocities must be finite");
}

/// Throws std::invalid_argument for numbers that are not as many as those of this shape.
template <class S>
void check_columns(const State<S>& shape, const NodeNumbers<S>& columns) {
  const std::vector<Chain<S>>& chains = shape.chains;
  constexpr const char* rule = "rates must be made by this problem, which has ";
  if (columns.size() != chains.size()) [[unlikely]]
    refuse_number("bodies of the rates", -1, columns.size(), rule, chains.size());
  for (std::size_t i = 0; i < chains.size(); ++i)
    if (columns[i].rows() != chains[i].velocity.rows()) [[unlikely]]
      refuse_number("rows of body", i, columns[i].rows(), rule, chains[i].velocity.rows());
  for (std::size_t i = 0; i < shape.lines.size(); ++i)
    if (i >= columns.lines.size() || columns.lines[i].size() != shape.lines[i].velocity.size()) [[unlikely]]
      refuse_number("nodes of line", i, i < columns.lines.size() ? columns.lines[i].size() : 0, rule,
                    shape.lines[i].velocity.size());
}

/// Throws std::invalid_argument for rates that were made for bodies of another shape, for another number of
/// constraint rows, or of internal coordinates.
template <class S, class Rates>
void check_rates(const State<S>& shape, Eigen::Index rows, Eigen::Index internal, const Rates& r) {
  check_columns(shape, r.xidot);
  check_columns(shape, r.loads);
  if (r.lambda.size() != rows) [[unlikely]]
    refuse_number("multipliers of the rates", -1, r.lambda.size(), "its constraints have ", rows);
  if (r.zdot.size() != internal) [[unlikely]]
    refuse_number("internal coordinates of the rates", -1, r.zdot.size(), "its constraints have ", internal);
}

/// Throws what a body or a constraint throws that cannot be followed from `time` on for h; where states are
/// not put back onto the constraints velocities must not jump either.
template <class Bodies, class Constraints, class S>
void check_step(const Bodies& bodies, const Constraints& constraints, const S& time, const S& h,
                bool put_back) {
  if (bodies.prescribes())
    bodies.each([&](const auto& body, std::size_t i) {
      if constexpr (requires { check_motion(body, i, time, h); }) check_motion(body, i, time, h);
    });
  constraints.each([&](const auto& c, const auto&) { check_step_of(c, time, h, put_back); });
}

/// Throws NotFinite for a state in which a number is not, or in which the sum of all is not.
template <class S>
void check_projected(const State<S>& x) {
  S total(0);
  for (const Chain<S>& chain : x.chains)
    total += rod::total(chain.configuration, chain.nodes) + rod::total(chain.velocity, chain.nodes);
  for (const Line<S>& line : x.lines)
    if (!line.finite()) total += line.velocity.sum() + line.displacement.sum();
  rod::check_finite(total, "a projection", x.time);
}

}  // namespace dalembert::assembly::detail
