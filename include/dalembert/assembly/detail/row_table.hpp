#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/assembly/rows.hpp>

/// All rows of an assembly in one state, and what they make of velocities, accelerations and multipliers.
namespace dalembert::assembly::detail {

/// Which rows a system is made of.
struct RowKind {
  bool positions = false;  ///< C A M⁻¹ A_VᵀCᵀ instead of A M⁻¹ A_Vᵀ
  bool repair = false;     ///< A in place of A_V
};

/// One constraint: where its rows and places lie.
template <class S>
struct ConstraintRows {
  int row = 0, rows = 0;            ///< of the rows of all constraints
  int position = 0, positions = 0;  ///< of the position rows
  int place = 0, places = 0;        ///< of the places
  bool reacts_elsewhere = false;    ///< A_V is not A
  bool turns = true;                ///< CA turns nodes
  Eigen::Matrix<S, most_rows, most_rows> along = Eigen::Matrix<S, most_rows, most_rows>::Zero();  ///< C
};

/// The rows of all constraints.
template <class S>
class RowTable {
 public:
  using Column = Vec<S, Eigen::Dynamic>;

  std::vector<ConstraintRows<S>> constraints;
  std::vector<RowsAtPlace<S>> places;
  std::vector<S> weights;  ///< of the nodes of all windows
  Column error, known, drift;
  S size{};  ///< largest coordinate of a place [m]

  /// Room for one constraint more, whose places are borne by windows of so many packs.
  void add(int rows, int positions, bool reacts_elsewhere, bool turns, const std::vector<int>& packs) {
    ConstraintRows<S> c;
    c.row = static_cast<int>(known.size());
    c.rows = rows;
    c.position = static_cast<int>(error.size());
    c.positions = positions;
    c.place = static_cast<int>(places.size());
    c.places = static_cast<int>(packs.size());
    c.reacts_elsewhere = reacts_elsewhere;
    c.turns = turns;
    constraints.push_back(c);
    for (const int count : packs) {
      RowsAtPlace<S> place;
      place.window.packs = count;
      place.window.weights = weights.size();
      weights.resize(weights.size() + static_cast<std::size_t>(count * rod::lane_width<S>), S(0));
      places.push_back(place);
    }
    known.conservativeResize(c.row + rows);
    error.conservativeResize(c.position + positions);
    drift.conservativeResize(c.row + rows);
  }

  /// u = A v + b.
  void velocities(const std::vector<Chain<S>>& chains, Column& u) const {
    u = known;
    apply<false>(u, [&](const RowsAtPlace<S>& p) {
      return averages(p.window, weights, chains, chains[p.window.body].velocity);
    });
  }
  /// u = A_V v.
  void reaction_velocities(const std::vector<Chain<S>>& chains, Column& u) const {
    u.setZero();
    apply<true>(u, [&](const RowsAtPlace<S>& p) {
      return averages(p.window, weights, chains, chains[p.window.body].velocity);
    });
  }
  /// u = A a + Ȧv + ḃ for given accelerations.
  void accelerations(const std::vector<Chain<S>>& chains, const std::vector<Columns<S, 6>>& a,
                     Column& u) const {
    u = drift;
    apply<false>(
        u, [&](const RowsAtPlace<S>& p) { return averages(p.window, weights, chains, a[p.window.body]); });
  }
  /// The same for the accelerations that loads give to bodies that nothing leads.
  void accelerations_of_loads(const std::vector<Chain<S>>& chains,
                              const std::vector<InertiaColumns<S>>& inertia,
                              const std::vector<Columns<S, 6>>& f, Column& u) const {
    u = drift;
    apply<false>(u, [&](const RowsAtPlace<S>& p) {
      return acceleration_averages(p.window, weights, chains, inertia[p.window.body], f[p.window.body]);
    });
  }

  /// f += A_Vᵀμ.
  void add_loads(const Column& mu, const std::vector<Chain<S>>& chains, std::vector<Columns<S, 6>>& f) const {
    act(mu, RowKind{}, [&](const RowsAtPlace<S>& p, const Averages<S>& w) {
      add_load(p.window, weights, chains[p.window.body], w, f[p.window.body]);
    });
  }
  /// v += M⁻¹A_Vᵀμ, or along A for a repair.
  void add_impulses(const Column& mu, RowKind kind, const std::vector<InertiaColumns<S>>& inertia,
                    std::vector<Chain<S>>& chains) const {
    act(mu, kind, [&](const RowsAtPlace<S>& p, const Averages<S>& w) {
      add_impulse(p.window, weights, inertia[p.window.body], w, chains[p.window.body]);
    });
  }
  /// q += M⁻¹A_VᵀCᵀm, v += that times `per_time` [1/s].
  void displace_all(const Column& m, RowKind kind, const std::vector<InertiaColumns<S>>& inertia, S per_time,
                    std::vector<Chain<S>>& chains) const {
    for (const ConstraintRows<S>& c : constraints) {
      S mu[most_rows] = {};
      for (int i = 0; i < c.positions; ++i)
        for (int r = 0; r < c.rows; ++r) mu[r] += c.along(i, r) * m[c.position + i];
      for (int i = c.place; i < c.place + c.places; ++i) {
        const RowsAtPlace<S>& p = places[static_cast<std::size_t>(i)];
        if (p.window.packs == 0) continue;
        const Averages<S> w = wrench(coefficients(c, p, kind), mu, c.rows);
        if (c.turns)
          displace(p.window, weights, inertia[p.window.body], w, per_time, chains[p.window.body]);
        else
          push(p.window, weights, inertia[p.window.body], w.linear, per_time, chains[p.window.body]);
      }
    }
  }

 protected:
  [[nodiscard]] static const Coefficients<S>& coefficients(const ConstraintRows<S>& c,
                                                           const RowsAtPlace<S>& p, RowKind kind) noexcept {
    return c.reacts_elsewhere && !kind.repair ? p.reaction : p.row;
  }

 private:
  template <bool reaction, class F>
  void apply(Column& u, F&& averages_of) const {
    for (const ConstraintRows<S>& c : constraints)
      for (int i = c.place; i < c.place + c.places; ++i) {
        const RowsAtPlace<S>& p = places[static_cast<std::size_t>(i)];
        if (p.window.packs == 0) continue;
        const Averages<S> x = averages_of(p);
        const Coefficients<S>& a = reaction ? coefficients(c, p, RowKind{}) : p.row;
        for (int r = 0; r < c.rows; ++r)
          for (int j = 0; j < 3; ++j)
            u[c.row + r] += a.linear(r, j) * x.linear[j] + a.angular(r, j) * x.angular[j];
      }
  }

  template <class F>
  void act(const Column& mu, RowKind kind, F&& on_place) const {
    for (const ConstraintRows<S>& c : constraints)
      for (int i = c.place; i < c.place + c.places; ++i) {
        const RowsAtPlace<S>& p = places[static_cast<std::size_t>(i)];
        if (p.window.packs > 0) on_place(p, wrench(coefficients(c, p, kind), mu.data() + c.row, c.rows));
      }
  }
};

}  // namespace dalembert::assembly::detail
