#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/rod/detail/check.hpp>

/// What an assembly refuses: rates that another assembly made, and states whose numbers are none.
namespace dalembert::assembly::detail {

/// Throws std::invalid_argument for something, or entry `entry` of it, of which there are not as many as
/// wanted.
[[gnu::cold, gnu::noinline]] inline void refuse_number(const char* what, const MessagePart& entry,
                                                       const MessagePart& found, const char* rule,
                                                       const MessagePart& wanted, const char* after = "") {
  require(false, "Assembly", message({what, entry}), message({found}), message({rule, wanted, after}));
}

/// Throws std::invalid_argument for numbers that are not as many as those of this shape.
template <class S>
void check_columns(const State<S>& shape, const NodeNumbers<S>& columns) {
  const std::vector<Chain<S>>& chains = shape.chains;
  constexpr const char* rule = "rates must be made by this problem, which has ";
  if (columns.size() != chains.size()) [[unlikely]]
    refuse_number("bodies of the rates", "", columns.size(), rule, chains.size());
  for (std::size_t i = 0; i < chains.size(); ++i)
    if (columns[i].rows() != chains[i].velocity.rows()) [[unlikely]]
      refuse_number("rows of body ", i, columns[i].rows(), rule, chains[i].velocity.rows());
  for (std::size_t i = 0; i < shape.lines.size(); ++i)
    if (i >= columns.lines.size() || columns.lines[i].size() != shape.lines[i].velocity.size()) [[unlikely]]
      refuse_number("nodes of line ", i, i < columns.lines.size() ? columns.lines[i].size() : 0, rule,
                    shape.lines[i].velocity.size());
}

/// Throws std::invalid_argument for rates that were made for bodies of another shape, for another number of
/// constraint rows, or of internal coordinates.
template <class S, class Rates>
void check_rates(const State<S>& shape, Eigen::Index rows, Eigen::Index internal, const Rates& r) {
  check_columns(shape, r.xidot);
  check_columns(shape, r.loads);
  if (r.lambda.size() != rows) [[unlikely]]
    refuse_number("multipliers of the rates", "", r.lambda.size(), "its constraints have ", rows);
  if (r.zdot.size() != internal) [[unlikely]]
    refuse_number("internal coordinates of the rates", "", r.zdot.size(), "its constraints have ", internal);
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
  constraints.each([&](const auto& c, const auto&) {
    if constexpr (requires { c.check_step(time, h); }) c.check_step(time, h);
    if constexpr (requires { c.check_smooth_step(time, h); })
      if (!put_back) c.check_smooth_step(time, h);
  });
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
