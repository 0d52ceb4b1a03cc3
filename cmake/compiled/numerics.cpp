// What every assembly computes with.

#define DALEMBERT_INSTANTIATE template
#include <dalembert/compiled/numerics.hpp>
