#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

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
    for (const Chain<S>& chain : chains) owner_.emplace_back(static_cast<std::size_t>(chain.nodes), -1);
    const std::size_t n = constraints.size();
    root_.resize(n);
    members_.resize(n);
    starts_.resize(n + 1);
    const auto rows = static_cast<std::size_t>(known.size());
    for (Column* c : {&scale_, &left_, &work_, &ordered_}) c->setZero(known.size());
    order_.resize(rows);
    systems_.resize(n);
  }

  /// Find which constraints share nodes.
  void find_clusters() {
    std::iota(root_.begin(), root_.end(), 0);
    for_each_node([&](int constraint, int& owner) {
      if (owner < 0)
        owner = constraint;
      else
        root_[static_cast<std::size_t>(root(constraint))] = root(owner);
    });
    for_each_node([](int, int& owner) { owner = -1; });
    // members of one cluster one after the other
    std::fill(starts_.begin(), starts_.end(), 0);
    const int n = static_cast<int>(constraints.size());
    for (int i = 0; i < n; ++i) ++starts_[static_cast<std::size_t>(root(i)) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    for (int i = 0; i < n; ++i)
      members_[static_cast<std::size_t>(starts_[static_cast<std::size_t>(root(i))]++)] = i;
    clusters_ = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (i + 1 == members_.size() || root(members_[i]) != root(members_[i + 1])) {
        systems_[static_cast<std::size_t>(clusters_++)].set_members(begin, i + 1);
        begin = i + 1;
      }
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
    bool symmetric_ = true;
    std::vector<S> matrix_, small_;
    std::vector<int> order_;
    Semidefinite<S> semidefinite_;
    General<S> general_;
  };

  [[nodiscard]] int root(int i) noexcept {
    while (root_[static_cast<std::size_t>(i)] != i) {
      auto& up = root_[static_cast<std::size_t>(i)];
      up = root_[static_cast<std::size_t>(up)];
      i = up;
    }
    return i;
  }

  /// f(constraint, owner of the node) for every node of every window.
  template <class F>
  void for_each_node(F&& f) {
    for (std::size_t i = 0; i < constraints.size(); ++i)
      for (int j = constraints[i].place; j < constraints[i].place + constraints[i].places; ++j) {
        const Window& w = places[static_cast<std::size_t>(j)].window;
        if (w.packs == 0) continue;
        auto& owner = owner_[w.body];
        const auto last =
            std::min(owner.size(), static_cast<std::size_t>(w.first + w.packs * rod::lane_width<S>));
        for (auto k = static_cast<std::size_t>(w.first); k < last; ++k)
          if (weights[w.weights + k - static_cast<std::size_t>(w.first)] != S(0))
            f(static_cast<int>(i), owner[k]);
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

  void assemble(System& system, const std::vector<Chain<S>>& chains,
                const std::vector<InertiaColumns<S>>& inertia) {
    const bool positions = kind_.positions;
    system.symmetric_ = true;
    system.n_ = 0;
    for (std::size_t i = system.begin_; i < system.end_; ++i) {
      const ConstraintRows<S>& c = constraints[static_cast<std::size_t>(members_[i])];
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
      const ConstraintRows<S>& b = constraints[static_cast<std::size_t>(members_[j])];
      int row = 0;
      for (std::size_t i = system.begin_; i < system.end_; ++i) {
        const ConstraintRows<S>& a = constraints[static_cast<std::size_t>(members_[i])];
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
      const ConstraintRows<S>& c = constraints[static_cast<std::size_t>(members_[i])];
      for (int r = 0; r < (positions ? c.positions : c.rows); ++r) f((positions ? c.position : c.row) + r);
    }
  }

  void solve(System& system, Column& b, Leftover& worst) {
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
  std::vector<std::vector<int>> owner_;
  std::vector<int> root_, members_, starts_, order_;
  std::vector<System> systems_;
  int clusters_ = 0;
  Column scale_, left_, work_, ordered_;
};

}  // namespace dalembert::assembly::detail
