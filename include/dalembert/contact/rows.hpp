#pragma once

#include <array>
#include <string>
#include <utility>

#include <dalembert/contact/smearing.hpp>

/// The constraint rows A of one rod in a rolling contact, as passes over the packs of its window: sums A v, A v̇ and A M⁻¹ Aᵀ, loads Aᵀμ and
/// impulses M⁻¹Aᵀμ. No row is stored; each pass makes them anew from the weights and frames of the nodes.
namespace dalembert::contact {

/// Passes over the window of one rod; `Side` is 0 for rod 1, 1 for rod 2.
template <class S, Kernel K, class Smearing>
class ContactRows {
 public:
  using L = Lane<S>;           ///< lanes of nodes
  using Index = Eigen::Index;  ///< counts nodes

  /// For a rod and how it is smeared. Throws std::invalid_argument for a kernel over all nodes if the ends are not like inner nodes.
  template <class R>
  ContactRows(const Smear<S, K>& smear, const R& rod)
      : smear_(smear), inverse_mass_(S(1) / rod.node_mass()), inverse_rotary_(inverse(rod.node_rotary())) {
    if constexpr (K::reach == 0)
      for (const Index k : {Index(0), rod.nodes() - 1})
        require(rod.mass_fraction(k) == S(1) && !rod.held(k, 0), "RollingContact", "end_mass_fraction",
                rod.mass_fraction(k), "a kernel over all nodes needs free ends with the mass of inner nodes");
  }

  /// Throws std::invalid_argument for a rod, number `i`, with other nodes, spacing or masses than the one that the rows were made for.
  template <class R>
  void check_rod(const R& rod, std::size_t i) const {
    if (rod.nodes() != smear_.nodes())
      require(false, "RollingContact", message({"nodes of rod ", i}), rod.nodes(),
              message({"the contact was made for a rod with ", smear_.nodes()}));
    if (!(smear_.fits(rod.spacing(), rod.nodes()) && inverse_mass_ == S(1) / rod.node_mass() &&
          inverse_rotary_ == inverse(rod.node_rotary())))
      require(false, "RollingContact", message({"spacing and masses of rod ", i}), rod.spacing(),
              "the contact was made for a rod with others");
  }

  /// How the rod is smeared.
  [[nodiscard]] const Smear<S, K>& smear() const noexcept { return smear_; }

  /// Add the six different entries of A M⁻¹ Aᵀ to `gram` and A v to `slip`, lane by lane.
  template <int Side, class Frame>
  [[gnu::flatten]] void add_velocities(const Frame& frame, const rod::Chain<S>& chain,
                                       const SmearedPoint<S>& p, std::array<L, 6>& gram,
                                       Triple<L>& slip) const noexcept {
    for (int pack = 0; pack < p.packs; ++pack) {
      const Index k = node(p, pack);
      const auto a = rows<Side>(frame, chain, p, pack);
      slip += a.apply(rod::load3<0, L>(chain.velocity, k), rod::load3<3, L>(chain.velocity, k));
      add_products(a, gram);
    }
  }

  /// A x for x with spatial and body parts as velocities and accelerations have them.
  template <int Side, class Frame>
  [[nodiscard]] Vec<S, 3> apply(const Frame& frame, const rod::Chain<S>& chain, const SmearedPoint<S>& p,
                                const rod::Columns<S, 6>& x) const noexcept {
    Triple<L> total{L(S(0)), L(S(0)), L(S(0))};
    for (int pack = 0; pack < p.packs; ++pack) {
      const Index k = node(p, pack);
      total += rows<Side>(frame, chain, p, pack).apply(rod::load3<0, L>(x, k), rod::load3<3, L>(x, k));
    }
    return rod::lane_sum(total);
  }

  /// Add A v̇ to `b`, lane by lane, v̇ from the loads f and the gyroscopic terms; V, V′, W, W′ are what the same pass smears.
  template <int Side, class Frame, class R>
  [[nodiscard, gnu::flatten]] SmearedVelocity<S> add_accelerations(const Frame& frame, const R& rod,
                                                                   const rod::Chain<S>& chain,
                                                                   const SmearedPoint<S>& p,
                                                                   const rod::Columns<S, 6>& f,
                                                                   Triple<L>& b) const noexcept {
    VelocitySums<L> sums;
    for (int pack = 0; pack < p.packs; ++pack) {
      const Index k = node(p, pack);
      const Weights<L> w = smear_.weights(p, pack);
      const auto a = Smearing::template rows<Side>(frame, w.value, chain, k);
      Triple<L> linear, angular;
      rod.inner_accelerations(chain, f, k, linear, angular);
      b += a.apply(linear, angular);
      sums.add(w, chain, k);
    }
    return sums.total();
  }

