#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <dalembert/rod/chain.hpp>

/// Surfaces of the two rods at a few times, as grids that gnuplot shades: shape_0.dat, …, and near the contact
/// closeup_0.dat, …
class Shapes {
 public:
  static constexpr int count = 6;

  /// `count` shapes of rods of the given radius, evenly from 0 to `last` [s], written into `out`.
  Shapes(std::filesystem::path out, double radius, double last)
      : out_(std::move(out)), radius_(radius), interval_(last / (count - 1)) {}

  /// Write the chains as they are at `time` if the next shape is due; close-ups show the nodes near `contact`.
  void operator()(double time, const std::vector<dalembert::rod::Chain<double>>& chains,
                  const std::vector<Eigen::Index>& contact) {
    if (next_ == count || time < (next_ - 1e-6) * interval_) return;
    const std::string number = std::to_string(next_);
    write(out_ / ("shape_" + number + ".dat"), chains, [](std::size_t, Eigen::Index) { return true; });
    write(out_ / ("closeup_" + number + ".dat"), chains, [&](std::size_t i, Eigen::Index k) {
      const double away = (chains[i].position(k) - chains[i].position(contact[i])).norm();
      return away <= 16 * radius_;
    });
    times_.push_back(time);
    ++next_;
  }

  /// The times of the shapes so far [s].
  [[nodiscard]] const std::vector<double>& times() const noexcept { return times_; }

 private:
  template <class Shown>
  void write(const std::filesystem::path& path, const std::vector<dalembert::rod::Chain<double>>& chains,
             const Shown& shown) const {
    std::ofstream file(path);
    file << "# surfaces of the rods: x [m], y [m], z [m], colour; one block a rod\n";
    for (std::size_t i = 0; i < chains.size(); ++i) {
      for (Eigen::Index k = 0; k < chains[i].nodes; ++k)
        if (shown(i, k)) write_ring(file, chains[i], k, static_cast<double>(i));
      file << "\n\n";
    }
    if (!file) throw std::runtime_error("cannot write " + path.string());
  }

  /// The circle around a node. Every other sector of eight is marked, so that the eye sees the rod turn.
  void write_ring(std::ofstream& file, const dalembert::rod::Chain<double>& chain, Eigen::Index k,
                  double rod) const {
    constexpr int around = 32;
    const auto frame = chain.rotation(k);
    for (int j = 0; j <= around; ++j) {
      const double angle = 2 * std::numbers::pi * j / around;
      const dalembert::Vec<double, 3> p =
          chain.position(k) +
          radius_ * frame.act(dalembert::Vec<double, 3>(std::cos(angle), std::sin(angle), 0));
      const double mark = (j / 4) % 2 == 0 ? 0.0 : 0.5;
      file << p[0] << ',' << p[1] << ',' << p[2] << ',' << rod + mark << '\n';
    }
    file << '\n';
  }

  std::filesystem::path out_;
  double radius_;
  double interval_;
  int next_ = 0;
  std::vector<double> times_{};
};
