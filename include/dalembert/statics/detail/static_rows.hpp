#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/segments.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/statics/detail/static_kind.hpp>
#include <dalembert/statics/detail/static_table.hpp>

/// The constraints of an assembly in statics: how what they say at their markers acts on the nodes that bear
/// these.
namespace dalembert::assembly::detail {

/// What the equations of statics ask of all constraints together: nothing of it is compiled where there are
/// none. `first` has the first unknown of each body.
template <class S>
class StaticRows {
 public:
  using Real = number::Plain<S>;
  using Link = std::function<void(const std::vector<std::size_t>& bodies, bool touches_space)>;

  StaticRows(const StaticRows&) = delete;
  StaticRows& operator=(const StaticRows&) = delete;

  /// Counts internal coordinates and multipliers. Throws std::invalid_argument for a marker that is not on
  /// these chains.
  virtual void count(const std::vector<Chain<S>>& chains, StaticTable<S>& table) const = 0;
  /// A box around all markers too.
  virtual void include_places(const State<S>& x, Extent<Real>& extent) const = 0;
  /// Everything that they say with these multipliers.
  virtual void add(const State<S>& x, const Column<S>& multipliers, const std::vector<Index>& first,
                   StaticTable<S>& table) const = 0;
  /// Cᵀm of all constraints. Throws what constraints throw that do not hold with them.
  [[nodiscard]] virtual Column<S> reactions(const State<S>& x, const Column<S>& multipliers) const = 0;
  /// The name of position row `row`, counted over all.
  [[nodiscard]] virtual std::string name_of_row(int row) const = 0;
  /// Multipliers with which all would start to move from rest, for the masses, 0 where held, and forces of
  /// all unknowns of nodes.
  virtual void guess(StaticSizes<Real>& table, const Column<Real>& mass, const Column<Real>& force,
                     Column<S>& multipliers) const = 0;
  /// The position row of which a step leaves most, beside the sizes of its terms; −1 if it leaves nothing.
  [[nodiscard]] virtual int contradicted(const StaticSizes<Real>& table, const Column<Real>& right,
                                         const Column<Real>& step) const = 0;
  /// f(bodies that a constraint with position rows touches, whether it touches something else).
  virtual void each_link(const State<S>& x, const std::vector<Index>& first, const Link& f) const = 0;

