// Checkpoints: valid ones, mutated, cut short, with and without a hash that fits, and bytes that never were one.

#include <dalembert/io/checkpoint.hpp>

#include <sstream>

#include <dalembert/assembly/state.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/mechanics/state.hpp>

#include "fuzz/rods.hpp"
#include "support/folder.hpp"

namespace fuzz {

using namespace dalembert;
using io::visit_numbers;

namespace {

using Planar = State<SE2<double>, 1>;
using Spatial = State<Product<SO3<double>, Rn<double, 2>>>;
using Rods = assembly::State<double>;

/// Notes whether all numbers that it visits are finite.
struct FiniteNumbers {
  bool all = true;

  void same(const std::string&, std::int64_t) {}
  template <class Whole>
  void whole(const std::string&, Whole&, std::int64_t, std::int64_t) {}
  template <class Part>
  void operator()(const std::string&, Part&& part) {
    visit_numbers(part, io::NumberVisitor([&](double& x) { all = all && std::isfinite(x); }));
  }
};

template <class State>
[[nodiscard]] bool is_sound(State state) {
  FiniteNumbers numbers;
  visit_numbers(state, numbers);
  return numbers.all;
}

template <class State>
[[nodiscard]] std::string written(State state) {
  io::CheckpointText<double> text;
  visit_numbers(state, text);
  return text.finished();
}

/// Whether the text is accepted; `state` is then what it says.
template <class State>
[[nodiscard]] bool read(const std::string& text, State& state, bool by_file) {
  try {
    if (by_file) {
      static const test::Folder folder;
      test::put_text(folder / "checkpoint", text);
      io::load_checkpoint(folder / "checkpoint", state);
    } else {
      io::CheckpointReader<double> reader("text", text);
      State restored = state;
      visit_numbers(restored, reader);
      reader.finish();
      state = restored;
    }
    return true;
  } catch (const io::CheckpointError&) {
    return false;
  }
}

/// The text with the hash that fits it.
[[nodiscard]] std::string sealed(std::string text) {
  const std::size_t last = text.rfind("\nend ");
  if (last == std::string::npos) return text;
  text.resize(last + 1);
  return text + "end " + io::detail::hash_text(text) + '\n';
}

/// Where the word begins that holds the letter at this place, and how long it is.
[[nodiscard]] std::pair<std::size_t, std::size_t> word_at(const std::string& text, std::size_t place) {
  const std::size_t before = text.find_last_of(" \n", place), after = text.find_first_of(" \n", place);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  const std::size_t last = after == std::string::npos ? text.size() : after;
  return {first, last < first ? 0 : last - first};
}

[[nodiscard]] std::string mutated(Input& in, std::string text) {
  static constexpr std::array<const char*, 18> words{"",
                                                     "0",
                                                     "-1",
                                                     "2147483648",
                                                     "9223372036854775807",
                                                     "99999999999999999999",
                                                     "nan",
                                                     "inf",
                                                     "0x1p0",
                                                     "0x1p99999",
                                                     "-0x1.fffffffffffffp+1023",
                                                     "0x1p-1074",
                                                     "0x.p+0",
                                                     "0x1p",
                                                     "=",
                                                     "rods",
                                                     "0x123456789abcdef0123456789abcdefp+0",
                                                     "end"};
  for (int i = in.whole("mutations", 0, 4); i > 0 && !text.empty(); --i) {
    const auto size = static_cast<int>(text.size());
    const auto place = static_cast<std::size_t>(in.whole("at", 0, size - 1));
    switch (in.whole("mutation", 0, 6)) {
      case 0:
        text[place] = static_cast<char>(in.byte());
        break;
      case 1:
        text.erase(place, static_cast<std::size_t>(in.whole("erased", 1, 40)));
        break;
      case 2:
        text.insert(place, text.substr(static_cast<std::size_t>(in.whole("from", 0, size - 1)), 40));
        break;
      case 3:
        text.resize(place);
        break;
      case 4: {
        const auto [first, length] = word_at(text, place);
        text.replace(first, length, words[static_cast<std::size_t>(in.whole("word", 0, words.size() - 1))]);
        break;
      }
      case 5: {
        std::ostringstream number;
        number << std::hexfloat << in.any("number");
        const auto [first, length] = word_at(text, place);
        text.replace(first, length, number.str());
        break;
      }
      default:
        text[place] = "0123456789abcdefpx+-. \n="[in.whole("letter", 0, 23)];
    }
  }
  return text;
}

/// Read a mutated checkpoint of `original` into a state of its shape, or into one of another.
template <class State>
Outcome restore(Input& in, const State& original, State into) {
  std::string text;
  if (in.whole("bytes alone", 0, 7) == 0) {
    const auto length = in.whole("length", 0, 60);
    if (in.flag("with a beginning")) text = "dalembert checkpoint 1\n";
    for (int i = 0; i < length; ++i) text += static_cast<char>(in.byte());
  } else {
    if (!accepted([&] {
          text = written(original);
          demand(is_sound(original), "a state with numbers that are not finite was written");
        }))
      return Outcome::refused;
    text = mutated(in, text);
  }
  if (in.flag("sealed")) text = sealed(text);
  in.note("text", "\n" + text);
  if (!read(text, into, in.whole("by file", 0, 63) == 0)) return Outcome::refused;
  demand(is_sound(into), "a state was restored that is not finite");
  const std::string once = written(into);
  demand(read(once, into, false), "what was restored and written again is refused");
  demand(written(into) == once, "a state was not restored bit for bit");
  return Outcome::computed;
}

template <class State>
[[nodiscard]] State small(Input& in) {
  State state;
  state.time = in.between("time", 0, 1);
  typename State::Group::Tangent place;
  for (double& x : place) x = in.between("log g", -2, 2);
  state.g = State::Group::exp(place);
  for (double& x : state.xi) x = in.between("xi", -2, 2);
  for (double& x : state.z) x = in.between("z", -2, 2);
  return state;
}

[[nodiscard]] Rods pair(Input& in, int nodes) {
  Rods x;
  x.time = in.between("time", 0, 1);
  x.chains.assign(2, rod::Chain<double>(nodes));
  disturb(in, x[0]);
  x.z.resize(in.whole("internal coordinates", 0, 2));
  for (double& z : x.z) z = in.between("z", -2, 2);
  return x;
}

}  // namespace

Outcome checkpoints(Input& in) {
  switch (in.whole("state", 0, 2)) {
    case 0:
      return restore(in, small<Planar>(in), Planar{});
    case 1:
      return restore(in, small<Spatial>(in), Spatial{});
    default: {
      const int nodes = in.whole("nodes", 2, 5);
      const Rods original = pair(in, nodes);
      Rods into = original;
      if (in.whole("another shape", 0, 7) == 0) into = pair(in, in.whole("other nodes", 2, 5));
      return restore(in, original, into);
    }
  }
}

}  // namespace fuzz
