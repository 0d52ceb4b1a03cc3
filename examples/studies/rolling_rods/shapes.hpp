#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <dalembert/rod/chain.hpp>

#include "support/surfaces.hpp"

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
        if (shown(i, k))
          example::write_circle(file, chains[i].rotation(k), chains[i].position(k), radius_, 0,
                                static_cast<double>(i));
      file << "\n\n";
    }
    if (!file) throw std::runtime_error("cannot write " + path.string());
  }

  std::filesystem::path out_;
  double radius_;
  double interval_;
  int next_ = 0;
  std::vector<double> times_{};
};
