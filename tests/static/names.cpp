// Who opens both namespaces can still name what the standard library is used for most.

#include <any>
#include <array>
#include <chrono>
#include <complex>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "everything.hpp"

namespace names {

using namespace std;
using namespace dalembert;

struct Used {
  string text;
  vector<string> texts;
  array<double, 2> two;
  map<string, function<double(double)>> functions;
  any anything;
  optional<complex<double>> root;
  span<const double> numbers;
  chrono::seconds wait;
  SE3<double> frame;
  strings::Profile<double> profile;
};

/// A name that much of mathematics has a use for.
constexpr int series = 3;
static_assert(series == 3 && sizeof(Used) > 0);

}  // namespace names
