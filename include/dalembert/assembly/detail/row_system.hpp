#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/clusters.hpp>
#include <dalembert/assembly/detail/general.hpp>
#include <dalembert/assembly/detail/row_table.hpp>
#include <dalembert/assembly/detail/semidefinite.hpp>

/// The systems A M⁻¹ A_Vᵀ μ = b of the rows of an assembly. Two constraints meet only in nodes that they share, so
/// that the matrix falls apart into clusters of constraints, which are found in each state and solved one by one.
namespace dalembert::assembly::detail {

/// The rows of all constraints, and the solution of their systems; see the head of this file.
template <class S>
class RowSystem : public RowTable<S> {
 public:
  using Column = Vec<S, Eigen::Dynamic>;
  using Table = RowTable<S>;
  using Table::constraints, Table::places, Table::weights, Table::known;

  /// Room for the systems, once all constraints are known.
  void make_room(const std::vector<Chain<S>>& chains) {
    std::vector<std::vector<int>> owners;
    for (const Chain<S>& chain : chains) owners.emplace_back(static_cast<std::size_t>(chain.nodes), -1);
    members_.make_room(constraints.size(), std::move(owners));
    for (Column* c : {&scale_, &left_, &work_, &ordered_}) c->setZero(known.size());
    systems_.resize(constraints.size());
  }

  /// Find which constraints share nodes.
  void find_clusters() {
    members_.find([&](const auto& touch) { each_node(touch); });
    clusters_ = 0;
    members_.each([&](std::size_t begin, std::size_t end) {
      systems_[static_cast<std::size_t>(clusters_++)].set_members(begin, end);
    });
  }

  /// Number of clusters.
  [[nodiscard]] int clusters() const noexcept { return clusters_; }

  /// Assemble and decompose the systems of all clusters.
  void decompose(RowKind kind, const std::vector<Chain<S>>& chains,
                 const std::vector<InertiaColumns<S>>& inertia) {
    kind_ = kind;
    for (int i = 0; i < clusters_; ++i) assemble(systems_[static_cast<std::size_t>(i)], chains, inertia);
  }

  /// What is left of b where a system has no solution, in the units of the kinetic energy [√J, or √J/s].
  struct Leftover {
    int row = -1;  ///< where most is left, −1 if nothing is
    S size{};      ///< how much
    S largest{};   ///< the largest entry of b
  };
  /// b ← the solution μ of each system.
  Leftover solve(Column& b) {
    Leftover worst;
    for (int i = 0; i < clusters_; ++i) solve(systems_[static_cast<std::size_t>(i)], b, worst);
    return worst;
  }

  /// Rows that follow from others, as the last systems had it.
  [[nodiscard]] int redundant() const noexcept {
    int count = 0;
    for (int i = 0; i < clusters_; ++i) count += systems_[static_cast<std::size_t>(i)].redundant();
    return count;
  }

 private:
  using Table::coefficients;

  /// The system of one cluster.
  class System {
   public:
    void set_members(std::size_t begin, std::size_t end) noexcept {
      begin_ = begin;
      end_ = end;
    }
    [[nodiscard]] int redundant() const noexcept { return n_ - rank_; }

    std::size_t begin_ = 0, end_ = 0;
    int n_ = 0, rank_ = 0;
    bool direct_ = false;  // solved by `inverse_`
    Mat<S, 3> inverse_;
    bool symmetric_ = true;
    std::vector<S> matrix_, small_;
    std::vector<int> order_;
    Semidefinite<S> semidefinite_;
    General<S> general_;
  };

  /// f(constraint, body, node) for every node that bears a place.
  template <class F>
  void each_node(const F& f) const {
    for (std::size_t i = 0; i < constraints.size(); ++i)
      for (int j = constraints[i].place; j < constraints[i].place + constraints[i].places; ++j) {
        const Window& w = places[static_cast<std::size_t>(j)].window;
        for (int lane = 0; lane < w.packs * rod::lane_width<S>; ++lane)
          if (weights[w.weights + static_cast<std::size_t>(lane)] != S(0))
            f(i, w.body, static_cast<std::size_t>(w.first + lane));
      }
  }

