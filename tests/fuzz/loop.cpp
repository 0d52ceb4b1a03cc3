// Feeds random inputs to the targets: --inputs N over all of them, --seed S, --target NAME for one alone, and --index I for
// one input alone, which is then told in full. An input fails if its target throws what it must not, or takes more than
// --limit SECONDS of processor time; one that takes ten times as much ends the program.

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <map>
#include <string_view>
#include <thread>
#include <typeinfo>

#include "fuzz/target.hpp"

namespace {

using fuzz::Input;
using fuzz::Outcome;
using fuzz::Target;

/// The generator SplitMix64: its bytes are the same with every compiler.
class Random {
 public:
  explicit Random(std::uint64_t state) : state_(state) {}
  [[nodiscard]] std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30u)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27u)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31u);
  }

 private:
  std::uint64_t state_;
};

struct Arguments {
  long inputs = 100000;
  std::uint64_t seed = 20160101;
  std::string target{};
  long index = -1;
  double limit = 1;  ///< for an input [s]
};

/// What is being run, for those who have to tell of its end.
struct Running {
  std::atomic<const char*> target{nullptr};
  std::atomic<long> index{0};
  std::atomic<std::uint64_t> seed{0};
  std::atomic<std::clock_t> since{0};
};
Running running;

using Bytes = std::array<std::uint8_t, 1024>;

[[nodiscard]] Bytes bytes_of(const Target& target, std::uint64_t seed, long index) {
  std::uint64_t state = seed;
  for (const char* c = target.name; *c != 0; ++c)
    state = (state ^ static_cast<std::uint8_t>(*c)) * 0x100000001b3u;
  Random random(Random(state + static_cast<std::uint64_t>(index)).next());
  Bytes bytes;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    const std::uint64_t word = random.next();
    std::memcpy(bytes.data() + i, &word, sizeof word);
  }
  return bytes;
}

[[nodiscard]] double seconds(std::clock_t from, std::clock_t to) {
  return static_cast<double>(to - from) / CLOCKS_PER_SEC;
}

/// Tell which input was running, with nothing but what a signal handler may do.
void tell_place() {
  const char* const name = running.target;
  if (name == nullptr) return;
  std::array<char, 32> digits{};
  const auto number = [&](std::uint64_t value) {
    std::size_t first = digits.size() - 1;
    do digits[--first] = static_cast<char>('0' + value % 10);
    while ((value /= 10) > 0);
    std::fputs(digits.data() + first, stderr);
  };
  std::fputs(": --target ", stderr);
  std::fputs(name, stderr);
  std::fputs(" --seed ", stderr);
  number(running.seed);
  std::fputs(" --index ", stderr);
  number(static_cast<std::uint64_t>(running.index.load()));
  std::fputs("\n", stderr);
}

