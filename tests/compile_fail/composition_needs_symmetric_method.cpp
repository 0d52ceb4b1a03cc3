// expect: the method that is composed must be symmetric and of order 2

#include <dalembert/integrate/compose.hpp>
#include <dalembert/integrate/explicit_rk.hpp>

using Wrong = dalembert::Composition<dalembert::RungeKutta4, 4>;
int order = Wrong::order;
