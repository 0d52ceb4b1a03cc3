#include "everything.hpp"

const std::string_view* version_in_second_unit();

int main() {
  // One inline variable, so one address, in both units.
  return &dalembert::version == version_in_second_unit() ? 0 : 1;
}
