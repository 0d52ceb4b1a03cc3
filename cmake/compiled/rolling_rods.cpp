// Elastic rods that roll on each other; what they have of rods is left to rods.cpp.

#include <dalembert/compiled/rods.hpp>
#undef DALEMBERT_INSTANTIATE
#define DALEMBERT_INSTANTIATE template
#include <dalembert/compiled/rolling_rods.hpp>
