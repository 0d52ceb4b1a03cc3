// Elastic rods, alone and welded, and their assemblies.

#define DALEMBERT_INSTANTIATE template
#include <dalembert/compiled/rods.hpp>
