// A ball that rolls without slipping on a turntable runs on circles, at 2/7 of the table's rate if it is solid.
//
//   ./ball_on_turntable --rate 3.4906585 --x 0.1 --vy 0.07 --t-end 12.6       (the defaults: 33⅓ turns a minute)
//
//   ȧ = C + σ v(a),  v = Ω e₃ × a,  σ = I/(I + MR²)            Ω ↺
//   so ȧ turns at the rate k = σΩ, whatever the start        ╭───────╮
//   a: contact point                                         │  ·  ● │ ball
//   2/7 for a solid ball, 2/5 for a hollow one               ╰───────╯
//
// The run of the whole ball, by d'Alembert's principle with an affine constraint, is compared with the circle in closed form, and
// drawn in space and as one sees it who turns with the table. The table does work on the ball, the ledger counts it.

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <dalembert/analysis/ledger.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/csv.hpp>
#include <dalembert/io/vtk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/ball_on_moving_plane.hpp>

#include "support/gnuplot.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"

namespace {

using namespace dalembert;
using Vec2 = Vec<double, 2>;
using Ball = systems::BallOnMovingPlane<double>;
using Model = LagrangeDAlembert<Ball>;

struct Arguments {
  double inertia = 1.6e-5, m = 0.1, radius = 0.02, rate = 3.4906585;
  double x = 0.1, y = 0, vx = 0, vy = 0.07, spin = 0;
  double t_end = 12.6, dt = 2e-3;
  long frames = 120;
  std::string integrator = "rk4";

  Ball ball() const {
    return Ball{{.mass = m, .radius = radius, .inertia = inertia}, systems::Turntable<double>{.rate = rate}};
  }
};

/// The circle through points that is best in the sense of least squares (Kåsa 1976), from running sums.
class CircleFit {
 public:
  void add(const Vec2& point) {
    if (count_ == 0) origin_ = point;
    const Vec2 p = point - origin_;
    const double square = p.squaredNorm();
    ++count_;
    mean_ += p;
    xx_ += p[0] * p[0];
    xy_ += p[0] * p[1];
    yy_ += p[1] * p[1];
    moment_ += square * p;
    squares_ += square;
  }
  /// Solve for the centre; false if the points are on a line.
  bool solve() {
    const double n = static_cast<double>(count_);
    const Vec2 m = mean_ / n;
    const double a = xx_ / n - m[0] * m[0], b = xy_ / n - m[0] * m[1], c = yy_ / n - m[1] * m[1];
    const Vec2 right = 0.5 * (moment_ / n - squares_ / n * m);
    const double determinant = a * c - b * b;
    if (!(determinant > 1e-14 * (a + c) * (a + c))) return false;
    const Vec2 found((c * right[0] - b * right[1]) / determinant,
                     (a * right[1] - b * right[0]) / determinant);
    radius = std::sqrt(squares_ / n - 2 * found.dot(m) + found.squaredNorm());
    centre = origin_ + found;
    return true;
  }

  Vec2 centre = Vec2::Zero();  ///< [m]
  double radius = 0;           ///< [m]

