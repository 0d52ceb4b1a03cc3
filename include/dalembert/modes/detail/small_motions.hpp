#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/linalg/sparse_equations.hpp>
#include <dalembert/tangents/linearised_body.hpp>
#include <dalembert/tangents/linearised_constraint.hpp>

/// Small motions of an assembly about a state of rest x₀ in equilibrium, f + A_Vᵀλ = 0. With q the
/// changes (δr, Σ) of the nodes and s those of internal coordinates that a tangency F says,
///   M q̈ + D q̇ + K (q, s) = A_Vᵀ δλ,   K = −∂(f + A_Vᵀλ)/∂(q, s)                         (1)
///   F_q q + F_s s = 0,   or  ṡ = G q̇  where a constraint says that                                   (2)
///   A_K q̇ = 0                                                                                          (3)
/// M is diagonal, D = νM − ∂f/∂q̇. Loads are those of the state's time. Where constraints are
/// holonomic (3) holds for q too. Rows that are friction are in D, A_VᵀTA_K/ε, and the others of their
/// constraints in (3).
namespace dalembert::assembly::detail {

/// The matrices of (1) to (3); rows and columns are numbered: six degrees of each node, then s, then rows of
/// constraints.
template <class S>
class MotionMatrices {
 public:
  using Entry = linalg::SparseEntry<S>;
  using Entries = std::vector<Entry>;

  State<S> x;                ///< the state, at rest
  Column<S> lambda;          ///< multipliers that hold it
  Index nodes = 0;           ///< degrees of all nodes
  int slides = 0;            ///< internal coordinates
  int rows = 0;              ///< of constraints
  Column<S> mass;            ///< M, 0 where held [kg, kg m²]
  Column<S> damping;         ///< ν [1/s]
  Column<S> unbalanced;      ///< f + A_Vᵀλ [N, N m]
  Column<S> known;           ///< b
  Column<S> apart;           ///< F
  Entries stiffness;         ///< K, and (2): degrees of nodes and s
  Entries load_damping;      ///< D − νM by loads, of free degrees of nodes
  Entries friction;          ///< the same by friction of constraints
  Entries constraints;       ///< A_K: its row, degree of a node
  Entries reactions;         ///< A_V
  Entries unforced;          ///< rows of multipliers that are friction, which is in D
  int rubbing = 0;           ///< how many rows these are
  S violation{};             ///< the largest of position rows [m], or [rad]
  std::vector<Index> first;  ///< the first degree of each body

  [[nodiscard]] bool held(Index i) const { return i < nodes && mass[i] == S(0); }
  [[nodiscard]] Index size() const noexcept { return nodes + slides + rows; }
  /// f(entry) for each of D − νM.
  template <class F>
  void each_damping(const F& f) const {
    for (const Entries* of : {&load_damping, &friction})
      for (const Entry& e : *of) f(e);
  }
  /// The matrix of K + σ(D − νM) + factor(i) M, −A_Vᵀ; −A_K, with the identity where a degree
  /// is held.
  template <class T, class Factor>
  [[nodiscard]] std::vector<linalg::SparseEntry<T>> matrix(const Factor& factor, T sigma) const {
    std::vector<linalg::SparseEntry<T>> all;
    all.reserve(stiffness.size() + constraints.size() + reactions.size() + static_cast<std::size_t>(nodes));
    for (const Entry& e : stiffness)
      if (!held(e.row) && !held(e.column)) all.push_back({e.row, e.column, T(e.value)});
    if (sigma != T(0))
      each_damping([&](const Entry& e) { all.push_back({e.row, e.column, sigma * e.value}); });
    add_rows(all);
    for (int i = 0; i < static_cast<int>(nodes); ++i)
      all.push_back({i, i, held(i) ? T(1) : T(factor(i) * mass[i])});
    return all;
  }
  /// The same decomposed. Throws SingularSystem.
  template <class T, class Factor>
  [[nodiscard]] linalg::SparseEquations<S, T> decomposed(const Factor& factor, T sigma = T(0)) const {
    linalg::SparseEquations<S, T> equations;
    equations.decompose(static_cast<std::size_t>(size()), static_cast<std::size_t>(rows),
                        matrix(factor, sigma));
    return equations;
  }
  /// The same of  M, −A_Vᵀ; −A_K,  and the identity for s.
  [[nodiscard]] Entries inertia() const {
    Entries all;
    add_rows(all);
    for (int i = 0; i < static_cast<int>(nodes) + slides; ++i)
      all.push_back({i, i, i >= nodes || held(i) ? S(1) : mass[i]});
    return all;
  }
  /// The largest |K_ii|/M_i, a scale of the squares of frequencies [1/s²].
  [[nodiscard]] S largest_square() const {
    S most(0);
    for (const Entry& e : stiffness)
      if (e.row == e.column && e.row < nodes && !held(e.row)) {
        const S square = number::abs(e.value) / mass[e.row];
        if (square > most) most = square;
      }
    return most;
  }

