#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include <dalembert/assembly/detail/body_list.hpp>
#include <dalembert/assembly/detail/linearised_body.hpp>
#include <dalembert/assembly/detail/load_differences.hpp>

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

}  // namespace dalembert::assembly::detail
