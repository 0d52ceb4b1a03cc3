#pragma once

#include <array>
#include <span>
#include <tuple>

namespace dalembert::assembly::detail {

/// One object for each kind of bodies or constraints, of a class of its own, seen by the face that all have.
template <class Kind, class... Of>
class KindsOf {
 public:
  /// Each is made of one of these, or of what is at its place in the only one, a tuple.
  template <class... From>
  explicit KindsOf(const From&... from) : kinds_(from...), all_{&std::get<Of>(kinds_)...} {}
  KindsOf(const KindsOf&) = delete;
  KindsOf& operator=(const KindsOf&) = delete;
  ~KindsOf() = default;

  [[nodiscard]] std::span<Kind* const> view() const noexcept { return all_; }

 private:
  std::tuple<Of...> kinds_;
  std::array<Kind*, sizeof...(Of)> all_;
};

}  // namespace dalembert::assembly::detail