  /// About `at`, at rest.
  explicit MotionMatrices(const State<S>& at) : x(at) {
    for (Chain<S>& chain : x.chains) chain.velocity.setConstant(S(0));
  }
  /// What the next body says, with these accelerations of its nodes.
  template <Body B>
  void add_body(const B& body, const Columns<S, 6>& accelerations) {
    static_assert(StaticBody<B>,
                  "a body has no add_stiffness(body, chain, add); that of rods is in rod/stiffness.hpp");
    const Index begin = nodes;
    const LinearisedBody<B> linearised(body, x[first.size()], x.time);
    first.push_back(begin);
    nodes += 6 * body.nodes();
    for (Column<S>* c : {&mass, &damping, &unbalanced}) c->conservativeResize(nodes);
    for (Index row = begin; row < nodes; ++row) {
      const Index k = (row - begin) / 6, j = row % 6;
      mass[row] = linearised.mass(k)[static_cast<std::size_t>(j)];
      damping[row] = damping_rate(body);
      unbalanced[row] = mass[row] * accelerations(k, j);
    }
    const auto put_in = [&](Entries& entries) {
      return [&entries, begin](Index k, Index l, const auto& block) {
        for (int a = 0; a < 6; ++a)
          for (int b = 0; b < 6; ++b) put(entries, begin + 6 * k + a, begin + 6 * l + b, block(a, b));
      };
    };
    linearised.each_stiffness(put_in(stiffness));
    linearised.each_damping(put_in(load_damping));
  }
  /// What one constraint says, once all bodies are in.
  void add_constraint(const LinearisedRows<S>& one, const Slot& at) {
    const int R = one.rows;
    const Index s0 = nodes + at.z;
    const auto stiff = [&](Index i, Index j, const S& k) { put(stiffness, i, j, k); };
    one.changes.each_geometric_stiffness(stiff);
    one.changes.each_tangency([&](int r, Index j, const S& slope) { stiff(s0 + r, j, slope); });
    // of its rows u those of friction are T u = −εTδλ: the force −A_VᵀT u/ε is damping, the others
    // (1 − T) u = 0 hold, and T δλ = 0 in (1)
    Entries own, pulls;
    one.each_row([&](Index degree, int r, const S& a, const S& pull) {
      for (int s = 0; s < R; ++s) {
        const S holds = S(s == r ? 1 : 0) - one.slips(s, r);
        put(constraints, at.row + s, degree, holds * a);
        put(reactions, at.row + s, degree, holds * pull);
      }
      put(own, r, degree, a);
      put(pulls, r, degree, pull);
    });
    S trace(0);
    for (int r = 0; r < R; ++r) {
      trace += one.slips(r, r);
      for (int s = 0; s < R; ++s) put(unforced, at.row + r, at.row + s, one.slips(r, s));
    }
    rubbing += static_cast<int>(std::lround(number::plain(trace)));
    if (one.mobility > S(0))
      for (const Entry& f : pulls)
        for (const Entry& e : own)
          if (const S slips = one.slips(f.row, e.row); !number::is_zero(slips))
            put(friction, f.column, e.column, f.value * slips * e.value / one.mobility);
    apart.segment(at.z, one.slides) = one.apart;
    known.segment(at.row, R) = one.known;
  }
  /// Entries of one place are summed.
  void finish() {
    linalg::sum_entries(stiffness);
    for (Entries* of : {&load_damping, &friction}) {
      std::erase_if(*of, [&](const Entry& e) { return held(e.row) || held(e.column); });
      linalg::sum_entries(*of);
    }
  }
  /// Where K and its transpose differ by no more than the round-off of positions, which are far from the
  /// origin, makes of them, take their mean: rigid motions would feel that as a load without a potential.
  void take_away_rounding() {
    S far(0);
    for (const Chain<S>& chain : x.chains)
      for (Index k = 0; k < chain.nodes; ++k)
        for (int j = 0; j < 3; ++j) number::keep_larger(far, S(number::abs(chain.configuration(k, j))));
    std::array<Column<S>, 2> sizes{Column<S>::Zero(nodes), Column<S>::Zero(nodes)};  // a displacement, a turn
    Entries differences;
    for (const Entry& e : stiffness) {
      if (e.row >= nodes || e.column >= nodes || held(e.row) || held(e.column)) continue;
      const S size = number::abs(e.value);
      if (is_turn(e.column)) {
        sizes[1][e.row] += size;
      } else {
        sizes[0][e.row] += size;
        sizes[1][e.row] += far * size;
      }
      differences.push_back(e);
      differences.push_back({e.column, e.row, -e.value});
    }
    linalg::sum_entries(differences);
    for (const Entry& e : differences) {
      const S size = sizes[is_turn(e.column)][e.row] + sizes[is_turn(e.row)][e.column];
      if (number::abs(e.value) <= std::numeric_limits<S>::epsilon() * size)
        put(stiffness, e.row, e.column, S(-e.value / 2));
    }
    linalg::sum_entries(stiffness);
  }

