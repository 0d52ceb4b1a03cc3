#pragma once

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

/// The floor of the machine for an explicit rod: one Verlet step of a free Simo–Reissner rod with circular section, written by hand for this one
/// case, without any of the library. Two passes over blocks of nodes: free motion; then element forces with the two half kicks merged into one.
/// Structure of arrays, unit quaternions, short polynomials without range checks (turns below half a radian), no boundary conditions, no loads.
/// The same of rods that vary, which read the numbers of each element and node: a diagonal stiffness or a full one, rest strains, and inertia.
namespace floor_rod {

#if defined(__AVX512F__)
inline constexpr int width = 8;
#elif defined(__AVX__)
inline constexpr int width = 4;
#else
inline constexpr int width = 2;
#endif
using V [[gnu::vector_size(width * sizeof(double))]] = double;

struct V3 {
  V x, y, z;
};
inline V3 operator+(V3 a, V3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V3 operator-(V3 a, V3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline V3 operator*(V a, V3 b) { return {a * b.x, a * b.y, a * b.z}; }
inline V3 operator*(double a, V3 b) { return {a * b.x, a * b.y, a * b.z}; }
inline V dot(V3 a, V3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V3 cross(V3 a, V3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

inline V load(const double* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline void store(double* p, V v) { std::memcpy(p, &v, sizeof v); }

/// cos √x and sin √x / √x for small x.
inline V cosine(V x) {
  const V x2 = x * x;
  const V x4 = x2 * x2;
  return (1.0 - 0.5 * x) + x2 * (1.0 / 24 - x * (1.0 / 720)) +
         x4 * ((1.0 / 40320 - x * (1.0 / 3628800)) + x2 * (1.0 / 479001600 - x * (1.0 / 87178291200.0)));
}
inline V sinc(V x) {
  const V x2 = x * x;
  const V x4 = x2 * x2;
  return (1.0 - x * (1.0 / 6)) + x2 * (1.0 / 120 - x * (1.0 / 5040)) +
         x4 * ((1.0 / 362880 - x * (1.0 / 39916800)) + x2 * (1.0 / 6227020800.0));
}
/// (asin √x / √x − 1) / x for small x.
inline V asinc_remainder(V x) {
  const V x2 = x * x;
  const V x4 = x2 * x2;
  return (1.0 / 6 + x * (3.0 / 40)) + x2 * (15.0 / 336 + x * (105.0 / 3456)) +
         x4 * ((945.0 / 42240 + x * (10395.0 / 599040)) +
               x2 * (135135.0 / 9676800 + x * (2027025.0 / 175472640)));
}

/// What is the same along a rod, or not.
enum class Data { uniform, diagonal, full };

/// A free rod of n + 1 nodes with room for whole blocks.
template <Data data = Data::uniform>
class RodOf {
 public:
  int n;
  double h, mass, rotary1, rotary3;
  double shear, stretch, bend, twist;

  RodOf(int elements, double spacing, double mass_per_length, double rotary_per_length, double ga, double ea,
        double ei, double gj)
      : n(elements),
        h(spacing),
        mass(mass_per_length * spacing),
        rotary1(rotary_per_length * spacing),
        rotary3(2 * rotary_per_length * spacing),
        shear(ga),
        stretch(ea),
        bend(ei),
        twist(gj),
        stride_((elements + width) / width * width + width),
        data_(static_cast<std::size_t>(13 * stride_), 0.0) {
    for (int k = 0; k < stride_; ++k) {
      column(2)[k] = k * h;
      column(3)[k] = 1.0;
    }
    if constexpr (data != Data::uniform) {
      own_.assign(static_cast<std::size_t>((of_stiffness + 10) * stride_), 0.0);
      for (int k = 0; k < stride_; ++k) {
        for (int i = 0; i < 6; ++i) {
          const double stiffness[6] = {shear, shear, stretch, bend, bend, twist};
          own(data == Data::full ? i * (i + 1) / 2 + i : i)[k] = stiffness[i] / h;
        }
        own(of_stiffness + 2)[k] = h;  // Γ₀ h
        own(of_stiffness + 6)[k] = 1 / mass;
        own(of_stiffness + 7)[k] = 1 / rotary1;
        own(of_stiffness + 8)[k] = 1 / rotary3;
        own(of_stiffness + 9)[k] = rotary3 / rotary1;
      }
    }
  }

  /// Of rods that vary: the stiffness of each element over h (a diagonal, or the upper triangle column by column), h times its rest strains; then for
  /// each node 1/m, 1/J₁, 1/J₃ and J₃/J₁.
  static constexpr int of_stiffness = data == Data::full ? 21 : 6;
  double* own(int c) { return own_.data() + static_cast<std::ptrdiff_t>(c) * stride_; }

  /// Columns x, y, z, qw, qx, qy, qz, vx, vy, vz, ω₁, ω₂, ω₃.
  double* column(int c) { return data_.data() + static_cast<std::ptrdiff_t>(c) * stride_; }

  /// Both passes are functions of their own at the beginning of a cache line, so that a program's other code does not move their loops.
  void step(double dt) {
    drift(dt);
    kick(dt);
  }

  /// Free motion; the symmetric top is exact, j₃ = 2 j₁.
  [[gnu::noinline, gnu::aligned(64)]] void drift(double dt) {
    double* const d = data_.data();
    const std::ptrdiff_t s = stride_;
    for (int k = 0; k <= n; k += width) {
      double* const p = d + k;
      for (int i = 0; i < 3; ++i) store(p + i * s, load(p + i * s) + dt * load(p + (7 + i) * s));
      const V qw = load(p + 3 * s);
      const V3 qv{load(p + 4 * s), load(p + 5 * s), load(p + 6 * s)};
      const V3 w{load(p + 10 * s), load(p + 11 * s), load(p + 12 * s)};
      const V ratio = data == Data::uniform ? V{} + 2.0 : load(own(of_stiffness + 9) + k);
      const V3 a{0.5 * dt * w.x, 0.5 * dt * w.y, (0.5 * dt) * ratio * w.z};
      const V x = dot(a, a);
      const V c = cosine(x);
      const V3 e = sinc(x) * a;
      const V bw = qw * c - dot(qv, e);
      const V3 bv = qw * e + c * qv + cross(qv, e);
      const V phi = (0.5 * dt) * (1.0 - ratio) * w.z;
      const V y = phi * phi;
      const V cp = cosine(y);
      const V sp = sinc(y) * phi;
      const V rw = bw * cp - bv.z * sp;
      const V3 rv{bv.x * cp + bv.y * sp, bv.y * cp - bv.x * sp, bv.z * cp + bw * sp};
      const V scale = 1.5 - 0.5 * (rw * rw + dot(rv, rv));
      store(p + 3 * s, scale * rw);
      store(p + 4 * s, scale * rv.x);
      store(p + 5 * s, scale * rv.y);
      store(p + 6 * s, scale * rv.z);
      const V cf = cp * cp - sp * sp;
      const V sf = 2.0 * cp * sp;
      store(p + 10 * s, cf * w.x + sf * w.y);
      store(p + 11 * s, cf * w.y - sf * w.x);
    }
  }

  /// Element forces and the kick of both half steps.
  [[gnu::noinline, gnu::aligned(64)]] void kick(double dt) {
    double* const d = data_.data();
    const std::ptrdiff_t s = stride_;
    const double im = dt / mass;
    const double j1 = dt / rotary1;
    const double j3 = dt / rotary3;
    V3 force_before{};
    V3 torque_before{};
    const double first[6] = {d[7 * s], d[8 * s], d[9 * s], d[10 * s], d[11 * s], d[12 * s]};
    const double last[6] = {d[7 * s + n],  d[8 * s + n],  d[9 * s + n],
                            d[10 * s + n], d[11 * s + n], d[12 * s + n]};
    for (int k = 0; k <= n; k += width) {
      double* const p = d + k;
      const V w0 = load(p + 3 * s);
      const V w1 = load(p + 3 * s + 1);
      const V3 v0{load(p + 4 * s), load(p + 5 * s), load(p + 6 * s)};
      const V3 v1{load(p + 4 * s + 1), load(p + 5 * s + 1), load(p + 6 * s + 1)};
      const V3 chord{load(p + 1) - load(p), load(p + s + 1) - load(p + s),
                     load(p + 2 * s + 1) - load(p + 2 * s)};
      const V w = w0 * w1 + dot(v0, v1);
      const V3 v = w0 * v1 - w1 * v0 - cross(v0, v1);
      const V inverse = 1.0 / (1.0 + w);
      const V sigma = dot(v, v);
      const V D = asinc_remainder(sigma);
      const V A = 1.0 + sigma * D;
      const V C = inverse - D * w;
      const V mw = w0 + w1;
      const V3 mv = v0 + v1;
      const V3 e = cross(mv, chord);
      const V3 x = chord + inverse * (cross(mv, e) - mw * e);
      V3 N, M;
      if constexpr (data == Data::uniform) {
        N = {(shear / h) * x.x, (shear / h) * x.y, (stretch / h) * x.z - stretch};
        M = {(2 * bend / h) * A * v.x, (2 * bend / h) * A * v.y, (2 * twist / h) * A * v.z};
      } else {
        const auto rest = [&](int i) { return load(own(of_stiffness + i) + k); };
        const V strain[6] = {x.x - rest(0),           x.y - rest(1),           x.z - rest(2),
                             2.0 * A * v.x - rest(3), 2.0 * A * v.y - rest(4), 2.0 * A * v.z - rest(5)};
        V stress[6];
#pragma GCC unroll 6
        for (int i = 0; i < 6; ++i) {
          if constexpr (data == Data::diagonal) {
            stress[i] = load(own(i) + k) * strain[i];
          } else {
            stress[i] = V{};
#pragma GCC unroll 6
            for (int j = 0; j < 6; ++j)
              stress[i] += load(own(i <= j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j) + k) * strain[j];
          }
        }
        N = {stress[0], stress[1], stress[2]};
        M = {stress[3], stress[4], stress[5]};
      }
      const V3 tau = cross(N, x);
      const V3 vm = cross(v, M);
      const V3 sum = 0.5 * tau - A * vm;
      const V3 difference = 0.5 * cross(tau, inverse * v) + M + C * cross(v, vm);
      const V3 g = cross(mv, N);
      V3 force = N + inverse * (cross(mv, g) + mw * g);
      V3 torque0 = difference - sum;
      V3 torque1 = -1.0 * (sum + difference);
      if (k + width > n)
        for (int i = n - k; i < width; ++i) {
          force.x[i] = force.y[i] = force.z[i] = 0;
          torque0.x[i] = torque0.y[i] = torque0.z[i] = 0;
          torque1.x[i] = torque1.y[i] = torque1.z[i] = 0;
        }
      const V3 f = force - shifted(force_before, force);
      const V3 t = torque0 + shifted(torque_before, torque1);
      force_before = force;
      torque_before = torque1;
      const auto by = [&](double same, int i) {
        return data == Data::uniform ? V{} + same : dt * load(own(of_stiffness + i) + k);
      };
      const V of_m = by(im, 6), of_j1 = by(j1, 7), of_j3 = by(j3, 8);
      store(p + 7 * s, load(p + 7 * s) + of_m * f.x);
      store(p + 8 * s, load(p + 8 * s) + of_m * f.y);
      store(p + 9 * s, load(p + 9 * s) + of_m * f.z);
      store(p + 10 * s, load(p + 10 * s) + of_j1 * t.x);
      store(p + 11 * s, load(p + 11 * s) + of_j1 * t.y);
      store(p + 12 * s, load(p + 12 * s) + of_j3 * t.z);
    }
    for (int i = 0; i < 6; ++i) {  // the end nodes have half the mass: kick them once more
      double* const c = d + (7 + i) * s;
      c[0] += c[0] - first[i];
      c[n] += c[n] - last[i];
    }
  }

 private:
  static V one_before(V before, V a) {
#if defined(__AVX512F__)
    return __builtin_shufflevector(before, a, 7, 8, 9, 10, 11, 12, 13, 14);
#elif defined(__AVX__)
    return __builtin_shufflevector(before, a, 3, 4, 5, 6);
#else
    return __builtin_shufflevector(before, a, 1, 2);
#endif
  }
  static V3 shifted(V3 before, V3 a) {
    return {one_before(before.x, a.x), one_before(before.y, a.y), one_before(before.z, a.z)};
  }

  std::ptrdiff_t stride_;
  std::vector<double> data_, own_;
};

using Rod = RodOf<>;

}  // namespace floor_rod
