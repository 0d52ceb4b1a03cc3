#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

namespace example {

/// A picture by gnuplot: the script `name`.gp is written into `folder` and run there, which makes `name`.png. A script reads the
/// run's CSV files by their plain names and columns by theirs, as in plot 'trajectory.csv' using 't':'x'.
/// Colours are Okabe and Ito's, which colour-blind people tell apart, as variables for `lc rgb`: blue, orange, green, red, sky,
/// yellow, purple; and gray, light, black.
class Picture {
 public:
  /// A picture of `width` × `height` pixels.
  Picture(std::filesystem::path folder, std::string name, int width = 1600, int height = 1000)
      : folder_(std::move(folder)),
        name_(std::move(name)),
        size_(std::to_string(width) + "," + std::to_string(height)) {}

  /// Write the script, and make the picture if gnuplot is there; otherwise say so once on stdout. A picture that fails is
  /// no reason to lose a run: it is reported on stderr. Throws std::runtime_error if the script cannot be written.
  void draw(const std::string& script) const {
    const auto path = folder_ / (name_ + ".gp");
    std::ofstream file(path);
    file << prelude() << script;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path.string());
    if (!gnuplot_found()) {
      static const bool said = [] {
        std::cout << "No pictures: gnuplot was not found. Its scripts (*.gp) are beside the data.\n";
        return true;
      }();
      (void)said;
      return;
    }
    if (!run())
      std::cerr << "gnuplot could not draw " << name_ << ".png; see " << (folder_ / "gnuplot.log").string()
                << '\n';
  }

 private:
  static bool gnuplot_found() {
    static const bool found = std::system("gnuplot --version > /dev/null 2>&1") == 0;
    return found;
  }

  /// Runs in the folder, so that no path needs quoting.
  bool run() const {
    const auto here = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
    const int status = std::system(("gnuplot " + name_ + ".gp > gnuplot.log 2>&1").c_str());
    if (status == 0) std::filesystem::remove("gnuplot.log");
    std::filesystem::current_path(here);
    return status == 0;
  }

  std::string prelude() const {
    return "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {\n"
           "  set terminal pngcairo size " +
           size_ +
           " font 'DejaVu Sans,24' linewidth 2 background '#ffffff'\n"
           "} else {\n"
           "  set terminal png size " +
           size_ +
           " giant\n"
           "}\n"
           "set output '" +
           name_ +
           ".png'\n"
           "set datafile separator comma\n"
           "set datafile commentschars '#'\n"
           "set encoding utf8\n"
           "blue = 0x0072B2; orange = 0xE69F00; green = 0x009E73; red = 0xD55E00\n"
           "sky = 0x56B4E9; yellow = 0xF0E442; purple = 0xCC79A7; gray = 0x999999; light = 0xDDDDDD; black = "
           "0x222222\n"
           "set border lc rgb gray lw 0.7\n"
           "set tics textcolor rgb black\n"
           "set key textcolor rgb black samplen 2 spacing 1.3\n"
           "set grid lc rgb light lw 0.5\n";
  }

  std::filesystem::path folder_;
  std::string name_;
  std::string size_;
};

}  // namespace example
