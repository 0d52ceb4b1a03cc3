#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include <dalembert/assembly/detail/solution.hpp>

/// The structured solution of an assembly's equations with its projection onto positions.
namespace dalembert::assembly::detail {

/// As `Solution`, with what closes positions.
template <class S, bool may_react_elsewhere, bool may_have_friction>
class PositionSolution : public Solution<S, may_react_elsewhere, may_have_friction> {
 public:
  using Base = Solution<S, may_react_elsewhere, may_have_friction>;
  using Base::Base;
  using typename Base::System, typename Base::Kind;

  /// q += M⁻¹A_VᵀCᵀm until φ = 0, v += that / h if h > 0; then the rows there and their systems,
  /// where the clusters of a configuration nearby were found. Throws NoConvergence.
  Projection<S> close(State<S>& x, S h, bool repair);

 protected:
  using Base::kinds_, Base::mine_, Base::w_;

 private:
  /// The rows of all members of a cluster, which are closed together.
  struct Together {
    PositionSolution& all;
    std::size_t cluster;
    const Correction<S>& by;

    void find_open(int iteration, OpenRows<S>& open) const {
      all.each_member(cluster, [&](Kind& kind, std::size_t i) { kind.find_open(i, by, iteration, open); });
    }
    [[nodiscard]] bool correct(int iteration, bool serves, Leftover<S>& left) const {
      all.each_member(cluster, [&](Kind& kind, std::size_t i) {
        kind.find_rows_and_push(i, by, iteration > late_closing);
      });
      all.gather(cluster);
      System& system = all.mine_.system(cluster);
      if (!serves) system.decompose(all.mine_.members, {.positions = true, .repair = by.repair}, by.n);
      system.solve(all.mine_.members, all.w_.push, left);
      return true;
    }
    void displace(bool late, Displacement<S>& d) const {
      all.each_member(cluster, [&](Kind& kind, std::size_t i) { kind.displace(i, by, late, d); });
    }
    void settle(int done) const {
      all.each_member(cluster, [&](Kind& kind, std::size_t i) { kind.settle(i, by, done); });
    }
    /// How far a cluster of which rows follow from others is open, beside its sizes, both in the units of the
    /// kinetic energy; infinite for others.
    [[nodiscard]] S together(const OpenRow<S>&) const {
      System& system = all.mine_.system(cluster);
      if (system.redundant() == 0) return std::numeric_limits<S>::infinity();
      all.each_member(cluster, [](Kind& kind, std::size_t i) { kind.put_errors(i); });
      all.gather(cluster);
      return system.largest(all.mine_.members, all.w_.push) / system.largest(all.mine_.members, all.w_.known);
    }
    [[nodiscard]] std::string name_of_row(int row) const {
      return detail::name_of_row(all.kinds_, row, true);
    }
  };
};

template <class S, bool may_react_elsewhere, bool may_have_friction>
Projection<S> PositionSolution<S, may_react_elsewhere, may_have_friction>::close(State<S>& x, S h,
                                                                                 bool repair) {
  Projection<S> result;
  const Nodes<S> n = this->nodes(x);
  const Correction<S> by{x, n, h > S(0) ? S(1) / h : S(0), repair, result};
  for (int i = 0; !kinds_.empty(); ++i) {
    if (i == closing_limit) throw_changes_without_end(x.time);
    bool moved = false;
    mine_.groups = mine_.together;
    this->each([&](Kind& kind) { moved = kind.close(by, mine_.groups) || moved; });
    mine_.make_systems();
    std::size_t kept = 0;
    for (const std::size_t group : mine_.groups) {
      close_rows(Together{*this, group, by}, by);
      bool direct = false;
      this->each_member(group, [&](Kind& kind, std::size_t j) {
        direct = kind.find_system(j, x, n);
        moved = moved || kind.nodes(j).have_moved();
      });
      if (!direct) mine_.groups[kept++] = group;
    }
    mine_.groups.resize(kept);
    this->decompose_groups(n, repair);
    if (!moved || !find_clusters(kinds_, mine_, w_.owners)) break;
  }
  return result;
}

}  // namespace dalembert::assembly::detail