 private:
  Vec2 origin_ = Vec2::Zero(), mean_ = Vec2::Zero(), moment_ = Vec2::Zero();
  double xx_ = 0, xy_ = 0, yy_ = 0, squares_ = 0;
  long count_ = 0;
};

/// The ball as three circles on its surface, its path so far, and the table as its rim and a spoke that turns.
io::PolyData shape(const Model::State& state, const Arguments& arguments, double rim,
                   const std::vector<Vec<double, 3>>& path) {
  constexpr int corners = 48;
  io::PolyData drawing;
  const Vec2& a = state.g.second().coordinates();
  const Vec<double, 3> centre(a[0], a[1], arguments.radius);
  const auto line = [&](int count, const auto& point) {
    const std::int64_t first = drawing.point_count();
    for (int i = 0; i < count; ++i) drawing.add_point(point(i));
    drawing.add_line(first, count);
  };
  const auto angle = [](int i) { return 2 * static_cast<double>(pi) * i / corners; };
  for (int axis = 0; axis < 3; ++axis) {
    line(corners + 1, [&](int i) -> Vec<double, 3> {
      Vec<double, 3> point = Vec<double, 3>::Zero();
      point[(axis + 1) % 3] = arguments.radius * std::cos(angle(i));
      point[(axis + 2) % 3] = arguments.radius * std::sin(angle(i));
      return state.g.first().act(point, centre);
    });
  }
  line(corners + 1, [&](int i) -> Vec<double, 3> {
    return {rim * std::cos(angle(i)), rim * std::sin(angle(i)), 0};
  });
  const double turned = arguments.rate * state.time;
  line(2, [&](int i) -> Vec<double, 3> {
    return {i * rim * std::cos(turned), i * rim * std::sin(turned), 0};
  });
  if (path.size() > 1)
    line(static_cast<int>(path.size()), [&](int i) { return path[static_cast<std::size_t>(i)]; });
  return drawing;
}

/// Watches a run: the turn of ȧ, the error against the closed form, the circle, a table of at most `rows` rows, and shapes.
class Recorder {
 public:
  Recorder(const Arguments& arguments, const std::filesystem::path& folder, double rim, long rows)
      : arguments_(arguments),
        csv_(folder / "trajectory.csv", {{"t", "s"},
                                         {"x", "m"},
                                         {"y", "m"},
                                         {"vx", "m/s"},
                                         {"vy", "m/s"},
                                         {"x_table", "m"},
                                         {"y_table", "m"},
                                         {"x_exact", "m"},
                                         {"y_exact", "m"},
                                         {"turn", "rad"},
                                         {"w1", "rad/s"},
                                         {"w2", "rad/s"},
                                         {"w3", "rad/s"},
                                         {"force_x", "N"},
                                         {"force_y", "N"},
                                         {"energy", "J"},
                                         {"power", "W"}}),
        series_(folder / "vtk", "ball"),
        start_{.position = {arguments.x, arguments.y}, .velocity = {arguments.vx, arguments.vy}},
        rim_(rim),
        every_(std::max(
            1L, std::lround(std::ceil(arguments.t_end / arguments.dt / static_cast<double>(rows))))) {}

  void operator()(const Model& model, const Model::State& state) {
    const Vec2 a = state.g.second().coordinates(), v = state.xi.tail<2>();
    const auto exact = model.system().exact(start_, state.time);
    error_ = std::max(error_, (a - exact.position).norm());
    fit.add(a);
    if (count_ > 0) turn_ += std::atan2(last_[0] * v[1] - last_[1] * v[0], last_.dot(v));
    last_ = v;
    time_ = state.time;
    const bool last = state.time >= arguments_.t_end;
    if (state.time >=
            static_cast<double>(frame_) * arguments_.t_end / static_cast<double>(arguments_.frames) ||
        last) {
      path_.emplace_back(a[0], a[1], 0.0);
      series_.add(state.time, shape(state, arguments_, rim_, path_));
      ++frame_;
    }
    if (count_++ % every_ != 0 && !last) return;
    model.rates(state, rates_);
    const double c = std::cos(arguments_.rate * state.time), s = std::sin(arguments_.rate * state.time);
    csv_.row({state.time, a[0], a[1], v[0], v[1], c * a[0] + s * a[1], c * a[1] - s * a[0], exact.position[0],
              exact.position[1], turn_, state.xi[0], state.xi[1], state.xi[2], rates_.lambda[0],
              rates_.lambda[1], model.energy(state), model.power(state, rates_).constraint});
  }

  /// The rate at which ȧ turned [rad/s].
  double frequency() const { return turn_ / time_; }
  /// Largest distance from the closed form [m].
  double error() const { return error_; }
  void flush() { csv_.flush(); }

  CircleFit fit{};  ///< the circle on which the contact point ran

