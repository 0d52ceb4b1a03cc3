// Elastic rods, alone and welded.

#define DALEMBERT_INSTANTIATE template
#include <dalembert/compiled/rods.hpp>
