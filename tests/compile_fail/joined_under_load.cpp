// expect: joined does not know the load of an assembly::WithLoad

#include <dalembert/assembly/with_load.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/joined.hpp>
#include <dalembert/rod/loads.hpp>
#include <dalembert/rod/section.hpp>

int main() {
  using namespace dalembert;
  const rod::CircularSection<> section({.radius = 0.01, .young = 2e7, .density = 1100});
  const rod::ElasticRod<> first(section, {.elements = 10, .length = 0.5}), second = first;
  const assembly::WithLoad loaded{first, rod::PointLoad{0.25, rod::EndLoad<>{.force = {1, 0, 0}}}};
  (void)rod::joined(loaded, second);
}