 private:
  const Arguments& arguments_;
  io::CsvWriter csv_;
  io::PvdSeries series_;
  Ball::Motion start_;
  Model::Rates rates_{};
  std::vector<Vec<double, 3>> path_{};
  Vec2 last_ = Vec2::Zero();
  double rim_, turn_ = 0, time_ = 0, error_ = 0;
  long count_ = 0, frame_ = 0, every_;
};

template <class Method>
void simulate(const Method& method, const Arguments& arguments, example::Run& run) {
  const Ball ball = arguments.ball();
  const Model model{ball};
  const Vec2 start(arguments.x, arguments.y), velocity(arguments.vx, arguments.vy);
  const double k = ball.circle_rate(), radius = velocity.norm() / std::abs(k);
  const Vec2 centre = start + Vec2(-velocity[1], velocity[0]) / k;
  const double rim =
      1.15 * (k != 0 ? centre.norm() + radius : start.norm() + velocity.norm() * arguments.t_end);
  auto state = model.state({SO3d(), Rn<double, 2>(start)}, ball.rolling(start, velocity, arguments.spin));
  Recorder recorder(arguments, run.out, rim, 4000);
  analysis::Ledger ledger{model, analysis::Keep::maxima};
  const auto report =
      drive(method, model, state,
            {.step = arguments.dt, .until = arguments.t_end, .progress = example::progress_line()}, recorder,
            ledger);
  recorder.flush();

  example::Summary& out = run.summary;
  if (velocity.norm() > 0) {
    out.figure("circle_frequency_measured", recorder.frequency(), "rad/s",
               "rate at which the ball's velocity turned");
    out.figure("circle_frequency_exact", k, "rad/s", "I/(I + M R^2) of the table's rate");
  }
  if (velocity.norm() > 0 && k != 0 && recorder.fit.solve()) {
    out.figure("circle_radius_measured", recorder.fit.radius, "m",
               "of the circle through the path, by least squares");
    out.figure("circle_radius_exact", radius, "m", "speed over frequency");
    out.figure("circle_centre_x_measured", recorder.fit.centre[0], "m", "of that circle");
    out.figure("circle_centre_x_exact", centre[0], "m", "");
    out.figure("circle_centre_y_measured", recorder.fit.centre[1], "m", "of that circle");
    out.figure("circle_centre_y_exact", centre[1], "m", "");
  }
  out.figure("closed_form_error_max", recorder.error(), "m",
             "largest distance from the motion in closed form");
  out.figure("energy_change_max", ledger.energy_error(), "J", "what the table gave and took at most");
  out.figure("energy_balance_error", ledger.balance_error(), "J",
             "energy minus the work of the table, by trapezoids");
  out.figure("constraint_max", ledger.violation().velocity, "m/s", "largest slip of the contact");
  out.violation(report);
}

void draw(const Arguments& arguments, const example::Run& run);

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  example::Program program{
      "ball_on_turntable",
      "A ball that rolls on a turntable without slipping, compared with its circle in closed form."};
  using example::Rule;
  program.option("I", arguments.inertia, "kg m^2", "moment of inertia about the centre; 2/5 M R^2 if solid",
                 Rule::positive);
  program.option("M", arguments.m, "kg", "mass", Rule::positive);
  program.option("R", arguments.radius, "m", "radius", Rule::positive);
  program.option("rate", arguments.rate, "rad/s", "turning rate of the table, about the origin");
  program.option("x", arguments.x, "m", "contact point at the start");
  program.option("y", arguments.y, "m", "contact point at the start");
  program.option("vx", arguments.vx, "m/s", "velocity of the ball's centre in space at the start");
  program.option("vy", arguments.vy, "m/s", "velocity of the ball's centre in space at the start");
  program.option("spin", arguments.spin, "rad/s", "angular velocity about the vertical; it stays what it is");
  program.option("t-end", arguments.t_end, "s", "duration of the run", Rule::positive);
  program.option("dt", arguments.dt, "s", "time step", Rule::positive);
  program.option("frames", arguments.frames, "shapes for ParaView over the run", 1);
  program.choice("integrator", arguments.integrator, {"rk4", "dopri5"},
                 "Runge-Kutta of order 4, or Dormand and Prince's of order 5");
  program.rule("dt", "must not vanish beside --t-end",
               [&] { return arguments.t_end + arguments.dt > arguments.t_end; });
  return program.run(argc, argv, [&](example::Run& run) {
    if (arguments.integrator == "rk4")
      simulate(RungeKutta4{}, arguments, run);
    else
      simulate(DormandPrince54{}, arguments, run);
    run.summary.print();
    draw(arguments, run);
  });
}