  /// The block of two constraints in A M⁻¹ A_Vᵀ.
  [[nodiscard]] Eigen::Matrix<S, most_rows, most_rows> block(
      const ConstraintRows<S>& a, const ConstraintRows<S>& b, const std::vector<Chain<S>>& chains,
      const std::vector<InertiaColumns<S>>& inertia) const {
    Eigen::Matrix<S, most_rows, most_rows> g;
    std::fill_n(g.data(), g.size(), S(0));
    for (int i = a.place; i < a.place + a.places; ++i)
      for (int j = b.place; j < b.place + b.places; ++j) {
        const RowsAtPlace<S>& p = places[static_cast<std::size_t>(i)];
        const RowsAtPlace<S>& q = places[static_cast<std::size_t>(j)];
        if (p.window.packs == 0 || q.window.packs == 0 || p.window.body != q.window.body) continue;
        const InertiaColumns<S>& m = inertia[p.window.body];
        const Compliance<S> c = i == j ? compliance(p.window, weights, chains, m)
                                       : compliance(p.window, q.window, weights, chains, m);
        const Coefficients<S>& left = p.row;
        const Coefficients<S>& right = coefficients(b, q, kind_);
        for (int s = 0; s < b.rows; ++s) {
          Vec<S, 3> turned(S(0), S(0), S(0));
          for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 3; ++x) turned[x] += c.angular(x, y) * right.angular(s, y);
          for (int r = 0; r < a.rows; ++r)
            for (int x = 0; x < 3; ++x)
              g(r, s) +=
                  left.linear(r, x) * c.linear[x] * right.linear(s, x) + left.angular(r, x) * turned[x];
        }
      }
    return g;
  }

  /// The inverse in closed form for a cluster of one constraint with one row or three whose places lie on different bodies, unless rows nearly
  /// depend on each other.
  [[nodiscard]] bool invert(System& system, const std::vector<Chain<S>>& chains,
                            const std::vector<InertiaColumns<S>>& inertia) const {
    const ConstraintRows<S>& c = constraints[members_.member(system.begin_)];
    const int n = kind_.positions ? c.positions : c.rows;
    if (system.end_ - system.begin_ > 1 || c.reacts_elsewhere || !(n == 1 || n == 3) || c.places > 2)
      return false;
    const RowsAtPlace<S>* const p = &places[static_cast<std::size_t>(c.place)];
    if (c.places == 2 && p[0].window.packs > 0 && p[1].window.packs > 0 &&
        p[0].window.body == p[1].window.body)
      return false;
    Mat<S, 3> g;
    std::fill_n(g.data(), 9, S(0));
    for (int i = 0; i < c.places; ++i) {
      if (p[i].window.packs == 0) continue;
      const InertiaColumns<S>& m = inertia[p[i].window.body];
      if (kind_.positions && !c.turns) {
        const Vec<S, 3> linear = linear_compliance(p[i].window, weights, m);
        for (int r = 0; r < n; ++r)
          for (int s = 0; s <= r; ++s)
            for (int x = 0; x < 3; ++x) g(r, s) += moved(c, p[i], r, x) * linear[x] * moved(c, p[i], s, x);
      } else if (kind_.positions) {
        return false;
      } else {
        add_products(n, p[i].row, compliance(p[i].window, weights, chains, m), g);
      }
    }
    system.n_ = system.rank_ = n;
    if (n == 1) {
      system.inverse_(0, 0) = S(1) / g(0, 0);
      return g(0, 0) > S(0);
    }
    const S a = g(1, 1) * g(2, 2) - g(2, 1) * g(2, 1), b = g(2, 1) * g(2, 0) - g(1, 0) * g(2, 2),
            d = g(1, 0) * g(2, 1) - g(1, 1) * g(2, 0);
    const S det = g(0, 0) * a + g(1, 0) * b + g(2, 0) * d;
    const S in = S(1) / det;
    Mat<S, 3>& k = system.inverse_;
    k(0, 0) = a * in;
    k(1, 0) = k(0, 1) = b * in;
    k(2, 0) = k(0, 2) = d * in;
    k(1, 1) = (g(0, 0) * g(2, 2) - g(2, 0) * g(2, 0)) * in;
    k(2, 1) = k(1, 2) = (g(1, 0) * g(2, 0) - g(0, 0) * g(2, 1)) * in;
    k(2, 2) = (g(0, 0) * g(1, 1) - g(1, 0) * g(1, 0)) * in;
    return det > S(1e-6) * g(0, 0) * g(1, 1) * g(2, 2);
  }
  /// Entry (r, x) of C L.
  [[nodiscard]] static S moved(const ConstraintRows<S>& c, const RowsAtPlace<S>& p, int r, int x) noexcept {
    S sum(0);
    for (int q = 0; q < c.rows; ++q) sum += c.along(r, q) * p.row.linear(q, x);
    return sum;
  }
  /// Lower half of L c Lᵀ + B c Bᵀ.
  static void add_products(int n, const Coefficients<S>& row, const Compliance<S>& c, Mat<S, 3>& g) noexcept {
    for (int s = 0; s < n; ++s) {
      S turned[3];
      for (int x = 0; x < 3; ++x)
        turned[x] = c.angular(x, 0) * row.angular(s, 0) + c.angular(x, 1) * row.angular(s, 1) +
                    c.angular(x, 2) * row.angular(s, 2);
      for (int r = s; r < n; ++r)
        for (int x = 0; x < 3; ++x)
          g(r, s) += row.linear(r, x) * c.linear[x] * row.linear(s, x) + row.angular(r, x) * turned[x];
    }
  }

