#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>

#include <unsupported/Eigen/FFT>

/// What a signal x_j = x(jΔt), j < N, is made of: amplitudes over the angular frequency, its lines, and what
/// a field has of a harmonic.
///   X_k = Σ_j w_j x_j exp(−iω_k jΔt),   ω_k = 2πk/(MΔt),   0 ≤ k ≤ M/2                       (1)
///   A_k = 2|X_k|/Σw, and half of that for k = 0 and k = M/2: a sin(ω_k t + φ) has A_k = a             (2)
///   Σ_j w_j²x_j² = (|X_0|² + 2Σ|X_k|² + |X_{M/2}|²)/M   (Parseval)                                (3)
///   w_j = 1, or ½ − ½ cos(2πj/N) (Hann): a line between bins shows in its neighbours alone  (4)
/// M ≥ N is the length after zeros were appended, which draw the same spectrum with more points.
/// Source: Harris 1978 for windows.
namespace dalembert::analysis {

/// By what samples are weighted before the transform.
enum class Window {
  none,  ///< all alike: right if the signal fits a whole number of times
  hann   ///< rises from 0 and falls to it
};

/// How to transform a signal.
struct SpectrumOptions {
  Window window = Window::hann;  ///< weights of the samples
  /// How many times as long as the signal it is made by zeros, at least: lines are interpolated between more
  /// points. It is lengthened to the next number without prime factors above 5, so 1 adds none to a signal of
  /// such a length.
  int padding = 1;
};

/// A line of a spectrum.
template <PlainReal S = double>
struct SpectralLine {
  S omega{};      ///< angular frequency [rad/s]
  S amplitude{};  ///< of a sine that makes such a line [unit of the signal]
};

/// 20 log₁₀(amplitude/reference), the level of one amplitude against another [dB]; −∞ for an
/// amplitude of 0.
template <PlainReal S>
[[nodiscard]] S level(S amplitude, S reference) {
  return S(20) * std::log10(amplitude / reference);
}

/// The one-sided amplitudes (2) of a signal.
template <PlainReal S = double>
class Spectrum {
 public:
  /// Of `samples` that are `interval` apart [s]. Throws std::invalid_argument for fewer than 8, for one that
  /// is not finite, for an interval that is not positive, for a padding below 1.
  Spectrum(const Eigen::Ref<const Vec<S, Eigen::Dynamic>>& samples, S interval,
           const SpectrumOptions& options = {}) {
    require(samples.size() >= 8, "Spectrum", "samples", samples.size(), "a spectrum needs 8 or more");
    require(std::isfinite(interval) && interval > 0, "Spectrum", "interval", interval,
            "it must be positive and finite [s]");
    require(options.padding >= 1, "Spectrum", "padding", options.padding, "it must be 1 or more");
    const std::size_t count = static_cast<std::size_t>(samples.size());
    const std::size_t length = smooth_length(count * static_cast<std::size_t>(options.padding));
    std::vector<S> windowed(length, S(0));
    S sum_of_weights{}, sum_of_squares{};
    for (std::size_t j = 0; j < count; ++j) {
      const S x = samples[static_cast<Eigen::Index>(j)];
      require_entry(std::isfinite(x), "Spectrum", "sample", j, x, "it must be finite");
      const S w = options.window == Window::none
                      ? S(1)
                      : (1 - std::cos(2 * pi_ * static_cast<S>(j) / static_cast<S>(count))) / 2;
      windowed[j] = w * x;
      sum_of_weights += w;
      sum_of_squares += w * w;
    }
    std::vector<std::complex<S>> transformed;
    Eigen::FFT<S> transform;
    transform.SetFlag(Eigen::FFT<S>::HalfSpectrum);
    transform.fwd(transformed, windowed);
    amplitudes_.resize(static_cast<Eigen::Index>(transformed.size()));
    for (Eigen::Index k = 0; k < amplitudes_.size(); ++k)
      amplitudes_[k] = 2 * std::abs(transformed[static_cast<std::size_t>(k)]) / sum_of_weights;
    amplitudes_[0] /= 2;
    even_ = length % 2 == 0;
    if (even_) amplitudes_[amplitudes_.size() - 1] /= 2;
    resolution_ = 2 * pi_ / (static_cast<S>(length) * interval);
    bandwidth_ = static_cast<S>(length) * sum_of_squares / (sum_of_weights * sum_of_weights);
  }

