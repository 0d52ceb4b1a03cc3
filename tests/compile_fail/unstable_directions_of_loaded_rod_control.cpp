// expect: success

#include <dalembert/assembly/with_load.hpp>
#include <dalembert/rod/loads.hpp>
#include <dalembert/rod/statics.hpp>
#include <dalembert/rod/stiffness.hpp>

using namespace dalembert;

int main() {
  const rod::ElasticRod<double> bare(rod::LinearElastic<double>(Vec<double, 6>::Ones()),
                                     {.elements = 4, .length = 1, .inertia = {1, {1, 1, 2}}});
  (void)rod::unstable_directions(bare, bare.straight({0, 0, 0}, SO3<double>::identity()));
}
