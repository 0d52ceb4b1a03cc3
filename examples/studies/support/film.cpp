#include "support/film.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include <dalembert/core/errors.hpp>

#include "support/interrupt.hpp"
#include "support/output_file.hpp"
#include "support/progress.hpp"

namespace example {

namespace {

namespace fs = std::filesystem;

bool found(const std::string& program) { return run_command((program + " > /dev/null 2>&1").c_str()) == 0; }
bool ffmpeg_found() { return found("ffmpeg -version"); }

/// Pixels side by side.
class Sheet {
 public:
  Sheet(int width, int height)
      : width_(width), bytes_(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 255) {}
  void put(const Canvas& canvas, int left, int top) {
    const auto pixels = canvas.pixels();
    const auto row = 3 * static_cast<std::ptrdiff_t>(canvas.width());
    for (int y = 0; y < canvas.height(); ++y)
      std::copy_n(pixels.begin() + y * row, row,
                  bytes_.begin() + 3 * (static_cast<std::ptrdiff_t>(top + y) * width_ + left));
  }
  void write(const fs::path& path) const {
    OutputFile file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes_.data()), static_cast<std::streamsize>(bytes_.size()));
    file.close();
  }

 private:
  std::ptrdiff_t width_;
  std::vector<std::uint8_t> bytes_;
};

/// A program that reads pixels, run in a folder.
class Pipe {
 public:
  Pipe(const fs::path& folder, const std::string& command) : command_(command) {
    before_ = std::signal(SIGPIPE, SIG_IGN);  // a reader that ends early is an error to report, not our end
    const auto here = fs::current_path();
    fs::current_path(folder);
    file_ = popen(command.c_str(), "w");
    fs::current_path(here);
    if (file_ == nullptr) throw std::runtime_error("cannot run " + command);
  }
  ~Pipe() {
    if (file_ != nullptr) pclose(file_);
    std::signal(SIGPIPE, before_);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void write(const std::vector<std::uint8_t>& bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
  }
  void close() {
    const int status = pclose(file_);
    file_ = nullptr;
    if (status != 0) fail();
  }

 private:
  [[noreturn]] void fail() const { throw std::runtime_error("failed: " + command_); }

  std::string command_;
  std::FILE* file_ = nullptr;
  void (*before_)(int) = SIG_DFL;
};

struct Format {
  int width, height, rate, frames;
};

/// Calls `take(pixels)` for each picture of a film.
template <class Take>
void draw_film(const Run& run, const Format& format, const Take& take) {
  const SceneDrawing drawing(run.scene, run.view);
  const auto& times = run.scene.times();
  const Sight sight = drawing.whole(static_cast<double>(format.width) / format.height, 0, times.size() - 1);
  Canvas canvas(format.width, format.height);
  const auto progress = progress_line();
  for (int i = 0; i < format.frames; ++i) {
    const double part = format.frames > 1 ? static_cast<double>(i) / (format.frames - 1) : 0;
    const std::size_t frame = drawing.frame(times.front() + part * (times.back() - times.front()));
    canvas.look(sight);
    drawing.draw(canvas, frame);
    std::array<char, 32> words{};
    std::snprintf(words.data(), words.size(), "t = %.3f s", times[frame]);
    canvas.write(words.data(), format.width / 40, format.width / 40, std::max(1, format.width / 400));
    take(canvas.pixels());
    progress({.fraction = part, .time = times[frame], .wall_seconds_left = 0});
  }
}

std::string ffmpeg_reading(const Format& f) {
  const auto text = [](int n) { return std::to_string(n); };
  return "ffmpeg -y -loglevel error -f rawvideo -pix_fmt rgb24 -s " + text(f.width) + "x" + text(f.height) +
         " -r " + text(f.rate) + " -i - ";
}

/// By gnuplot, from a file for each picture.
void make_gif_by_gnuplot(const Run& run, const Format& format) {
  int count = 0;
  const auto name = [](int i) { return "film_" + std::to_string(i) + ".rgb"; };
  draw_film(run, format, [&](const std::vector<std::uint8_t>& pixels) {
    OutputFile file(run.out / name(count), std::ios::binary);
    file.write(reinterpret_cast<const char*>(pixels.data()), static_cast<std::streamsize>(pixels.size()));
    file.close();
    ++count;
  });
  Variables given;
  given("rate", format.rate)("count", count);
  draw(run, {"film", format.width, format.height, "film"}, given);
  for (int i = 0; i < count; ++i) fs::remove(run.out / name(i));
  fs::remove(run.out / "film.png");  // which every script begins
  if (!fs::exists(run.out / "film.gif")) throw std::runtime_error("gnuplot made no film.gif");
}

}  // namespace

void draw_stills(const Run& run, const Picture& picture, const SceneDrawing& drawing,
                 const std::vector<Still>& stills) {
  Sheet sheet(picture.width, picture.height);
  Variables given;
  for (const Still& still : stills) {
    Canvas canvas(still.width, still.height);
    canvas.look(still.sight);
    drawing.draw(canvas, still.frame, still.marks, still.heat);
    sheet.put(canvas, still.left, still.top);
    const double x = (still.left + 0.5 * still.width) / picture.width,
                 y = 1 - static_cast<double>(still.top + 30) / picture.height;
    given.lines("set label \"" + still.words + "\" at screen " + dalembert::shortest_text(x) + "," +
                dalembert::shortest_text(y) + " center front boxed\n");
  }
  sheet.write(run.out / (picture.name + ".rgb"));
  given("pixels", picture.name + ".rgb");
  draw(run, {picture.name, picture.width, picture.height, "stills"}, given);
}

std::string film_fault(const std::string& kind) {
  if (kind == "none" || ffmpeg_found()) return {};
  if (kind == "mp4") return "needs ffmpeg, which was not found; a film of the kind gif needs gnuplot only";
  return found("gnuplot --version") ? "" : "needs ffmpeg or gnuplot, and neither was found";
}

void make_film(const Run& run, const std::string& kind) {
  if (kind == "none") return;
  if (run.scene.times().empty()) throw std::runtime_error("no film: nothing in this run moves");
  if (kind == "mp4") {
    const Format format{.width = 1280, .height = 720, .rate = 25, .frames = 250};
    Pipe pipe(run.out,
              ffmpeg_reading(format) + "-c:v libx264 -pix_fmt yuv420p -movflags +faststart film.mp4");
    draw_film(run, format, [&](const std::vector<std::uint8_t>& pixels) { pipe.write(pixels); });
    pipe.close();
    return;
  }
  const Format format{.width = 640, .height = 360, .rate = 10, .frames = 100};
  if (!ffmpeg_found()) return make_gif_by_gnuplot(run, format);
  Pipe pipe(run.out, ffmpeg_reading(format) + "-vf 'split[a][b];[a]palettegen[p];[b][p]paletteuse' film.gif");
  draw_film(run, format, [&](const std::vector<std::uint8_t>& pixels) { pipe.write(pixels); });
  pipe.close();
}

}  // namespace example