namespace {

void draw(const Arguments& arguments, const example::Run& run) {
  const Vec2 velocity(arguments.vx, arguments.vy);
  const double k = arguments.ball().circle_rate();
  if (velocity.norm() == 0 || k == 0) return;
  const Vec2 centre = Vec2(arguments.x, arguments.y) + Vec2(-velocity[1], velocity[0]) / k;
  std::ostringstream given;
  given.precision(17);
  given << "k = " << k << "; W = " << arguments.rate << "; T = " << arguments.t_end << "; xc = " << centre[0]
        << "; yc = " << centre[1] << "; r = " << velocity.norm() / std::abs(k) << "; x0 = " << arguments.x
        << "; y0 = " << arguments.y << "; R = " << arguments.radius << "\n";
  example::Picture(run.out, "path", 2000, 1050).draw(given.str() + R"gp(
far = sqrt(xc**2 + yc**2) + r
half = 1.2*far
set multiplot
set border 3
set tics nomirror
unset grid
set size ratio -1
set xrange [-half:half]
set yrange [-half:half]
set xlabel "x  [m]"
set ylabel "y  [m]" offset 1
decade = 10**floor(log10(half)); step = half >= 5*decade ? 2*decade : half >= 2*decade ? decade : decade/2
set xtics step; set ytics step
set parametric
set trange [0:2*pi]
set samples 400
set bmargin at screen 0.19; set tmargin at screen 0.9
set lmargin at screen 0.06; set rmargin at screen 0.5
set title "In space: a circle" font ',30'
set style arrow 1 head filled size graph 0.022,22 fixed lw 4 lc rgb gray
a0 = 0.62*pi
da = W > 0 ? 0.05 : -0.05
set arrow 1 from 1.1*far*cos(a0),1.1*far*sin(a0) to 1.1*far*cos(a0 + da),1.1*far*sin(a0 + da) as 1
set label 1 "table" at 1.16*far*cos(a0 - 0.09),1.16*far*sin(a0 - 0.09) center textcolor rgb gray
set key at screen 0.5,0.035 center bottom horizontal maxrows 1 Left reverse samplen 1.5 width 1
plot 1.1*far*cos(t),1.1*far*sin(t) with lines lw 3 lc rgb light notitle, \
     0,0 with points pt 1 ps 2 lw 2 lc rgb gray notitle, \
     xc + r*cos(t),yc + r*sin(t) with lines lw 9 lc rgb yellow title "closed form", \
     'trajectory.csv' using 'x':'y' with lines lw 3 lc rgb blue title "computed", \
     x0,y0 with points pt 7 ps 2.4 lc rgb orange title "start"
unset arrow 1
unset label 1
set lmargin at screen 0.55; set rmargin at screen 0.99
set title "Seen from the table"
set ylabel ""
set xlabel "x of the table  [m]"
plot 1.1*far*cos(t),1.1*far*sin(t) with lines lw 3 lc rgb light notitle, \
     0,0 with points pt 1 ps 2 lw 2 lc rgb gray notitle, \
     'trajectory.csv' using 'x_table':'y_table' with lines lw 3 lc rgb red notitle, \
     x0,y0 with points pt 7 ps 2.4 lc rgb orange notitle
unset multiplot
)gp");
  example::Picture(run.out, "turn", 1600, 1000).draw(given.str() + R"gp(
set title sprintf("The ball's velocity turns at %.4f of the table's rate", k/W) font ',30' offset 0,0.4
set xlabel "time  t  [s]"
set ylabel "turned since the start  [turns]"
set border 3
set tics nomirror
set key top left Left reverse
set xrange [0:T]
full = 2*pi
plot 'trajectory.csv' using 't':(W*column('t')/full) with lines lw 4 lc rgb gray title "the table,  Ωt", \
     'trajectory.csv' using 't':(k*column('t')/full) with lines lw 10 lc rgb yellow title "closed form,  I/(I + MR²) Ωt", \
     'trajectory.csv' using 't':(column('turn')/full) with lines lw 3.5 lc rgb blue title "computed,  direction of the ball's velocity"
)gp");
}

}  // namespace
