// The policies of the library are what their concepts ask for.

#include <dalembert/contact/kernel.hpp>
#include <dalembert/integrate/tableau.hpp>
#include <dalembert/integrate/tableau_dop853.hpp>
#include <dalembert/rod/concepts.hpp>
#include <dalembert/rod/material.hpp>
#include <dalembert/rod/strain.hpp>

using namespace dalembert;

static_assert(contact::Kernel<contact::CubicSpline> && contact::Kernel<contact::QuinticSpline> &&
              contact::Kernel<contact::CompactKernelValue> && contact::Kernel<contact::Gaussian>);

static_assert(rod::Material<rod::LinearElastic<double>> && rod::Material<rod::CoupledElastic<double>>);
static_assert(rod::StrainRule<rod::MidpointStrain, rod::LinearElastic<double>> &&
              rod::StrainRule<rod::ForwardStrain, rod::LinearElastic<double>>);

using namespace tableau;
static_assert(Explicit<tableau::RungeKutta4> && !Embedded<tableau::RungeKutta4> &&
              Dense<tableau::RungeKutta4>);
static_assert(Embedded<tableau::DormandPrince54> && !TwiceEmbedded<tableau::DormandPrince54> &&
              Dense<tableau::DormandPrince54>);
static_assert(TwiceEmbedded<tableau::DormandPrince853> && Dense<tableau::DormandPrince853>);
static_assert(error_power<tableau::DormandPrince853> == 8);