void on_crash(int signal) {
  std::fputs("\nfuzz: crashed", stderr);
  tell_place();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Ends the program when one input takes too long.
class Watchdog {
 public:
  explicit Watchdog(double limit)
      : thread_([this, limit] {
          while (!done_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            const std::clock_t since = running.since;
            if (since == 0 || seconds(since, std::clock()) < limit) continue;
            std::fputs("\nfuzz: does not end", stderr);
            tell_place();
            std::signal(SIGABRT, SIG_DFL);  // there is nothing to add
            std::abort();
          }
        }) {}
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog() {
    done_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> done_{false};
  std::thread thread_;
};

/// What is wrong with this input; nothing if nothing is.
[[nodiscard]] std::string fault(const Target& target, Input& in, double limit, Outcome& outcome) {
  const std::clock_t begin = std::max(std::clock(), std::clock_t{1});
  running.since = begin;
  std::string wrong;
  try {
    outcome = target.run(in);
  } catch (const fuzz::Failure& failure) {
    wrong = failure.what();
  } catch (const std::exception& other) {
    wrong = std::string("threw ") + typeid(other).name() + ": " + other.what();
  } catch (...) {
    wrong = "threw what is no std::exception";
  }
  running.since = 0;
  const double spent = seconds(begin, std::clock());
  if (wrong.empty() && spent > limit) wrong = "took " + std::to_string(spent) + " s";
  return wrong;
}

/// How often each kind of fault was met.
using Kinds = std::map<std::string, long>;

/// What is said of a fault, but for its numbers.
[[nodiscard]] std::string kind_of(const std::string& wrong) {
  return wrong.substr(0, wrong.find_first_of("=:0123456789"));
}

/// Run one input, and tell of it in full if it is the first with its kind of fault, or if asked to run it alone.
void run(const Target& target, long index, const Arguments& arguments, Outcome& outcome, Kinds& kinds) {
  running.target = target.name;
  running.index = index;
  const Bytes bytes = bytes_of(target, arguments.seed, index);
  const bool alone = arguments.index >= 0;
  Input in(bytes.data(), bytes.size(), alone ? &std::cout : nullptr);
  const std::string wrong = fault(target, in, arguments.limit, outcome);
  if (alone || (!wrong.empty() && kinds.count(kind_of(wrong)) == 0)) {
    std::cout << (wrong.empty() ? std::string("nothing is wrong") : "FAILED: " + wrong)
              << "\n  fuzz --target " << target.name << " --seed " << arguments.seed << " --index " << index
              << std::endl;
    if (!alone) {
      Input again(bytes.data(), bytes.size(), &std::cout);
      Outcome ignored{};
      (void)fault(target, again, arguments.limit, ignored);
    }
  }
  if (!wrong.empty()) ++kinds[kind_of(wrong)];
  running.target = nullptr;
}

[[noreturn]] void misuse(const std::string& why) {
  std::cerr
      << "fuzz: " << why
      << "\nusage: fuzz [--inputs N] [--seed S] [--target NAME [--index I]] [--limit SECONDS]\ntargets:";
  for (const Target& target : fuzz::targets()) std::cerr << ' ' << target.name;
  std::cerr << '\n';
  std::exit(2);
}

[[nodiscard]] Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    char* end = nullptr;
    if (name == "--inputs") {
      arguments.inputs = std::strtol(argv[i + 1], &end, 10);
    } else if (name == "--seed") {
      arguments.seed = std::strtoull(argv[i + 1], &end, 10);
    } else if (name == "--target") {
      arguments.target = argv[i + 1];
    } else if (name == "--index") {
      arguments.index = std::strtol(argv[i + 1], &end, 10);
    } else if (name == "--limit") {
      arguments.limit = std::strtod(argv[i + 1], &end);
    } else {
      misuse("no option " + std::string(name));
    }
    if (end != nullptr && *end != 0) misuse(std::string(argv[i + 1]) + " is no number");
  }
  if (argc % 2 == 0) misuse(std::string(argv[argc - 1]) + " lacks its value");
  if (arguments.index >= 0 && arguments.target.empty()) misuse("an index is one of a target");
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  running.seed = arguments.seed;
  for (const int signal : {SIGSEGV, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, on_crash);
  const Watchdog watchdog(10 * arguments.limit);

  int shares = 0;
  bool known = false;
  for (const Target& target : fuzz::targets()) {
    const bool wanted = arguments.target.empty() || arguments.target == target.name;
    known = known || wanted;
    if (wanted) shares += target.share;
  }
  if (!known) misuse("no target " + arguments.target);

  long faults = 0;
  for (const Target& target : fuzz::targets()) {
    if (!arguments.target.empty() && arguments.target != target.name) continue;
    const bool alone = arguments.index >= 0;
    const long count = alone ? 1 : std::max(1L, arguments.inputs * target.share / shares);
    const std::clock_t begin = std::clock();
    long failed = 0, computed = 0;
    Kinds kinds;
    for (long i = 0; i < count; ++i) {
      Outcome outcome = Outcome::refused;
      run(target, alone ? arguments.index : i, arguments, outcome, kinds);
      if (outcome == Outcome::computed) ++computed;
    }
    for (const auto& [kind, times] : kinds) {
      std::cout << times << " x " << kind << '\n';
      failed += times;
    }
    std::cout << target.name << ": " << count << " inputs, " << computed << " computed, " << failed
              << " failed, " << seconds(begin, std::clock()) << " s" << std::endl;
    faults += failed;
    // A target whose inputs are all refused, or none of them, does not try what it is there for.
    if (count >= 200 && failed == 0 && (computed < count / 20 || computed > count - count / 20)) {
      std::cout << "FAILED: the inputs of " << target.name << " are too tame or too wild\n";
      ++faults;
    }
  }
  return faults == 0 ? 0 : 1;
}
