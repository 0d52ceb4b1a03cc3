// What `drive` is asked for: any steps, ends, intervals, tolerances and events.

#include <algorithm>
#include <cmath>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/nonholonomic_particle.hpp>

#include "fuzz/target.hpp"

namespace fuzz {

using namespace dalembert;

namespace {

using Particle = LagrangeDAlembert<systems::NonholonomicParticle<double>>;

/// Thrown when a run has gone on for long enough: a valid run may be as long as it likes. It is no std::exception, so
/// that nothing takes it for a failure of a step.
struct Enough {};

/// A particle that counts how often it is asked for its rates.
class Patient : public Particle {
 public:
  Patient() : Particle(systems::NonholonomicParticle<double>{}) {}

  void rates(const State& at, Rates& out) const {
    if (++asked_ > 400) throw Enough{};
    Particle::rates(at, out);
  }

 private:
  mutable int asked_ = 0;
};

[[nodiscard]] DriveOptions<Patient> options(Input& in, double start) {
  DriveOptions<Patient> o;
  o.step = in.like("step", 0.01);
  o.until = start + in.between("until - start", 0, 0.2);
  if (in.flag("output")) o.output_interval = in.between("output_interval", 0, 0.1);
  if (in.flag("has origin")) o.origin = start - in.between("start - origin", 0, 1);
  if (in.flag("adaptive")) o.tolerance = in.like("tolerance", 1e-6);
  if (in.whole("relative", 0, 3) == 0) o.relative_tolerance = in.like("relative_tolerance", 1e-4);
  if (in.whole("bounded", 0, 3) == 0) o.longest_step = in.like("longest_step", 0.02);
  o.dense = in.flag("dense");
  if (in.whole("events", 0, 3) == 0) {
    const double level = in.between("level", -1, 1);
    Event<Patient> event{.name = "level", .value = [level](const Patient&, const Patient::State& at) {
                           return at.g.coordinates()[0] - level;
                         }};
    event.terminal = in.flag("terminal");
    event.tolerance = in.between("event tolerance", 0, 1e-3);
    if (in.whole("no function", 0, 15) == 0) event.value = nullptr;
    o.events.push_back(event);
  }
  return o;
}

template <class Method>
[[nodiscard]] Outcome go(Input& in, const Method& method) {
  const Patient problem;
  Patient::State state;
  for (int i = 0; i < 3; ++i) state.xi[i] = in.between("xi", -1, 1);
  Vec<double, 3> place;
  for (double& x : place) x = in.between("g", -1, 1);
  state.g = Rn<double, 3>(place);
  if (in.flag("later")) state.time = in.between("t", -10, 10);
  const bool sound = state.is_finite();
  const DriveOptions<Patient> wanted = options(in, state.time);

  // a run with an origin takes the time of the start for that of a step, if they differ by rounding
  const double begin = state.time, origin = wanted.origin.value_or(begin);
  const double rounding = 1e-15 * std::max({std::abs(origin), std::abs(begin), std::abs(wanted.until)});
  const double start = origin < begin ? begin - rounding : begin;
  double last = start;
  int seen = 0;
  const auto watch = [&](const Patient&, const Patient::State& at) {
    if (++seen > 400) throw Enough{};
    demand(at.is_finite(), "an observer was shown a state that is not finite");
    demand(at.time >= last, "an observer was shown an earlier time than before");
    last = at.time;
  };
  bool done = false;
  try {
    done = accepted([&] {
      const auto report = drive(method, problem, state, wanted, watch);
      demand(report.stopped_by || state.time == wanted.until, "a run did not end at its end");
    });
  } catch (const Enough&) {
    return Outcome::computed;
  }
  demand(!done || sound, "a run from a state that is not finite ended well");
  demand(!sound || state.is_finite(), "a run ended in a state that is not finite");
  demand(!sound || (state.time >= start && state.time <= wanted.until) || state.time == begin,
         "a run ended at a time outside of it");
  return done ? Outcome::computed : Outcome::refused;
}

}  // namespace

Outcome driven(Input& in) { return in.flag("method") ? go(in, DormandPrince54{}) : go(in, RungeKutta4{}); }

}  // namespace fuzz
