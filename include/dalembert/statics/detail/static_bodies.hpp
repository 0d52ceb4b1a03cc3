#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/assembly/detail/body_list.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/statics/detail/static_table.hpp>
#include <dalembert/tangents/linearised_body.hpp>
#include <dalembert/tangents/load_differences.hpp>

/// What the equations of statics ask of bodies, whatever their kind.
namespace dalembert::assembly::detail {

/// What they ask of those of one kind: matrices and sizes are plain numbers.
template <class S>
class StaticBodies : public LinearisedBodies<S> {
 public:
  using Real = number::Plain<S>;

  /// add(k, l, K_kl).
  virtual void each_stiffness(std::size_t i, const Chain<S>& at, S time, const AddBlock<Real>& add) const = 0;
  /// M of the six degrees of node k, 0 where it is held.
  [[nodiscard]] virtual std::array<Real, 6> mass(std::size_t i, const Chain<S>& at, S time,
                                                 Index k) const = 0;
  /// How long it is, lying as it may [m].
  [[nodiscard]] virtual Real length(std::size_t i, const Chain<S>& at) const = 0;

 protected:
  ~StaticBodies() = default;
};

/// Those of the kind B.
template <Body B>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class StaticOfKind final : public BodiesOfKind<B, StaticBodies<typename B::Scalar>> {
 public:
  using Base = BodiesOfKind<B, StaticBodies<typename B::Scalar>>;
  using Base::Base;
  using typename Base::Real;
  using typename Base::S;

  [[gnu::noinline]] void each_stiffness(std::size_t i, const Chain<S>& at, S time,
                                        const AddBlock<Real>& add) const override {
    LinearisedBody<B>(list_[i], at, time).each_stiffness_value(add);
  }
  [[gnu::cold, gnu::noinline]] std::array<Real, 6> mass(std::size_t i, const Chain<S>& at, S time,
                                                        Index k) const override {
    const std::array<S, 6> own = LinearisedBody<B>(list_[i], at, time).mass(k);
    std::array<Real, 6> m;
    std::transform(own.begin(), own.end(), m.begin(), [](const S& one) { return value_of(one); });
    return m;
  }
  [[gnu::cold, gnu::noinline]] Real length(std::size_t i, const Chain<S>& at) const override {
    return value_of(S(length_of_body(list_[i], at)));
  }

 private:
  using Base::list_;
};

/// All bodies of an assembly, whose unknowns are numbered one body after the other, six for each node.
template <class S>
class StaticBodyList {
 public:
  explicit StaticBodyList(std::span<StaticBodies<S>* const> kinds) : kinds_(kinds) {}

  /// The first unknown of each body.
  [[nodiscard]] const std::vector<Index>& first() const noexcept { return first_; }
  /// Numbers the unknowns, and answers how many there are. Throws std::invalid_argument for chains that do
  /// not fit.
  [[nodiscard, gnu::cold, gnu::noinline]] Index number(const State<S>& x) {
    Index next = 0;
    each([&](const StaticBodies<S>& kind, std::size_t own, std::size_t i) {
      next = number(x, i, kind.nodes(own), next);
    });
    require(!first_.empty() && first_.size() == x.chains.size(), "statics", "chains", x.chains.size(),
            "there must be one chain per body");
    return next;
  }

  /// f(kind, number in the kind, number of the body).
  template <class F>
  void each(const F& f) const {
    each_body(kinds_, f);
  }
  /// f(body number, node, its first unknown).
  template <class F>
  void each_node(const State<S>& x, const F& f) const {
    for (std::size_t i = 0; i < first_.size(); ++i)
      for (Index k = 0; k < x[i].nodes; ++k) f(i, k, first_[i] + 6 * k);
  }
  /// f(unknown of a node, its mass or moment of inertia, 0 where it is held).
  template <class F>
  void each_mass(const State<S>& x, const F& f) const {
    each([&](const StaticBodies<S>& kind, std::size_t own, std::size_t i) {
      for (Index k = 0; k < x[i].nodes; ++k) {
        const std::array<number::Plain<S>, 6> mass = kind.mass(own, x[i], x.time, k);
        for (Index j = 0; j < 6; ++j) f(first_[i] + 6 * k + j, mass[static_cast<std::size_t>(j)]);
      }
    });
  }
  /// Held nodes where bodies have them at the time of the state.
  void put_held(State<S>& x) const {
    each([&](const StaticBodies<S>& kind, std::size_t own, std::size_t i) {
      kind.put_held(own, x[i], x.time);
    });
  }
  /// The loads on a body; false where they mean nothing.
  bool push_loads(const StaticBodies<S>& kind, std::size_t own, std::size_t i, const State<S>& x,
                  StaticTable<S>& table) {
    if (loads_.rows() != rod::padded_rows<S>(x[i].nodes)) loads_ = rod::zero_columns<S, 6>(x[i].nodes);
    const bool valid = kind.find_loads(own, x[i], x.time, loads_);
    for (Index k = 0; k < x[i].nodes; ++k)
      for (int j = 0; j < 6; ++j) table.push(first_[i] + 6 * k + j, loads_(k, j));
    return valid;
  }

 private:
  /// Numbers those of body i from `first` on, and answers where those of the next begin.
  [[gnu::cold, gnu::noinline]] Index number(const State<S>& x, std::size_t i, Index nodes, Index first) {
    require(i < x.chains.size(), "statics", "chain", i, "there must be one chain per body");
    require_entry(x[i].nodes == nodes, "statics", "nodes of chain", i, x[i].nodes,
                  "a chain must have the nodes of its body");
    require_entry(x[i].finite(), "statics", "chain", i, "not finite", "positions must be finite");
    first_.push_back(first);
    return first + 6 * nodes;
  }

  std::span<StaticBodies<S>* const> kinds_;
  std::vector<Index> first_;
  rod::Columns<S, 6> loads_;  // of one body
};

}  // namespace dalembert::assembly::detail
