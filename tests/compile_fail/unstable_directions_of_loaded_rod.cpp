// expect: unstable_directions does not know the stiffness of the load of an assembly::WithLoad

#include <dalembert/assembly/with_load.hpp>
#include <dalembert/rod/loads.hpp>
#include <dalembert/rod/statics.hpp>
#include <dalembert/rod/stiffness.hpp>

using namespace dalembert;

int main() {
  const rod::ElasticRod<double> bare(rod::LinearElastic<double>(Vec<double, 6>::Ones()),
                                     {.elements = 4, .length = 1, .inertia = {1, {1, 1, 2}}});
  const assembly::WithLoad rod(bare, rod::PointLoad{0.5, rod::EndLoad<double>{.follower_force = {0, 0, -1}}});
  (void)rod::unstable_directions(rod, rod.straight({0, 0, 0}, SO3<double>::identity()));
}
