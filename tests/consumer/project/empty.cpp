// A program that links the compiled library and uses nothing of it.

#include <dalembert/compiled/instantiate.hpp>

int main() {}
