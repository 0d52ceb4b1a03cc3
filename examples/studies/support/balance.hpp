#pragma once

#include <filesystem>
#include <string>

#include <dalembert/io/csv.hpp>
#include <dalembert/problem/concepts.hpp>

#include "support/picture.hpp"
#include "support/table.hpp"

namespace example {

/// The sum of the powers [W], which is the rate of the energy.
inline double total(const dalembert::Powers<double>& p) { return p.constraint + p.dissipation + p.load; }

/// The table balance.csv of what an energy monitor says: the energy, what it is by the work done since the start, and the difference.
class BalanceTable {
 public:
  /// Creates it in `folder`.
  explicit BalanceTable(const std::filesystem::path& folder)
      : csv_(folder / "balance.csv", columns("t [s], energy [J], expected [J], power [W], error [J]")) {}

  /// A row for the last observation of the energy monitor.
  template <class EnergyMonitor>
  void row(const EnergyMonitor& monitor) {
    const auto& now = monitor.last();
    const double expected = monitor.entries().front().energy + total(now.work);
    csv_.row({now.time, now.energy, expected, total(now.power), now.energy - expected});
  }
  void close() { csv_.close(); }

 private:
  dalembert::io::CsvWriter csv_;
};

/// The figures of an energy monitor that balances the work of reactions.
template <class EnergyMonitor>
void report_balance(const EnergyMonitor& monitor, Summary& summary) {
  summary.figure("energy_initial", monitor.entries().front().energy, "J", "energy at the start");
  summary.figure("energy_final", monitor.last().energy, "J", "energy at the end");
  summary.figure("power_balance_error", monitor.balance_error(), "J",
                 "largest |E(t) - E(0) - work of the reactions|");
}

/// The picture energy.png from balance.csv: energy, power, and what is left of the balance.
inline void draw_balance(const Run& run, const std::string& title) {
  draw(run, {"energy", 1600, 1400}, Variables{}("title", title));
}

}  // namespace example
