#pragma once

/// @file
/// A program in which numbers have a comma where C has a point, as in most countries of Europe.

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/folder.hpp"

namespace test {

/// While it lives, printf and streams write 1,5 for 1.5, and streams 1.000 for 1000.
class Comma {
 public:
  Comma() : streams_(std::locale::global(std::locale(std::locale::classic(), new Numbers))) {
    printf_ = std::setlocale(LC_NUMERIC, nullptr);
    if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") == nullptr) by_file();
    if (printed(1.5) != "1,5") {
      restore();
      throw std::runtime_error("no locale with a decimal comma");
    }
  }
  ~Comma() { restore(); }
  Comma(const Comma&) = delete;
  Comma& operator=(const Comma&) = delete;

  /// What printf makes of a number.
  static std::string printed(double number) {
    std::string text(32, '\0');
    text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%g", number)));
    return text;
  }

 private:
  struct Numbers : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };

  /// Where no such locale is installed: as glibc's localedef makes one of decimal_point ",", thousands_sep "." and grouping 3;3.
  static void by_file() {
    using namespace std::string_view_literals;
    constexpr std::string_view numeric =
        "\x14\x11\x03\x20\6\0\0\0\x20\0\0\0\x22\0\0\0\x24\0\0\0\x28\0\0\0\x2c\0\0\0\x30\0\0\0"
        ",\0.\0\3\3\0\0,\0\0\0.\0\0\0ANSI_X3.4-1968\0"sv;
    const Folder folder;
    folder.write("comma/LC_NUMERIC", std::string(numeric));
    setenv("LOCPATH", folder.path.c_str(), 1);
    std::setlocale(LC_NUMERIC, "comma");
    unsetenv("LOCPATH");
  }
  void restore() const {
    std::locale::global(streams_);
    std::setlocale(LC_NUMERIC, printf_.c_str());
  }

  std::locale streams_;
  std::string printf_;
};

}  // namespace test
