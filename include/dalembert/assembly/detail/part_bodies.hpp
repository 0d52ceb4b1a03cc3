#pragma once

#include <cstddef>

#include <dalembert/assembly/inertia.hpp>
#include <dalembert/assembly/state.hpp>

/// What the solution of an assembly's equations asks of bodies, whatever their kinds.
namespace dalembert::assembly::detail {

/// The bodies of one part.
template <class S>
class PartBodies {
 public:
  PartBodies(const PartBodies&) = delete;
  PartBodies& operator=(const PartBodies&) = delete;

  /// Of all bodies.
  [[nodiscard]] const Inertias<S>& inertia() const noexcept { return inertia_; }
  /// Whether the motion of some node is prescribed.
  [[nodiscard]] bool prescribes() const noexcept { return prescribes_; }
  /// Accelerations of loads. Throws NotFinite.
  virtual void accelerate(const State<S>& at, const NodeNumbers<S>& f, NodeNumbers<S>& a) const = 0;
  /// The sizes of a motion and of loads, √(vᵀMv) and √(fᵀM⁻¹f) [√J, √J/s].
  [[nodiscard]] virtual S speed(const State<S>& x) const = 0;
  [[nodiscard]] virtual S strength(const NodeNumbers<S>& f) const = 0;
  /// to ← from, of these.
  virtual void copy(const NodeNumbers<S>& from, NodeNumbers<S>& to) const = 0;

 protected:
  PartBodies(const Inertias<S>& inertia, bool prescribes) noexcept
      : inertia_(inertia), prescribes_(prescribes) {}
  ~PartBodies() = default;

 private:
  const Inertias<S>& inertia_;
  bool prescribes_;
};

/// Those of a part of a `BodyList`.
template <class S, class Bodies>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class PartOfBodies final : public PartBodies<S> {
 public:
  PartOfBodies(const Bodies& bodies, std::size_t part) noexcept
      : PartBodies<S>(bodies.inertia(), bodies.prescribes()), bodies_(bodies), part_(part) {}

  void accelerate(const State<S>& at, const NodeNumbers<S>& f, NodeNumbers<S>& a) const override {
    bodies_.accelerate(part_, at, f, a);
  }
  S speed(const State<S>& x) const override { return bodies_.speed(part_, x); }
  S strength(const NodeNumbers<S>& f) const override { return bodies_.strength(part_, f); }
  void copy(const NodeNumbers<S>& from, NodeNumbers<S>& to) const override {
    bodies_.each(part_, [&]<class B>(const B&, std::size_t i) { entry<B>(to, i) = entry<B>(from, i); });
  }

 private:
  const Bodies& bodies_;
  std::size_t part_;
};

}  // namespace dalembert::assembly::detail
