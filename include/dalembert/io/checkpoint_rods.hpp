#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <dalembert/contact/state.hpp>
#include <dalembert/io/checkpoint.hpp>
#include <dalembert/rod/concepts.hpp>

/// What the numbers of rods and their contacts are, for checkpoints. A contact's state is more than its coordinates: the
/// smeared points were moved along with the nodes, and the rates predict where the contact will be, so a run goes on bit
/// for bit only with all of them. How many packs of nodes a window has is the machine's affair and is taken from the state
/// to restore.
namespace dalembert::io {

/// The nodes of one rod, without the padding of their columns.
template <class S, class Visitor>
void visit_chain(const std::string& name, rod::Chain<S>& chain, Visitor&& visit) {
  visit.same(name + ".nodes", chain.nodes);
  visit(name + ".configuration", chain.configuration.topRows(chain.nodes));
  visit(name + ".velocity", chain.velocity.topRows(chain.nodes));
}

/// A smeared point on a chain. Each pack of its window must begin at a node of the chain: then the window lies within
/// the padded columns, and every window that a contact makes does so.
template <class S, class Visitor>
void visit_point(const std::string& name, const rod::Chain<S>& chain, contact::SmearedPoint<S>& point,
                 Visitor&& visit) {
  visit(name + ".s", point.s);
  const Eigen::Index last_pack = (point.packs - 1) * contact::lane_width<S>;
  visit.whole(name + ".first", point.first, 0, chain.nodes - 1 - last_pack);
  visit(name + ".sum0", point.sum0);
  visit(name + ".sum1", point.sum1);
  visit(name + ".sum2", point.sum2);
  visit(name + ".R", point.R);
  visit(name + ".dR", point.dR);
  visit(name + ".ddR", point.ddR);
  visit(name + ".square", point.square);
  visit(name + ".square_slope", point.square_slope);
  visit(name + ".square_curve", point.square_curve);
}

/// A contact of two chains; a state without one holds `contact = 0` and nothing else of it.
template <class S, class Visitor>
void visit_contact(const std::vector<rod::Chain<S>>& chains, contact::ContactState<S>& contact,
                   Visitor&& visit) {
  const bool located = chains.size() == 2 && contact.point[0].packs > 0 && contact.point[1].packs > 0;
  visit.same("contact", located ? 1 : 0);
  if (!located) return;
  visit("contact.s", contact.s);
  visit("contact.normal", contact.normal);
  visit("contact.rate", contact.rate);
  visit("contact.earlier_rate", contact.earlier_rate);
  visit_point("contact.point0", chains[0], contact.point[0], visit);
  visit_point("contact.point1", chains[1], contact.point[1], visit);
  visit.whole("contact.gram_known", contact.gram_known, 0, 1);
  if (contact.gram_known) visit("contact.inverse_gram", contact.inverse_gram);
}

/// A state of rods: time [s], their chains, and the internal coordinates of what couples them.
template <class X>
concept RodsState = requires(X& x) {
  { x.chains } -> std::same_as<std::vector<rod::Chain<std::remove_cvref_t<decltype(x.time)>>>&>;
  x.internal;
};

/// The numbers of a state of rods.
template <RodsState X, class Visitor>
void visit_numbers(X& state, Visitor&& visit) {
  using S = std::remove_cvref_t<decltype(state.time)>;
  using Internal = std::remove_cvref_t<decltype(state.internal)>;
  visit("time", state.time);
  visit.same("rods", static_cast<std::int64_t>(state.chains.size()));
  for (std::size_t i = 0; i < state.chains.size(); ++i)
    visit_chain("rod" + std::to_string(i), state.chains[i], visit);
  if constexpr (std::same_as<Internal, contact::ContactState<S>>) {
    visit_contact(state.chains, state.internal, visit);
  } else if constexpr (!std::is_empty_v<Internal>) {
    visit_numbers(state.internal, visit);
  }
}

}  // namespace dalembert::io
