// Group kernels in nanoseconds per call, each on 1024 arguments whose angles are even in [0, π) and in no order, so that no
// branch can be learnt. `small` repeats exp and log with angles below half a radian, as between neighbours of a fine mesh;
// `lanes` is the time of one call on a native pack, which serves all its lanes. Beside it, `others_ns` is the best of manif, Sophus
// and smooth for the same call, as measured once on a Xeon of 2.5 GHz: only the ratio of rows carries over to another machine.

#include <array>
#include <cstddef>
#include <random>

#include <benchmark/benchmark.h>

#include <dalembert/lie/se3.hpp>

namespace {

using namespace dalembert;

constexpr std::size_t count = 1024;

template <class G>
typename G::Tangent twist(std::mt19937& engine, double most) {
  using S = typename G::Scalar;
  const auto draw = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(engine()) / 4294967296.0);
  };
  typename G::Tangent xi;
  const auto fill = [&](auto set) {
    Vec<double, 3> axis(draw(-1, 1), draw(-1, 1), draw(-1, 1));
    axis *= draw(0, most) / axis.norm();
    for (int i = 0; i < 3; ++i) set(G::dof - 3 + i, axis[i]);
    for (int i = 0; i < G::dof - 3; ++i) set(i, draw(-1, 1));
  };
  if constexpr (PackReal<S>) {
    for (int lane = 0; lane < S::width; ++lane) fill([&](int i, double x) { xi[i].set(lane, x); });
  } else {
    fill([&](int i, double x) { xi[i] = x; });
  }
  return xi;
}

template <class G>
struct Arguments {
  std::array<typename G::Tangent, count + 1> twists;
  std::array<G, count + 1> elements;

  explicit Arguments(double most) {
    std::mt19937 engine(20160101);
    for (auto& xi : twists) xi = twist<G>(engine, most);
    for (auto& g : elements) g = G::exp(twist<G>(engine, most));
  }
};

/// Times f(arguments, i) for one i after the other.
template <class G, class F>
void run(benchmark::State& state, double most, const F& f) {
  static const Arguments<G> arguments(most);
  std::size_t i = 0;
  for (auto _ : state) {
    auto result = f(arguments, i);
    benchmark::DoNotOptimize(result);
    i = (i + 1) % count;
  }
}

constexpr double any = 3.14159, small = 0.5;

/// Set what others take, in nanoseconds, for SO(3) and for SE(3).
template <class G>
void compare(benchmark::State& state, double so3, double se3) {
  state.counters["others_ns"] = G::dof == 3 ? so3 : se3;
}

template <class G>
void exp(benchmark::State& state) {
  run<G>(state, any, [](const auto& a, std::size_t i) { return G::exp(a.twists[i]); });
  compare<G>(state, 35, 93);
}
template <class G>
void exp_small(benchmark::State& state) {
  run<G>(state, small, [](const auto& a, std::size_t i) { return G::exp(a.twists[i]); });
}
template <class G>
void log(benchmark::State& state) {
  run<G>(state, any, [](const auto& a, std::size_t i) { return a.elements[i].log(); });
  compare<G>(state, 48, 117);
}
template <class G>
void log_small(benchmark::State& state) {
  run<G>(state, small, [](const auto& a, std::size_t i) { return a.elements[i].log(); });
}
template <class G>
void compose(benchmark::State& state) {
  run<G>(state, any, [](const auto& a, std::size_t i) { return a.elements[i] * a.elements[i + 1]; });
  compare<G>(state, 10, 17);
}
template <class G>
void inverse(benchmark::State& state) {
  run<G>(state, any, [](const auto& a, std::size_t i) { return a.elements[i].inverse(); });
  if (G::dof == 6) compare<G>(state, 0, 32);
}
template <class G>
void right_jacobian(benchmark::State& state) {
  run<G>(state, any, [](const auto& a, std::size_t i) { return G::right_jacobian(a.twists[i]); });
  compare<G>(state, 50, 201);
}
template <class G>
void right_jacobian_inverse(benchmark::State& state) {
  run<G>(state, any, [](const auto& a, std::size_t i) { return G::right_jacobian_inverse(a.twists[i]); });
  compare<G>(state, 57, 217);
}
template <class G>
void right_jacobian_inverse_applied(benchmark::State& state) {
  run<G>(state, any, [](const auto& a, std::size_t i) {
    return G::right_jacobian_inverse(a.twists[i], a.twists[i + 1]);
  });
}

using Lanes = NativePack<double>;

}  // namespace

BENCHMARK_TEMPLATE(exp, SO3d);
BENCHMARK_TEMPLATE(exp_small, SO3d);
BENCHMARK_TEMPLATE(log, SO3d);
BENCHMARK_TEMPLATE(log_small, SO3d);
BENCHMARK_TEMPLATE(compose, SO3d);
BENCHMARK_TEMPLATE(inverse, SO3d);
BENCHMARK_TEMPLATE(right_jacobian, SO3d);
BENCHMARK_TEMPLATE(right_jacobian_inverse, SO3d);
BENCHMARK_TEMPLATE(right_jacobian_inverse_applied, SO3d);
BENCHMARK_TEMPLATE(exp, SE3d);
BENCHMARK_TEMPLATE(exp_small, SE3d);
BENCHMARK_TEMPLATE(log, SE3d);
BENCHMARK_TEMPLATE(log_small, SE3d);
BENCHMARK_TEMPLATE(compose, SE3d);
BENCHMARK_TEMPLATE(inverse, SE3d);
BENCHMARK_TEMPLATE(right_jacobian, SE3d);
BENCHMARK_TEMPLATE(right_jacobian_inverse, SE3d);
BENCHMARK_TEMPLATE(right_jacobian_inverse_applied, SE3d);
BENCHMARK_TEMPLATE(exp_small, SE3<Lanes>)->Name("exp_small<SE3> lanes");
BENCHMARK_TEMPLATE(log_small, SE3<Lanes>)->Name("log_small<SE3> lanes");
BENCHMARK_TEMPLATE(log, SE3<Lanes>)->Name("log<SE3> lanes");
BENCHMARK_TEMPLATE(compose, SE3<Lanes>)->Name("compose<SE3> lanes");
