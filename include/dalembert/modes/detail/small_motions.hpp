#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/detail/linearised_body.hpp>
#include <dalembert/assembly/detail/linearised_constraint.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/linalg/sparse_equations.hpp>

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
template <class S_>
class MotionMatrices {
 public:
  using S = S_;
  using Index = Eigen::Index;
  using Column = Vec<S, Eigen::Dynamic>;
  using Entry = linalg::SparseEntry<S>;
  using Entries = std::vector<Entry>;

  State<S> x;                ///< the state, at rest
  Column lambda;             ///< multipliers that hold it
  Index nodes = 0;           ///< degrees of all nodes
  int slides = 0;            ///< internal coordinates
  int rows = 0;              ///< of constraints
  Column mass;               ///< M, 0 where held [kg, kg m²]
  Column damping;            ///< ν [1/s]
  Column unbalanced;         ///< f + A_Vᵀλ [N, N m]
  Column known;              ///< b
  Column apart;              ///< F
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
  /// The matrix of K + σ(D − νM) + diagonal, −A_Vᵀ; −A_K, with the identity where a degree is held.
  template <class T>
  [[nodiscard]] std::vector<linalg::SparseEntry<T>> matrix(const std::vector<T>& diagonal,
                                                           T sigma = T(0)) const {
    std::vector<linalg::SparseEntry<T>> all;
    all.reserve(stiffness.size() + constraints.size() + reactions.size() + static_cast<std::size_t>(nodes));
    for (const Entry& e : stiffness)
      if (!held(e.row) && !held(e.column)) all.push_back({e.row, e.column, T(e.value)});
    if (sigma != T(0))
      each_damping([&](const Entry& e) { all.push_back({e.row, e.column, sigma * e.value}); });
    add_rows(all);
    for (int i = 0; i < static_cast<int>(nodes); ++i)
      all.push_back({i, i, held(i) ? T(1) : diagonal[static_cast<std::size_t>(i)]});
    return all;
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

 protected:
  /// About `at`, at rest.
  explicit MotionMatrices(const State<S>& at) : x(at) {
    for (Chain<S>& chain : x.chains) chain.velocity.setConstant(S(0));
  }
  ~MotionMatrices() = default;

  /// What one constraint says, once all bodies are in.
  void add(const LinearisedRows<S>& one, const LinearisedSlot& at);
  /// Entries of one place are summed.
  void finish() {
    linalg::sum_entries(stiffness);
    for (Entries* of : {&load_damping, &friction}) {
      std::erase_if(*of, [&](const Entry& e) { return held(e.row) || held(e.column); });
      linalg::sum_entries(*of);
    }
  }
  static void put(Entries& entries, Index row, Index column, const S& value) {
    if (!number::is_zero(value)) entries.push_back({static_cast<int>(row), static_cast<int>(column), value});
  }

 private:
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

template <class S_>
void MotionMatrices<S_>::add(const LinearisedRows<S>& one, const LinearisedSlot& at) {
  const int R = one.rows;
  const Index s0 = nodes + at.z;
  const auto stiff = [&](Index i, Index j, const S& k) { put(stiffness, i, j, k); };
  one.each_geometric_stiffness(stiff);
  one.each_tangency([&](int r, Index j, const S& slope) { stiff(s0 + r, j, slope); });
  // of its rows u those of friction are T u = −εTδλ: the force −A_VᵀT u/ε is damping, the others
  // (1 − T) u = 0 hold, and T δλ = 0 in (1)
  const auto slips = [&](int r, int s) {
    const int number = r + R * s;
    return one.slips.empty() ? S(0) : one.slips[static_cast<std::size_t>(number)];
  };
  Entries own, pulls;
  one.each_row([&](Index degree, int r, const S& a, const S& pull) {
    for (int s = 0; s < R; ++s) {
      const S holds = S(s == r ? 1 : 0) - slips(s, r);
      put(constraints, at.row + s, degree, holds * a);
      put(reactions, at.row + s, degree, holds * pull);
    }
    put(own, r, degree, a);
    put(pulls, r, degree, pull);
  });
  S trace(0);
  for (int r = 0; r < R; ++r) {
    trace += slips(r, r);
    for (int s = 0; s < R; ++s) put(unforced, at.row + r, at.row + s, slips(r, s));
  }
  rubbing += static_cast<int>(std::lround(number::plain(trace)));
  if (!one.slips.empty())
    for (const Entry& f : pulls)
      for (const Entry& e : own)
        if (!number::is_zero(slips(f.row, e.row)))
          put(friction, f.column, e.column, f.value * slips(f.row, e.row) * e.value / one.mobility);
  for (int z = 0; z < one.slides; ++z) apart[at.z + z] = one.apart[static_cast<std::size_t>(z)];
  for (int r = 0; r < R; ++r) known[at.row + r] = one.known[static_cast<std::size_t>(r)];
}

/// Those of an assembly.
template <class Problem>
class SmallMotions;

template <Body... B, Constraint... C>
class SmallMotions<Assembly<Kinds<B...>, Kinds<C...>>>
    : public MotionMatrices<typename Assembly<Kinds<B...>, Kinds<C...>>::S> {
  static_assert((StaticBody<B> && ...),
                "a body has no add_stiffness(body, chain, add); that of rods is in rod/stiffness.hpp");

 public:
  using Problem = Assembly<Kinds<B...>, Kinds<C...>>;
  using S = typename Problem::S;
  using Matrices = MotionMatrices<S>;
  using typename Matrices::Column;
  using typename Matrices::Entries;
  using typename Matrices::Index;

  /// About `at`, whose velocities are left aside. Throws what `Assembly::rates` throws, as a contact that
  /// would have to pull.
  SmallMotions(const Problem& problem, const State<S>& at) : Matrices(at) {
    auto rates = problem.make_rates();
    problem.rates(this->x, rates);
    this->lambda = rates.lambda;
    this->slides = problem.internal_size();
    this->rows = problem.row_count();
    this->violation = problem.constraint(this->x).position;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (add_bodies(problem.template bodies<I>(), rates), ...);
    }
    (std::index_sequence_for<B...>{});
    this->known = Column::Zero(this->rows);
    this->apart = Column::Zero(this->slides);
    LinearisedSlot next{};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (add_constraints(problem.template constraints<I>(), next), ...);
    }
    (std::index_sequence_for<C...>{});
    this->finish();
  }

