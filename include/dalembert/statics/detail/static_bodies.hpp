#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <dalembert/assembly/detail/body_list.hpp>
#include <dalembert/assembly/detail/linearised_body.hpp>
#include <dalembert/assembly/detail/load_differences.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/statics/detail/static_table.hpp>

/// What the equations of statics ask of bodies, whatever their kind.
namespace dalembert::assembly::detail {

/// The bodies of one kind, each told by its number among these.
template <class S>
class StaticBodies {
 public:
  using Index = Eigen::Index;
  using AddBlock = std::function<void(Index k, Index l, const Mat<S, 6, 6>& block)>;

  StaticBodies(const StaticBodies&) = delete;
  StaticBodies& operator=(const StaticBodies&) = delete;

  [[nodiscard]] virtual std::size_t count() const noexcept = 0;
  [[nodiscard]] virtual Index nodes(std::size_t i) const = 0;
  /// All loads on the nodes; false where they mean nothing.
  [[nodiscard]] virtual bool find_loads(std::size_t i, const Chain<S>& at, S time,
                                        rod::Columns<S, 6>& f) const = 0;
  /// add(k, l, K_kl).
  virtual void each_stiffness(std::size_t i, const Chain<S>& at, S time, const AddBlock& add) const = 0;
  /// M of the six degrees of node k, 0 where it is held.
  [[nodiscard]] virtual std::array<S, 6> mass(std::size_t i, const Chain<S>& at, S time, Index k) const = 0;
  /// What is prescribed goes where it is at this time.
  virtual void put_held(std::size_t i, Chain<S>& chain, S time) const = 0;
  /// How long it is, lying as it may [m].
  [[nodiscard]] virtual S length(std::size_t i, const Chain<S>& at) const = 0;

 protected:
  StaticBodies() = default;
  ~StaticBodies() = default;
};

/// Those of the kind B.
template <Body B>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class StaticOfKind final : public StaticBodies<typename B::Scalar> {
  static_assert(StaticBody<B>,
                "a body has no add_stiffness(body, chain, add); that of rods is in rod/stiffness.hpp");

 public:
  using S = typename B::Scalar;
  using typename StaticBodies<S>::Index;
  using typename StaticBodies<S>::AddBlock;

  /// Of a list, which stays where it is.
  explicit StaticOfKind(const std::vector<B>& list) : list_(list) {}

  std::size_t count() const noexcept override { return list_.size(); }
  Index nodes(std::size_t i) const override { return list_[i].nodes(); }
  bool find_loads(std::size_t i, const Chain<S>& at, S time, rod::Columns<S, 6>& f) const override {
    return forces_of(list_[i], at, time, f);
  }
  void each_stiffness(std::size_t i, const Chain<S>& at, S time, const AddBlock& add) const override {
    LinearisedBody<B>(list_[i], at, time).each_stiffness(add);
  }
  std::array<S, 6> mass(std::size_t i, const Chain<S>& at, S time, Index k) const override {
    return LinearisedBody<B>(list_[i], at, time).mass(k);
  }
  void put_held(std::size_t i, Chain<S>& chain, S time) const override { hold(list_[i], chain, time); }
  S length(std::size_t i, const Chain<S>& at) const override { return S(length_of_body(list_[i], at)); }

 private:
  const std::vector<B>& list_;
};

/// All bodies of an assembly, whose unknowns are numbered one body after the other, six for each node.
template <class S>
class StaticBodyList {
 public:
  using Index = Eigen::Index;

  explicit StaticBodyList(std::span<StaticBodies<S>* const> kinds) : kinds_(kinds) {}

  /// The first unknown of each body.
  [[nodiscard]] const std::vector<Index>& first() const noexcept { return first_; }
  /// Numbers the unknowns, and answers how many there are. Throws std::invalid_argument for chains that do
  /// not fit.
  [[nodiscard]] Index number(const State<S>& x) {
    Index next = 0;
    each([&](const StaticBodies<S>& kind, std::size_t own, std::size_t i) {
      const Index nodes = kind.nodes(own);
      require(i < x.chains.size(), "statics", "chain", i, "there must be one chain per body");
      require_entry(x[i].nodes == nodes, "statics", "nodes of chain", i, x[i].nodes,
                    "a chain must have the nodes of its body");
      require_entry(x[i].finite(), "statics", "chain", i, "not finite", "positions must be finite");
      first_.push_back(next);
      next += 6 * nodes;
      loads_.push_back(rod::zero_columns<S, 6>(nodes));
    });
    require(!first_.empty() && first_.size() == x.chains.size(), "statics", "chains", x.chains.size(),
            "there must be one chain per body");
    return next;
  }

  /// f(kind, number in the kind, number of the body).
  template <class F>
  void each(const F& f) const {
    std::size_t number = 0;
    for (const StaticBodies<S>* const kind : kinds_)
      for (std::size_t i = 0; i < kind->count(); ++i) f(*kind, i, number++);
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
        const std::array<S, 6> mass = kind.mass(own, x[i], x.time, k);
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
    const bool valid = kind.find_loads(own, x[i], x.time, loads_[i]);
    for (Index k = 0; k < x[i].nodes; ++k)
      for (int j = 0; j < 6; ++j) table.push(first_[i] + 6 * k + j, loads_[i](k, j));
    return valid;
  }

 private:
  std::span<StaticBodies<S>* const> kinds_;
  std::vector<Index> first_;
  std::vector<rod::Columns<S, 6>> loads_;
};

}  // namespace dalembert::assembly::detail
