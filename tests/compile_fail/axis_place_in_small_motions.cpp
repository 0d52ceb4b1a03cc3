// expect: a place on an axis, AxisPlace, has no place in small motions

#include <vector>

#include <dalembert/assembly/linearization.hpp>
#include <dalembert/contact/axis_place.hpp>
#include <dalembert/contact/crossing.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/stiffness.hpp>

using namespace dalembert;

template <class Place>
void rest(
    const assembly::Assembly<assembly::Kinds<rod::ElasticRod<double>>,
                             assembly::Kinds<contact::Crossing<double, contact::CubicSpline, Place>>>& p,
    assembly::State<double> x) {
  (void)assembly::linearization(p, x);
}
template void rest<contact::AxisPlace<double>>(
    const assembly::Assembly<
        assembly::Kinds<rod::ElasticRod<double>>,
        assembly::Kinds<contact::Crossing<double, contact::CubicSpline, contact::AxisPlace<double>>>>&,
    assembly::State<double>);

int main() {}