 private:
  [[nodiscard]] static std::size_t is_turn(Index i) noexcept { return i % 6 < 3 ? 0 : 1; }
  static void put(Entries& entries, Index row, Index column, const S& value) {
    if (!number::is_zero(value)) entries.push_back({static_cast<int>(row), static_cast<int>(column), value});
  }
  /// −A_Vᵀ and −A_K.
  template <class T>
  void add_rows(std::vector<linalg::SparseEntry<T>>& all) const {
    const int below = static_cast<int>(nodes) + slides;
    for (const Entry& e : constraints)
      if (!held(e.column)) all.push_back({below + e.row, e.column, T(-e.value)});
    for (const Entry& e : reactions)
      if (!held(e.column)) all.push_back({e.column, below + e.row, T(-e.value)});
    for (const Entry& e : unforced) all.push_back({below + e.row, below + e.column, T(e.value)});
  }
};

/// Those of an assembly about `at`, whose velocities are left aside. Throws what `Assembly::rates` throws, as
/// a contact that would have to pull.
template <class Problem, class S>
[[nodiscard]] MotionMatrices<S> small_motions(const Problem& problem, const State<S>& at) {
  MotionMatrices<S> motions(at);
  auto rates = problem.make_rates();
  problem.rates(motions.x, rates);
  motions.lambda = rates.lambda;
  motions.slides = problem.internal_size();
  motions.rows = problem.row_count();
  motions.violation = problem.constraint(motions.x).position;
  each_of(problem.bodies(), [&](const auto& body, std::size_t i) { motions.add_body(body, rates.xidot[i]); });
  motions.known = Column<S>::Zero(motions.rows);
  motions.apart = Column<S>::Zero(motions.slides);
  Slot next;
  each_of(problem.constraints(), [&]<class C>(const C& c, std::size_t) {
    LinearisedConstraint<C> one(c, motions.x, next.z, motions.first, motions.nodes + next.z);
    one.hold(take<ConstraintTraits<C>::rows>(motions.lambda, next.row));
    motions.add_constraint(one, next);
    advance<C>(next, 1);
  });
  motions.finish();
  return motions;
}

}  // namespace dalembert::assembly::detail
