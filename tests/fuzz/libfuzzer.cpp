// The targets under libFuzzer, one at a time: fuzz_libfuzzer --target=NAME [its own options, a folder of inputs]. To tell an
// input that it has kept in full: fuzz_libfuzzer --target=NAME --tell FILE.

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "fuzz/target.hpp"

namespace {

const fuzz::Target* chosen = nullptr;
std::ostream* transcript = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (argument == "--tell") transcript = &std::cout;
    for (const fuzz::Target& target : fuzz::targets())
      if (argument == std::string("--target=") + target.name) chosen = &target;
  }
  if (chosen == nullptr) {
    std::cerr << "which --target=NAME?";
    for (const fuzz::Target& target : fuzz::targets()) std::cerr << ' ' << target.name;
    std::cerr << '\n';
    std::exit(2);
  }
  return 0;
}

/// What leaves a target is an exception that nobody catches, which libFuzzer takes for a crash.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input in(data, size, transcript);
  (void)chosen->run(in);
  return 0;
}
