// expect: success

#include <dalembert/version.hpp>

int main() {
  int copy = dalembert::version_major;
  copy = 2;
  return copy;
}
