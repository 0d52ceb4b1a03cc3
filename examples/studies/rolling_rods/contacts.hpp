#pragma once

#include <tuple>
#include <vector>

#include <dalembert/assembly/bodies.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/contact/rolling_of_rods.hpp>

#include "rolling_rods/options.hpp"

/// A kernel that is chosen when the program runs.
struct ChosenKernel {
  enum class Shape { cubic, quintic, compact };

  static constexpr int reach = 3;
  static constexpr bool partition_of_unity = false;  // that of the compact bump
  Shape shape = Shape::cubic;

  template <class L>
  [[nodiscard]] dalembert::contact::KernelValue<L> operator()(const L& x) const noexcept {
    using namespace dalembert::contact;
    if (shape == Shape::quintic) return QuinticSpline{}(x);
    return shape == Shape::cubic ? CubicSpline{}(x) : CompactKernelValue{}(x);
  }
};

/// The contact of the reference case, and those of all kernels, smearings and tangencies. They are parts of one problem, of which one is there.
using Contacts = dalembert::assembly::Kinds<
    dalembert::contact::RollingContact<double, dalembert::contact::CubicSpline>,
    dalembert::contact::RollingContact<double, ChosenKernel>,
    dalembert::contact::RollingOfRods<double, ChosenKernel, dalembert::contact::SpatialAveraging,
                                      dalembert::contact::MaterialTangency>,
    dalembert::contact::RollingOfRods<double, ChosenKernel, dalembert::contact::BodyAveraging,
                                      dalembert::contact::ElementTangency>,
    dalembert::contact::RollingOfRods<double, ChosenKernel, dalembert::contact::BodyAveraging,
                                      dalembert::contact::MaterialTangency>>;

/// f(contact) for the one that is there.
template <class F>
void with_contact(const Contacts& contacts, const F& f) {
  const auto each = [&](const auto& list) {
    for (const auto& contact : list) f(contact);
  };
  std::apply([&](const auto&... lists) { (each(lists), ...); }, contacts);
}

/// Rods at rest in equilibrium.
struct Start {
  std::vector<dalembert::rod::ElasticRod<double>> rods;
  Contacts contacts;
  dalembert::assembly::State<double> state;
  double energy = 0;                                      ///< [J]
  dalembert::contact::ContactEvaluation<double> contact;  ///< as the equilibrium has it
};

/// The equilibrium of the rods, under averages by the kernel that was chosen, and the contact by which they are to roll.
[[nodiscard]] Start start(const Options& options);