 private:
  template <class K>
  void add_constraints(const std::vector<K>& list, LinearisedSlot& at) {
    for (const K& c : list) {
      LinearisedConstraint<K> one(c, this->x, at.z, this->first, this->nodes + at.z);
      one.hold(take<ConstraintTraits<K>::rows>(this->lambda, at.row));
      this->add(one, at);
      at.z += one.slides;
      at.row += one.rows;
    }
  }
  template <class K, class Rates>
  void add_bodies(const std::vector<K>& bodies, const Rates& rates) {
    for (const K& body : bodies) {
      const std::size_t i = this->first.size();
      const Index begin = this->nodes;
      this->first.push_back(begin);
      this->nodes += 6 * body.nodes();
      for (Column* c : {&this->mass, &this->damping, &this->unbalanced}) c->conservativeResize(this->nodes);
      const LinearisedBody<K> linearised(body, this->x[i], this->x.time);
      for (Index k = 0; k < body.nodes(); ++k) {
        const auto own = linearised.mass(k);
        for (int j = 0; j < 6; ++j) {
          const Index row = begin + 6 * k + j;
          this->mass[row] = own[static_cast<std::size_t>(j)];
          this->damping[row] = damping_rate(body);
          this->unbalanced[row] = this->mass[row] * rates.xidot[i](k, j);
        }
      }
      const auto put_block = [&](Entries& entries, Index k, Index l, const auto& block) {
        for (int a = 0; a < 6; ++a)
          for (int b = 0; b < 6; ++b) this->put(entries, begin + 6 * k + a, begin + 6 * l + b, block(a, b));
      };
      linearised.each_stiffness(
          [&](Index k, Index l, const auto& block) { put_block(this->stiffness, k, l, block); });
      linearised.each_damping(
          [&](Index k, Index l, const auto& block) { put_block(this->load_damping, k, l, block); });
    }
  }
};

}  // namespace dalembert::assembly::detail
