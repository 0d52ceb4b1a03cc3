#pragma once

#include <concepts>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <dalembert/io/detail/checkpoint_text.hpp>
#include <dalembert/lie/concepts.hpp>

/// Checkpoints: a state in a file, bit for bit, from which a run of equal steps goes on as if it had never stopped.
///   io::CheckpointWriter keep{"run.checkpoint", 1000};                                    // every 1000th observation
///   drive(RungeKutta4{}, problem, state, {.step = h, .until = T}, keep);
/// and later, with the same problem and `start` a state of it,
///   auto state = start;
///   io::load_checkpoint("run.checkpoint", state);
///   drive(RungeKutta4{}, problem, state, {.step = h, .until = T, .origin = start.time});  // on the same times
/// A state with members time, g, xi, z is known. Another kind, such as those of rods and of assemblies, says what its numbers are by a
/// function beside it, in its namespace; it is called to save and to restore:
///   `template <class Visitor> void visit_numbers(Kind& state, Visitor&& visit)`
///     visit("time", state.time);        a part: a number, a vector or matrix, a group element; names have no spaces
///     visit.whole("turns", n, 0, 9);    a whole number or truth value of the state, between two bounds
///     visit.same("nodes", state.size)   a whole number that tells the shape: the state to restore must have it too
/// A group of one's own says it likewise, by calling visit(x) with a reference to each of its numbers.
/// With an `output_interval` it goes on from an output, and takes that interval too; after `.cfl` the step is the first run's `DriveReport::step`.
/// A state is a point of phase space, and a checkpoint holds nothing else. What a method keeps beside it begins anew, so that a run goes on as
/// accurately, not bit for bit: the step of a run with a tolerance, which begins with `DriveOptions::step`; the accelerations of `GeneralizedAlpha`;
/// where Newton's method begins in `ImplicitMidpoint` and `DiscreteGradient` (`KeepsMemory`); the rounding carried by a compensated `Gauss`.
namespace dalembert::io {

/// One number.
template <PlainReal S, class Visitor>
void visit_numbers(S& number, Visitor&& visit) {
  visit(number);
}

/// The numbers of a vector, matrix or array, row by row.
template <class Derived, class Visitor>
void visit_numbers(Eigen::DenseBase<Derived>& numbers, Visitor&& visit) {
  for (Eigen::Index i = 0; i < numbers.rows(); ++i) {
    for (Eigen::Index j = 0; j < numbers.cols(); ++j) visit(numbers.derived().coeffRef(i, j));
  }
}

/// The numbers that a group element is kept as: any group of lie/.
template <LieGroup G, class Visitor>
void visit_numbers(G& g, Visitor&& visit) {
  using S = typename G::Scalar;
  if constexpr (requires { g.coordinates(); }) {
    typename G::Tangent x = g.coordinates();
    visit_numbers(x, visit);
    g = G(x);
  } else if constexpr (requires { G::from_unit_complex(g.cosine(), g.sine()); }) {
    S cosine = g.cosine(), sine = g.sine();
    visit(cosine);
    visit(sine);
    g = G::from_unit_complex(cosine, sine);
  } else if constexpr (requires { G::from_unit_quaternion(g.w(), g.v()); }) {
    S w = g.w();
    Vec<S, 3> v = g.v();
    visit(w);
    visit_numbers(v, visit);
    g = G::from_unit_quaternion(w, v);
  } else if constexpr (requires { G(g.rotation(), g.translation()); }) {
    auto rotation = g.rotation();
    typename G::Point translation = g.translation();
    visit_numbers(rotation, visit);
    visit_numbers(translation, visit);
    g = G(rotation, translation);
  } else if constexpr (requires { G(g.first(), g.second()); }) {
    auto first = g.first();
    auto second = g.second();
    visit_numbers(first, visit);
    visit_numbers(second, visit);
    g = G(first, second);
  } else {
    static_assert(
        requires { g[0]; }, "what numbers is this group kept as? Give it visit_numbers(g, visit)");
    for (int i = 0; i * std::remove_cvref_t<decltype(g[0])>::dof < G::dof; ++i) visit_numbers(g[i], visit);
  }
}

/// A state on a group: time [s], configuration g, velocity ξ and coordinates z without inertia.
template <class X>
concept GroupState = requires(X& x) {
  { x.time } -> std::same_as<typename X::Scalar&>;
  requires LieGroup<std::remove_cvref_t<decltype(x.g)>>;
  { x.xi } -> std::same_as<typename std::remove_cvref_t<decltype(x.g)>::Tangent&>;
  { x.z.rows() } -> std::convertible_to<Eigen::Index>;
};

/// The numbers of a state on a group.
template <GroupState X, class Visitor>
void visit_numbers(X& state, Visitor&& visit) {
  visit("time", state.time);
  visit("g", state.g);
  visit("xi", state.xi);
  visit("z", state.z);
}

/// A state that can be saved and restored: `visit_numbers` knows it. Its number type is that of its time.
template <class State>
concept CheckpointState = std::copyable<State> && requires(State& state) {
  requires PlainReal<std::remove_cvref_t<decltype(state.time)>>;
  visit_numbers(state, std::declval<CheckpointText<std::remove_cvref_t<decltype(state.time)>>&>());
};

namespace detail {

template <class State>
using CheckpointScalar = std::remove_cvref_t<decltype(std::declval<State&>().time)>;

template <class State>
constexpr void check_state() {
  static_assert(CheckpointState<State>,
                "checkpoints do not know this kind of state: it needs a member time and visit_numbers(state, "
                "visit), see "
                "io/checkpoint.hpp");
}

}  // namespace detail

/// Save `state` in the file at `path`. The file is written beside it, as `path`.part, and then renamed: whenever the
/// program dies, there is a whole checkpoint, the old or the new one. Throws std::invalid_argument if a number is not finite and
/// `CheckpointError` if the file cannot be written; an older checkpoint is then still there.
template <class State>
void save_checkpoint(const std::filesystem::path& path, const State& state) {
  detail::check_state<State>();
  if constexpr (CheckpointState<State>) {
    CheckpointText<detail::CheckpointScalar<State>> text;
    State copy = state;  // a visit may write, though this one does not
    visit_numbers(copy, text);

    std::filesystem::path part = path;
    part += ".part";
    std::ofstream file(part, std::ios::binary);
    file << text.finished();
    file.close();
    std::error_code failure;
    if (file) std::filesystem::rename(part, path, failure);
    if (!file || failure) {
      std::error_code ignored;
      std::filesystem::remove(part, ignored);
      throw CheckpointError(
          CheckpointFault::unwritable, path,
          "cannot write this checkpoint" + (failure ? ": " + failure.message() : std::string()));
    }
  }
}

/// Restore the state in the file at `path`, bit for bit, into `state`, which is of the same problem (as that from which the run began): it
/// gives the shape. Throws `CheckpointError`, and `state` is then as before.
template <class State>
void load_checkpoint(const std::filesystem::path& path, State& state) {
  detail::check_state<State>();
  if constexpr (CheckpointState<State>) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    if (file) content << file.rdbuf();
    if (!file) throw CheckpointError(CheckpointFault::unreadable, path, "cannot read this checkpoint");
    const std::string text = content.str();
    CheckpointReader<detail::CheckpointScalar<State>> reader(path, text);
    State restored = state;
    visit_numbers(restored, reader);
    reader.finish();
    state = std::move(restored);
  }
}

/// An observer for `drive` that saves every `every`-th state that it sees, the first one included, in one file.
class CheckpointWriter {
 public:
  /// Saves at `path`. Throws std::invalid_argument unless `every` is positive.
  explicit CheckpointWriter(std::filesystem::path path, long every = 1)
      : path_(std::move(path)), every_(every) {
    require(every > 0, "CheckpointWriter", "every", every, "it must be positive");
  }

  /// Observe `state`; throws as `save_checkpoint` does.
  template <class P, class State>
  void operator()(const P&, const State& state) {
    if (count_++ % every_ == 0) save_checkpoint(path_, state);
  }

  /// Where the checkpoint is.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  long every_;
  long count_ = 0;
};

}  // namespace dalembert::io
