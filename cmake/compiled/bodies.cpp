// Elastic rods and rigid bodies, their joints and rolling contacts, and their assemblies; what these compute with is left
// to numerics.cpp. One unit: in three they cost half as much again, to read the headers.

#include <dalembert/compiled/numerics.hpp>
#undef DALEMBERT_INSTANTIATE
#define DALEMBERT_INSTANTIATE template
#include <dalembert/compiled/rigid_bodies.hpp>
#include <dalembert/compiled/rods.hpp>
#include <dalembert/compiled/rolling_rods.hpp>