  /// A_k, a row per bin.
  [[nodiscard]] const Vec<S, Eigen::Dynamic>& amplitudes() const noexcept { return amplitudes_; }
  /// How many bins there are, from 0 to the highest frequency that samples tell apart.
  [[nodiscard]] Eigen::Index size() const noexcept { return amplitudes_.size(); }
  /// From one bin to the next [rad/s].
  [[nodiscard]] S resolution() const noexcept { return resolution_; }
  /// ω_k [rad/s].
  [[nodiscard]] S omega(Eigen::Index k) const noexcept { return static_cast<S>(k) * resolution_; }

  /// The mean square of the signal between two frequencies, both included [rad/s]: a²/2 for a sine of
  /// amplitude a that lies well inside, however many lines it has been spread over; over all frequencies,
  /// Σw²x²/Σw² (3).
  [[nodiscard]] S mean_square(S from, S to) const {
    S sum{};
    for (Eigen::Index k = first_at(from); k < size() && omega(k) <= to; ++k) {
      const bool alone = k == 0 || (even_ && k == size() - 1);
      sum += amplitudes_[k] * amplitudes_[k] * (alone ? S(1) : S(0.5L));
    }
    return sum / bandwidth_;
  }

  /// The lines: amplitudes above both neighbours, not more than `range` [dB] below the strongest, by rising
  /// frequency. What lies between the bins is found by the parabola through the three levels: for a lone line
  /// under Hann's window within 0.02 bins and 0.35 dB, with padding 2 within 0.002 bins and 0.015 dB. Throws
  /// std::invalid_argument for a range that is not positive.
  [[nodiscard]] std::vector<SpectralLine<S>> lines(S range = S(80)) const {
    require(range > 0, "Spectrum", "range", range, "it must be positive [dB]");
    const S least = amplitudes_.maxCoeff() * std::pow(S(10), -range / 20);
    std::vector<SpectralLine<S>> found;
    for (Eigen::Index k = 1; k + 1 < size(); ++k)
      if (is_line(k) && amplitudes_[k] >= least) found.push_back(line_at(k));
    return found;
  }

  /// The strongest line whose frequency is within `reach` of `omega` [rad/s], if there is one.
  [[nodiscard]] std::optional<SpectralLine<S>> strongest_line(S omega, S reach) const {
    std::optional<SpectralLine<S>> best;
    // What is found between the bins may lie half a bin beside a line's own.
    for (Eigen::Index k = std::max<Eigen::Index>(1, first_at(omega - reach - resolution_)); k + 1 < size();
         ++k) {
      if (this->omega(k) > omega + reach + resolution_) break;
      if (!is_line(k)) continue;
      const SpectralLine<S> line = line_at(k);
      if (std::abs(line.omega - omega) <= reach && (!best || line.amplitude > best->amplitude)) best = line;
    }
    return best;
  }

 private:
  static constexpr S pi_ = static_cast<S>(pi);

