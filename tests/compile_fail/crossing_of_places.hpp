#pragma once

/// @file
/// Rods that cross at places of one kind, for analyses that serve some kinds only.

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/axis_place.hpp>
#include <dalembert/contact/crossing.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/stiffness.hpp>

template <class Place>
using CrossingOf = dalembert::assembly::Assembly<
    dalembert::assembly::Kinds<dalembert::rod::ElasticRod<double>>,
    dalembert::assembly::Kinds<dalembert::contact::Crossing<double, dalembert::contact::CubicSpline, Place>>>;
using State = dalembert::assembly::State<double>;
