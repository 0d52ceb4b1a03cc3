// The whole library, of which nothing is used.

#include <dalembert/dalembert.hpp>

int main() {}