  /// The least length from `least` on whose prime factors are 2, 3 and 5: the transform is quick there.
  [[nodiscard]] static std::size_t smooth_length(std::size_t least) {
    for (std::size_t length = least;; ++length) {
      std::size_t rest = length;
      for (const std::size_t factor : {std::size_t(2), std::size_t(3), std::size_t(5)})
        while (rest % factor == 0) rest /= factor;
      if (rest == 1) return length;
    }
  }
  /// The first bin that is not below a frequency.
  [[nodiscard]] Eigen::Index first_at(S omega) const {
    if (!(omega > 0)) return 0;
    const S bin = std::ceil(omega / resolution_);
    return bin < static_cast<S>(size()) ? static_cast<Eigen::Index>(bin) : size();
  }
  [[nodiscard]] bool is_line(Eigen::Index k) const {
    return amplitudes_[k] > amplitudes_[k - 1] && amplitudes_[k] >= amplitudes_[k + 1];
  }
  /// The top of the parabola through the logarithms of three amplitudes; the middle one where another is so
  /// near to a zero that its logarithm says nothing of a line.
  [[nodiscard]] SpectralLine<S> line_at(Eigen::Index k) const {
    const S before = amplitudes_[k - 1], middle = amplitudes_[k], after = amplitudes_[k + 1];
    if (!(std::min(before, after) > middle / 10)) return {omega(k), middle};
    const S rise = std::log(after / before), bend = std::log(middle / before) + std::log(middle / after);
    const S offset = rise / (2 * bend);
    return {(static_cast<S>(k) + offset) * resolution_, middle * std::exp(offset * rise / 4)};
  }

  Vec<S, Eigen::Dynamic> amplitudes_;
  S resolution_{}, bandwidth_{};
  bool even_ = false;
};

/// The waves that a field is compared with.
enum class Harmonic {
  sine,   ///< sin(πmx/L): between fixed ends, and on circles for even m
  cosine  ///< cos(πmx/L): between free ends, and on circles for even m
};

/// How much of the harmonic with m half-waves over [0, L] a field has,
///   û = (2/L) ∫₀ᴸ u(x) sin(πmx/L) dx   or with the cosine, half of that for m = 0,               (5)
/// by the rule of trapezoids over its samples at x_j = jL/N, 0 ≤ j ≤ N, both ends included: exact for a
/// sum of harmonics of that kind with fewer than 2N − m half-waves.
template <PlainReal S = double>
class HarmonicProjection {
 public:
  /// For fields of `samples` = N + 1 numbers and a harmonic of `half_waves` = m. Throws std::invalid_argument
  /// for fewer than 3 samples, and unless 0 < m < N for a sine and 0 ≤ m ≤ N for a cosine.
  HarmonicProjection(Eigen::Index samples, Eigen::Index half_waves, Harmonic harmonic = Harmonic::sine) {
    require(samples >= 3, "HarmonicProjection", "samples", samples, "a field needs 3 or more");
    const Eigen::Index last = samples - 1, margin = harmonic == Harmonic::sine ? 1 : 0;
    require(margin <= half_waves && half_waves <= last - margin, "HarmonicProjection", "half_waves",
            half_waves, "it must be one that so many samples tell from others");
    weights_.resize(samples);
    const S step = static_cast<S>(pi) / static_cast<S>(last);
    for (Eigen::Index j = 0; j < samples; ++j) {
      // The product is reduced first, so that a phase of many turns is as exact as any.
      const S phase = step * static_cast<S>((half_waves * j) % (2 * last));
      weights_[j] =
          (harmonic == Harmonic::sine ? std::sin(phase) : std::cos(phase)) * 2 / static_cast<S>(last);
    }
    weights_[0] /= 2;
    weights_[last] /= 2;
    if (harmonic == Harmonic::cosine && (half_waves == 0 || half_waves == last)) weights_ /= 2;
  }

  /// û (5), in the unit of the field. Throws std::invalid_argument for a field of another size.
  [[nodiscard]] S operator()(const Eigen::Ref<const Vec<S, Eigen::Dynamic>>& field) const {
    require(field.size() == weights_.size(), "HarmonicProjection", "samples", field.size(),
            "it was made for fields of another size");
    return weights_.dot(field);
  }

 private:
  Vec<S, Eigen::Dynamic> weights_;
};

}  // namespace dalembert::analysis
