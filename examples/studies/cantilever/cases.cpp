#include "cantilever/cases.hpp"

#include <cmath>
#include <limits>

namespace cantilever {

namespace {

using dalembert::Vec;
constexpr double pi = static_cast<double>(dalembert::pi);

Vec<double, 6> stiffness(double shear, double stretch, double bending1, double bending2, double twist) {
  Vec<double, 6> k;
  k << shear, shear, stretch, bending1, bending2, twist;
  return k;
}

/// Euler's elastica: neither stretch nor shear to seven digits.
Case elastica() {
  Case c;
  c.load_name = "P L^2/EI  [1]";
  c.load = 5;
  c.stiffness = stiffness(1e8, 1e8, 1, 1, 1);
  c.length = 1;
  c.at_tip = [](double load) { return EndLoad{.force = Vec3(0, load, 0)}; };
  c.source = "Mattiasson 1981";
  const double table[10][2] = {{0.30172, 0.05643}, {0.49346, 0.16064}, {0.60325, 0.25442}, {0.66996, 0.32894},
                               {0.71379, 0.38763}, {0.74457, 0.43459}, {0.76737, 0.47293}, {0.78498, 0.50483},
                               {0.79906, 0.53182}, {0.81061, 0.55500}};
  for (int i = 0; i < 10; ++i) c.points.push_back({i + 1.0, Vec3(-table[i][1], table[i][0], 0)});
  return c;
}

/// An eighth of a circle, pulled out of its plane.
Case bend45() {
  Case c;
  c.load_name = "force at the tip  [N]";
  c.load = 600;
  c.stiffness = stiffness(5e6, 1e7, 1e7 / 12, 1e7 / 12, 5e6 / 6);
  c.radius = 100;
  c.length = c.radius * pi / 4;
  c.at_tip = [](double load) { return EndLoad{.force = Vec3(0, 0, load)}; };
  c.source = "Simo and Vu-Quoc 1986";
  c.points = {{300, Vec3(22.33, 58.84, 40.08) - c.tip()},
              {450, Vec3(18.62, 52.32, 48.39) - c.tip()},
              {600, Vec3(15.79, 47.23, 53.37) - c.tip()}};
  c.spatial = true;
  return c;
}

/// A strip of aluminium that bends about both axes of its section and twists.
Case princeton() {
  const double width = 12.3777e-3, thickness = 3.2024e-3, young = 71.7e9, shear = young / (2 * 1.31);
  const double area = width * thickness;
  const double soft = width * std::pow(thickness, 3) / 12, stiff = thickness * std::pow(width, 3) / 12;
  Case c;
  c.load_name = "force at the tip  [N]";
  c.load = 8.896;
  c.stiffness =
      stiffness(shear * area, young * area, young * soft, young * stiff, 0.198 * shear * (soft + stiff));
  c.length = 0.508;
  c.at_tip = [](double load) { return EndLoad{.force = load / std::sqrt(2.0) * Vec3(0, -1, 1)}; };
  c.source = "reference";
  c.points = {{8.896, Vec3(-0.0144118, -0.0089792, 0.1091131)}};
  c.spatial = true;
  return c;
}

/// A thick beam of steel.
Case shear() {
  const double width = 0.1, height = 0.5, young = 2.07e11, poisson = 0.3;
  const double factor = 10 * (1 + poisson) / (12 + 11 * poisson), modulus = young / (2 * (1 + poisson));
  const double area = width * height, moment = width * std::pow(height, 3) / 12;
  Case c;
  c.load_name = "force at the tip  [N]";
  c.load = 5e5 * std::pow(height, 3);
  c.stiffness =
      stiffness(factor * modulus * area, young * area, young * moment, young * moment, modulus * moment);
  c.length = 2;
  c.at_tip = [](double load) { return EndLoad{.force = Vec3(0, load, 0)}; };
  c.source = "reference";
  c.points = {{5e5 * std::pow(height, 3), Vec3(-1.88849e-7, 8.099033e-4, 0)}};
  return c;
}

/// A moment of 2πEI/L bends the rod to a full circle.
Case rollup() {
  Case c;
  c.load_name = "{/Symbol l} = M L/{/Symbol p}EI  [1]";
  c.load = 2;
  c.stiffness = stiffness(15e6, 30e6, 30e6 / 12, 30e6 / 12, 30e6 / 12);
  c.length = 12;
  c.at_tip = [k = c.stiffness[4], length = c.length](double load) {
    return EndLoad{.moment = Vec3(0, 0, load * pi * k / length)};
  };
  c.source = "closed form";
  c.exact = [length = c.length](double load) {
    const double turn = load * pi;
    if (turn == 0) return Vec3(0, 0, 0);
    return Vec3(length * (std::sin(turn) / turn - 1), length * (1 - std::cos(turn)) / turn, 0);
  };
  for (int i = 1; i <= 8; ++i) c.points.push_back({0.25 * i, c.exact(0.25 * i)});
  return c;
}

}  // namespace

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = {"elastica", "bend45", "princeton", "shear", "rollup"};
  return all;
}

Case make(const std::string& name) {
  if (name == "bend45") return bend45();
  if (name == "princeton") return princeton();
  if (name == "shear") return shear();
  if (name == "rollup") return rollup();
  return elastica();
}

Rod Case::rod(int elements) const {
  dalembert::rod::RestStrain<double> rest;
  if (radius > 0) rest.curvature = Vec3(0, 1 / radius, 0);
  Rod::Parameters p;
  p.elements = elements;
  p.length = length;
  p.inertia = {1.0, Vec3(1, 1, 2)};  // nothing moves
  p.start = dalembert::rod::Boundary<double>::clamped();
  return Rod(dalembert::rod::LinearElastic<double>(stiffness, rest), p);
}

Chain Case::start(const Rod& rod) const {
  dalembert::Mat<double, 3> frame;
  if (radius == 0) {
    frame << 0, 0, 1, 1, 0, 0, 0, 1, 0;
    return rod.straight(Vec3(0, 0, 0), SO3<double>::from_matrix(frame));
  }
  Chain chain(rod.nodes());
  const double half = 0.5 * rod.spacing() / radius;
  Vec3 at(0, 0, 0);
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const double angle = 2 * half * static_cast<double>(k);
    const double c = std::cos(angle), s = std::sin(angle);
    frame << c, 0, s, -s, 0, c, 0, -1, 0;
    chain.set_frame(k, SO3<double>::from_matrix(frame), at);
    at += rod.spacing() * Vec3(std::sin(angle + half), std::cos(angle + half), 0);
  }
  return chain;
}

Vec3 Case::tip() const {
  if (radius == 0) return {length, 0, 0};
  const double angle = length / radius;
  return {radius * (1 - std::cos(angle)), radius * std::sin(angle), 0};
}

}  // namespace cantilever