 protected:
  StaticRows() = default;
  ~StaticRows() = default;
};

/// The same of the constraints of these kinds.
template <class S>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class StaticRowsOf final : public StaticRows<S> {
 public:
  using typename StaticRows<S>::Link;
  using typename StaticRows<S>::Real;
  using Kind = StaticKind<S>;

  explicit StaticRowsOf(std::span<StaticKind<S>* const> kinds) : kinds_(kinds) {}

  [[gnu::cold, gnu::noinline]] void count(const std::vector<Chain<S>>& chains,
                                          StaticTable<S>& table) const override {
    const Slot all =
        each_constraint(kinds_, [&](const Kind& kind, const Slot& at) { kind.check(at.number, chains); });
    table.slides = all.z;
    table.positions = all.position;
  }

  [[gnu::cold, gnu::noinline]] void include_places(const State<S>& x, Extent<Real>& extent) const override {
    std::vector<Vec<S, 3>> positions;
    each_constraint(kinds_, [&](const Kind& kind, const Slot& at) {
      kind.find_positions(at.number, x, at.z, positions);
      for (const Vec<S, 3>& one : positions) extent.extend(dalembert::detail::convert_all<Real>(one));
    });
  }

  [[gnu::noinline]] void add(const State<S>& x, const Column<S>& multipliers, const std::vector<Index>& first,
                             StaticTable<S>& table) const override {
    each_constraint(kinds_, [&](Kind& kind, const Slot& at) {
      add_one(kind.hold(at.number, x, at.z, first, table.slide(at.z), multipliers, at.position), at, table);
    });
  }

  [[nodiscard, gnu::cold, gnu::noinline]] Column<S> reactions(const State<S>& x,
                                                              const Column<S>& multipliers) const override {
    Column<S> lambda(each_constraint(kinds_, [](const Kind&, const Slot&) {}).row);
    each_constraint(kinds_, [&](const Kind& kind, const Slot& at) {
      kind.find_reactions(at.number, x, at.z, multipliers, at.position, lambda.data() + at.row);
    });
    return lambda;
  }

  [[nodiscard, gnu::cold, gnu::noinline]] std::string name_of_row(int row) const override {
    std::string text;
    each_constraint(kinds_, [&](const Kind& kind, const Slot& at) {
      if (row >= at.position && row < at.position + kind.sizes.positions)
        text = kind.name_of_row(at.number, row - at.position);
    });
    return text;
  }

  [[gnu::cold, gnu::noinline]] void guess(StaticSizes<Real>& table, const Column<Real>& mass,
                                          const Column<Real>& force, Column<S>& multipliers) const override {
    table.equations.forget_scales();  // masses have others than stiffnesses
    Column<Real> right = Column<Real>::Zero(table.multiplier(table.positions)), start;
    for (Index row = 0; row < table.nodes; ++row) {
      const bool held = table.held(row);
      table.equations.add(row, row, held ? Real(1) : mass[row]);
      if (!held) right[row] = force[row];
    }
    const bool solved = table.equations.solve(right, start);
    table.equations.forget_scales();
    if (!solved) return;
    for (int i = 0; i < table.positions; ++i) multipliers[i] = S(start[table.multiplier(i)]);
  }

  [[nodiscard, gnu::cold, gnu::noinline]] int contradicted(const StaticSizes<Real>& table,
                                                           const Column<Real>& right,
                                                           const Column<Real>& step) const override {
    const Column<Real> sum = table.equations.multiply(step), sizes = table.equations.multiply_sizes(step);
    int found = -1;
    Real worst = Real(1e-3);
    for (int i = 0; i < table.positions; ++i) {
      const Index row = table.multiplier(i);
      const Real left = number::abs(right[row] - sum[row]), size = sizes[row] + number::abs(right[row]);
      const Real rounding =
          Real(1e3) * std::numeric_limits<Real>::epsilon() * (table.error_scale[i] + table.error_size[i]);
      if (!(left > worst * size && size > rounding)) continue;
      worst = left / size;
      found = i;
    }
    return found;
  }

  [[gnu::cold, gnu::noinline]] void each_link(const State<S>& x, const std::vector<Index>& first,
                                              const Link& f) const override {
    each_constraint(kinds_, [&](Kind& kind, const Slot& at) {
      if (kind.sizes.positions == 0) return;
      const Column<S> none = Column<S>::Zero(kind.sizes.positions);
      const LinearisedRows<S>& one = kind.hold(at.number, x, at.z, first, 0, none, 0);
      std::vector<std::size_t> touched;
      bool space = kind.sizes.markers == 1;
      for (int i = 0; i < kind.sizes.markers; ++i) {
        const Window& w = one.view.windows[i];
        if (w.count == 0)
          space = true;
        else
          touched.push_back(w.body);
      }
      f(touched, space);
    });
  }

 private:
  [[gnu::cold, gnu::noinline]] void add_one(const LinearisedRows<S>& one, const Slot& at,
                                            StaticTable<S>& table) const {
    const Index s0 = table.slide(at.z), m0 = table.multiplier(at.position);
    const auto add = [&](Index row, Index column, const S& entry) {
      table.add(row, column, value_of(entry));
    };
    for (std::size_t i = 0; i < one.places.size(); ++i) {
      const LinearisedPlace<S>& place = one.places[i];
      const int slide = at.z + place.slide;
      if (place.slide >= 0) table.reach[static_cast<std::size_t>(slide)] = value_of(place.reach);
      if (place.arm > S(0))
        table.note_torque(value_of(S(dalembert::detail::length<S>(one.pull(i)) * place.arm)));
    }
    for (int p = 0; p < one.positions; ++p) {
      table.error[at.position + p] = one.error[p];
      table.error_size[at.position + p] = value_of(one.error_sizes[p]);
      table.error_scale[at.position + p] = value_of(one.change(p, S(table.metres)));
    }
    for (int z = 0; z < one.slides; ++z) table.apart[at.z + z] = one.apart[z];
    one.each_row([&](Index unknown, int r, const S&, const S& pull) {
      if (number::is_zero(pull)) return;
      table.push(unknown, one.lambda[r] * pull);
      for (int p = 0; p < one.positions; ++p) add(unknown, m0 + p, -one.along(p, r) * pull);
    });
    const PlaceUnknowns<S>& changes = one.changes;
    changes.each_geometric_stiffness(add);
    changes.each_tangency([&](int r, Index column, const S& slope) { add(s0 + r, column, slope); });
    changes.each_slope([&](int p, Index column, const S& slope) { add(m0 + p, column, -slope); });
    if (one.positions == 1 && one.places.size() == 2) add_gap(one, s0, table);
  }

  [[gnu::cold, gnu::noinline]] void add_gap(const LinearisedRows<S>& one, Index s0,
                                            StaticTable<S>& table) const {
    const Vec<S, 3> between = dalembert::detail::difference(one.places[1].position, one.places[0].position);
    StaticGap<Real> gap;
    gap.distance = value_of(dalembert::detail::length<S>(between));
    if (!(gap.distance > Real(0))) return;
    for (std::size_t i = 0; i < 2; ++i) {
      const Real sign(i == 0 ? -1 : 1);
      one.each_weight(i, [&](Index unknown, const S& weight) {
        gap.nodes.emplace_back(unknown, sign * value_of(weight));
      });
      if (const LinearisedPlace<S>& place = one.places[i]; place.slide >= 0) {
        auto& [unknown, along] = gap.slides.emplace_back();
        unknown = s0 + place.slide;
        for (int j = 0; j < 3; ++j) along[j] = sign * value_of(place.along[j]);
      }
    }
    table.gaps.push_back(std::move(gap));
  }

  std::span<Kind* const> kinds_;
};

}  // namespace dalembert::assembly::detail
