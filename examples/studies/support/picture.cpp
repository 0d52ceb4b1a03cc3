#include "support/picture.hpp"

#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "support/interrupt.hpp"
#include "support/output_file.hpp"

namespace example {

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return text.str();
}

bool gnuplot_found() {
  static const bool found = run_command("gnuplot --version > /dev/null 2>&1") == 0;
  return found;
}

/// Runs in the folder, so that no path needs quoting.
bool run_gnuplot(const fs::path& folder, const std::string& name) {
  const auto here = fs::current_path();
  fs::current_path(folder);
  const int status = run_command(("gnuplot " + name + ".gp > gnuplot.log 2>&1").c_str());
  if (status == 0) fs::remove("gnuplot.log");
  fs::current_path(here);
  return status == 0;
}

}  // namespace

Variables& Variables::operator()(std::string_view name, double value) {
  std::ostringstream number;
  number.precision(17);
  number << value;
  return lines(std::string(name) + " = " + number.str() + "\n");
}

Variables& Variables::operator()(std::string_view name, const std::string& value) {
  return lines(std::string(name) + " = \"" + value + "\"\n");
}

Variables& Variables::operator()(std::string_view name, const char* value) {
  return (*this)(name, std::string(value));
}

Variables& Variables::lines(const std::string& text) {
  text_ += text;
  return *this;
}

void draw(const Run& run, const Picture& picture, const Variables& given) {
  const fs::path studies = DALEMBERT_STUDIES;
  const std::string script = (picture.script.empty() ? picture.name : picture.script) + ".gp";
  const fs::path own = studies / run.name / script;
  Variables canvas;
  canvas("picture", picture.name + ".png")("picture_width", picture.width)("picture_height", picture.height);
  OutputFile file(run.out / (picture.name + ".gp"));
  file << canvas.text() << contents(studies / "support" / "prelude.gp") << given.text()
       << contents(fs::exists(own) ? own : studies / "support" / script);
  file.close();
  if (!gnuplot_found()) {
    static const bool said = [] {
      std::cout << "No pictures: gnuplot was not found. Its scripts (*.gp) are beside the data.\n";
      return true;
    }();
    (void)said;
  } else if (run_gnuplot(run.out, picture.name)) {
    run.pictures.push_back(run.out / (picture.name + ".png"));
  } else {
    end_if_interrupted();
    std::cerr << "gnuplot could not draw " << picture.name << ".png; see "
              << (run.out / "gnuplot.log").string() << '\n';
  }
}

}  // namespace example