  /// f += Aᵀμ.
  template <int Side, class Frame>
  [[gnu::flatten]] void add_loads(const Frame& frame, const rod::Chain<S>& chain, const SmearedPoint<S>& p,
                                  const Vec<S, 3>& mu, rod::Columns<S, 6>& f) const noexcept {
    const Triple<L> lanes = detail::broadcast<L>(mu);
    for (int pack = 0; pack < p.packs; ++pack) {
      const Index k = node(p, pack);
      const auto a = rows<Side>(frame, chain, p, pack);
      rod::store3<0>(rod::load3<0, L>(f, k) + a.force(lanes), f, k);
      rod::store3<3>(rod::load3<3, L>(f, k) + a.torque(lanes), f, k);
    }
  }

  /// v += M⁻¹Aᵀμ.
  template <int Side, class Frame>
  [[gnu::flatten]] void add_impulse(const Frame& frame, rod::Chain<S>& chain, const SmearedPoint<S>& p,
                                    const Vec<S, 3>& mu) const noexcept {
    const Triple<L> lanes = detail::broadcast<L>(mu);
    const L m(inverse_mass_);
    const Triple<L> j = detail::broadcast<L>(inverse_rotary_);
    for (int pack = 0; pack < p.packs; ++pack) {
      const Index k = node(p, pack);
      const auto a = rows<Side>(frame, chain, p, pack);
      rod::store3<0>(rod::load3<0, L>(chain.velocity, k) + m * a.force(lanes), chain.velocity, k);
      rod::store3<3>(rod::load3<3, L>(chain.velocity, k) + scaled(j, a.torque(lanes)), chain.velocity, k);
    }
  }

  /// Σ α²/m: how far R moves per unit impulse on it [1/kg].
  [[nodiscard]] S compliance(const SmearedPoint<S>& p) const noexcept { return inverse_mass_ * p.square; }

  /// Σ α α′/m: how far R′ moves [1/(kg m)].
  [[nodiscard]] S turn(const SmearedPoint<S>& p) const noexcept { return inverse_mass_ * p.square_slope; }

  /// What `push` will do to the smeared point: R and R′ change by Σα² x/m and Σαα′ x/m.
  void push(SmearedPoint<S>& p, const Triple<S>& x) const noexcept {
    p.R = Triple<S>(p.R) + compliance(p) * x;
    p.dR = Triple<S>(p.dR) + turn(p) * x;
  }

  /// (R, R′) after a small step d in s and a push there.
  [[nodiscard]] std::pair<Vec<S, 3>, Vec<S, 3>> moved(const SmearedPoint<S>& p, S d,
                                                      const Triple<S>& x) const noexcept {
    return {Triple<S>(p.R_after(d)) + (inverse_mass_ * p.square_after(d)) * x,
            Triple<S>(p.dR_after(d)) + (inverse_mass_ * p.square_slope_after(d)) * x};
  }

  /// Positions move by α x/m for an impulse-like x [kg m]; velocities change by that times `per_time` [1/s].
  [[gnu::flatten]] void push(rod::Chain<S>& chain, const SmearedPoint<S>& p, const Triple<S>& x,
                             S per_time) const noexcept {
    const Triple<L> move = detail::broadcast<L>(Vec<S, 3>(inverse_mass_ * x));
    const L rate(per_time);
    for (int pack = 0; pack < p.packs; ++pack) {
      const Index k = node(p, pack);
      const Triple<L> step = smear_.weights(p, pack).value * move;
      rod::store3<0>(rod::load3<0, L>(chain.configuration, k) + step, chain.configuration, k);
      rod::store3<0>(rod::load3<0, L>(chain.velocity, k) + rate * step, chain.velocity, k);
    }
  }

 private:
  [[nodiscard]] static Vec<S, 3> inverse(const Vec<S, 3>& x) noexcept {
    return {S(1) / x[0], S(1) / x[1], S(1) / x[2]};
  }
  [[nodiscard]] static Index node(const SmearedPoint<S>& p, int pack) noexcept {
    return p.first + pack * lane_width<S>;
  }

  /// The rows on the nodes in the lanes of one pack.
  template <int Side, class Frame>
  [[nodiscard]] auto rows(const Frame& frame, const rod::Chain<S>& chain, const SmearedPoint<S>& p,
                          int pack) const noexcept {
    return Smearing::template rows<Side>(frame, smear_.weights(p, pack).value, chain, node(p, pack));
  }

  /// The six different entries of A M⁻¹ Aᵀ, lane by lane.
  template <class Rows>
  void add_products(const Rows& a, std::array<L, 6>& products) const noexcept {
    const L m(inverse_mass_);
    const Mat<L, 3, 3> b = a.angular();
    std::size_t entry = 0;
    for (int q = 0; q < 3; ++q) {
      const L w0 = L(inverse_rotary_[0]) * b(q, 0);
      const L w1 = L(inverse_rotary_[1]) * b(q, 1);
      const L w2 = L(inverse_rotary_[2]) * b(q, 2);
      for (int p = 0; p <= q; ++p, ++entry)
        products[entry] += m * a.linear_product(p, q) + w0 * b(p, 0) + w1 * b(p, 1) + w2 * b(p, 2);
    }
  }

  Smear<S, K> smear_;
  S inverse_mass_;
  Vec<S, 3> inverse_rotary_;
};

}  // namespace dalembert::contact
