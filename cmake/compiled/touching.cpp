// Surfaces that touch; what rods and rigid bodies have without them is left to bodies.cpp.

#include <dalembert/compiled/rigid_bodies.hpp>
#include <dalembert/compiled/rods.hpp>
#undef DALEMBERT_INSTANTIATE
#define DALEMBERT_INSTANTIATE template
#include <dalembert/compiled/touching.hpp>
