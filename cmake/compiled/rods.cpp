// Elastic rods, alone and welded, and their assemblies; what they compute with is left to numerics.cpp.

#include <dalembert/compiled/numerics.hpp>
#undef DALEMBERT_INSTANTIATE
#define DALEMBERT_INSTANTIATE template
#include <dalembert/compiled/rods.hpp>
