// expect: (assignment of read-only variable|cannot assign to variable) .*version_major

#include <dalembert/version.hpp>

int main() { dalembert::version_major = 2; }
