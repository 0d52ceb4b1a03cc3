#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/string/grid_contact.hpp>

/// Contacts on one string must not pass through each other: of strings on a grid nothing else notices.
namespace dalembert::strings {

/// Watches the order of contacts of strings on a grid; an observer of runs, which throws ContactsMeet when
/// two contacts have changed places on a string. It must look often enough that no two pass each other by
/// more than a quarter of the string in between.
template <class S = double>
class ContactOrder {
 public:
  /// Of these contacts, whose positions are the internal coordinates from number `first` on, on strings of
  /// these lengths [m], 0 for those that are not closed.
  template <contact::Kernel K>
  ContactOrder(const std::vector<GridContact<S, K>>& contacts, std::vector<S> closed_lengths,
               Eigen::Index first = 0)
      : lengths_(std::move(closed_lengths)) {
    for (std::size_t i = 0; i < contacts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (const auto* a : {&contacts[i].first, &contacts[i].second})
          for (const auto* b : {&contacts[j].first, &contacts[j].second})
            if (a->body == b->body)
              pairs_.push_back(
                  {{i, j},
                   a->body,
                   {z_of(i, a == &contacts[i].second, first), z_of(j, b == &contacts[j].second, first)}});
  }

  /// Looks at a state. Throws ContactsMeet.
  template <class P>
  void operator()(const P&, const assembly::State<S>& state) {
    for (Pair& pair : pairs_) {
      S apart = state.z[pair.z[0]] - state.z[pair.z[1]];
      const S length = pair.body < lengths_.size() ? lengths_[pair.body] : S(0);
      if (length > S(0)) apart -= std::round(apart / length) * length;
      const bool turned = pair.known && (apart > S(0)) != (pair.apart > S(0));
      // on a closed string contacts also change their order on the far side
      const bool near = length <= S(0) || std::abs(apart) + std::abs(pair.apart) < length / 2;
      if (apart == S(0) || (turned && near)) [[unlikely]]
        throw ContactsMeet(message({"ContactsMeet: contacts ", pair.contacts[1], " and ", pair.contacts[0],
                                    " pass each other on string ", pair.body}),
                           number::plain(state.time));
      pair.apart = apart;
      pair.known = true;
    }
  }

 private:
  struct Pair {
    std::array<std::size_t, 2> contacts;
    std::size_t body;
    std::array<Eigen::Index, 2> z;
    S apart{};
    bool known = false;
  };
  [[nodiscard]] static Eigen::Index z_of(std::size_t contact, bool second, Eigen::Index first) {
    return first + 2 * static_cast<Eigen::Index>(contact) + (second ? 1 : 0);
  }

  std::vector<Pair> pairs_;
  std::vector<S> lengths_;
};

}  // namespace dalembert::strings