  void assemble(System& system, const std::vector<Chain<S>>& chains,
                const std::vector<InertiaColumns<S>>& inertia) {
    system.direct_ = invert(system, chains, inertia);
    if (system.direct_) return;
    const bool positions = kind_.positions;
    system.symmetric_ = true;
    system.n_ = 0;
    for (std::size_t i = system.begin_; i < system.end_; ++i) {
      const ConstraintRows<S>& c = constraints[members_.member(i)];
      system.n_ += positions ? c.positions : c.rows;
      if (c.reacts_elsewhere && !kind_.repair) system.symmetric_ = false;
    }
    const int n = system.n_;
    const auto entries = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    if (system.matrix_.size() < entries) {
      system.matrix_.resize(entries);
      system.small_.resize(entries);
      system.order_.resize(static_cast<std::size_t>(n));
    }
    S* const g = system.matrix_.data();
    int column = 0;
    for (std::size_t j = system.begin_; j < system.end_; ++j) {
      const ConstraintRows<S>& b = constraints[members_.member(j)];
      int row = 0;
      for (std::size_t i = system.begin_; i < system.end_; ++i) {
        const ConstraintRows<S>& a = constraints[members_.member(i)];
        if (i >= j || !system.symmetric_) {
          const auto whole = block(a, b, chains, inertia);
          const int rows = positions ? a.positions : a.rows, columns = positions ? b.positions : b.rows;
          for (int s = 0; s < columns; ++s)
            for (int r = 0; r < rows; ++r) {
              S x(0);
              if (positions) {
                for (int p = 0; p < a.rows; ++p)
                  for (int q = 0; q < b.rows; ++q) x += a.along(r, p) * whole(p, q) * b.along(s, q);
              } else {
                x = whole(r, s);
              }
              g[(column + s) * n + row + r] = x;
            }
        }
        row += positions ? a.positions : a.rows;
      }
      column += positions ? b.positions : b.rows;
    }
    // unit diagonal
    int r = 0;
    for_each_row(system, [&](int at) {
      const S diagonal = std::abs(g[r * n + r]);
      scale_[at] = diagonal > std::numeric_limits<S>::min() ? S(1) / std::sqrt(diagonal) : S(0);
      ++r;
    });
    int s = 0;
    for_each_row(system, [&](int at_s) {
      int i = 0;
      for_each_row(system, [&](int at_i) {
        g[s * n + i] *= scale_[at_i] * scale_[at_s];
        ++i;
      });
      ++s;
    });
    if (system.symmetric_) {
      system.semidefinite_.decompose(g, n, system.small_.data(), system.order_.data());
      system.rank_ = system.semidefinite_.rank();
    } else {
      system.general_.decompose(g, n, system.order_.data());
      system.rank_ = system.general_.rank();
    }
  }

  /// f(row) for each row of a system.
  template <class F>
  void for_each_row(const System& system, F&& f) const {
    const bool positions = kind_.positions;
    for (std::size_t i = system.begin_; i < system.end_; ++i) {
      const ConstraintRows<S>& c = constraints[members_.member(i)];
      for (int r = 0; r < (positions ? c.positions : c.rows); ++r) f((positions ? c.position : c.row) + r);
    }
  }

  void solve(System& system, Column& b, Leftover& worst) {
    if (system.direct_) {
      const ConstraintRows<S>& c = constraints[members_.member(system.begin_)];
      S* const x = b.data() + (kind_.positions ? c.position : c.row);
      if (system.n_ == 1) {
        x[0] *= system.inverse_(0, 0);
        return;
      }
      const Vec<S, 3> given(x[0], x[1], x[2]);
      for (int i = 0; i < 3; ++i)
        x[i] = system.inverse_(i, 0) * given[0] + system.inverse_(i, 1) * given[1] +
               system.inverse_(i, 2) * given[2];
      return;
    }
    int r = 0;
    for_each_row(system, [&](int at) {
      ordered_[r] = scale_[at] * b[at];
      worst.largest = std::max(worst.largest, std::abs(ordered_[r++]));
    });
    if (system.symmetric_)
      system.semidefinite_.solve(ordered_.data(), left_.data(), work_.data());
    else
      system.general_.solve(ordered_.data(), left_.data(), work_.data());
    r = 0;
    for_each_row(system, [&](int at) {
      // a row on which no node can move has scale 0: all of b is left, in its own unit
      const S left = scale_[at] == S(0) ? std::abs(b[at]) : std::abs(left_[r]);
      if (left > worst.size) {
        worst.row = at;
        worst.size = left;
      }
      b[at] = scale_[at] * ordered_[r++];
    });
  }

  RowKind kind_{};
  Clusters members_;
  std::vector<System> systems_;
  int clusters_ = 0;
  Column scale_, left_, work_, ordered_;
};

}  // namespace dalembert::assembly::detail
