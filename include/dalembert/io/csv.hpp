#pragma once

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/core/errors.hpp>

/// Comma-separated tables of numbers, for any plotting program.
namespace dalembert::io {

/// A column's name, as it stands in the header line, and its unit, as it stands in the comment above that.
struct Column {
  std::string name;  ///< as in the header line
  std::string unit;  ///< as in the comment above it
};

/// Writes a table: a line "# units: t [s], x [m], …", a line of names, and then a line per row. Numbers
/// have all the digits that give them back exactly when read (17 for double), and a point whatever the
/// program's locale.
class CsvWriter {
 public:
  /// Creates or overwrites the file at `path`. Throws std::invalid_argument for a name or unit that would
  /// break its lines, before the file is touched, std::runtime_error naming the path if it cannot be written.
  CsvWriter(const std::filesystem::path& path, const std::vector<Column>& columns)
      : path_(path), file_(checked(path, columns)), columns_(columns.size()) {
    std::string units = "# units: ";
    std::string names;
    for (const auto& column : columns) {
      const std::string_view separator = names.empty() ? "" : ",";
      units.append(names.empty() ? "" : ", ")
          .append(column.name)
          .append(" [")
          .append(column.unit)
          .append("]");
      names.append(separator).append(column.name);
    }
    file_ << units << '\n' << names << '\n';
    flush();
  }

  /// Append one row. Throws std::invalid_argument if it has not one number for each column,
  /// std::runtime_error if the file cannot be written.
  void row(std::initializer_list<double> values) { append(values.begin(), values.end()); }
  /// Append one row.
  void row(const std::vector<double>& values) { append(values.begin(), values.end()); }

  /// Hand everything so far to the file system. Throws std::runtime_error naming the path if that fails.
  void flush() {
    file_.flush();
    check();
  }

  /// Hand everything to the file system and close the file, which takes no more rows. Throws
  /// std::runtime_error naming the path if that fails, again whenever it is asked: a table that is not closed
  /// loses its last rows without a word where a disk is full, for a destructor cannot tell.
  void close() {
    if (file_.is_open()) file_.close();
    check();
  }

  /// Where the table is.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  /// The path, if the columns may head a table.
  static const std::filesystem::path& checked(const std::filesystem::path& path,
                                              const std::vector<Column>& columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto& [name, unit] = columns[i];
      require_entry(name.find_first_of(",\"\r\n") == std::string::npos, "CsvWriter", "name of column", i,
                    "'" + name + "'", "it must have no commas, quotes or line ends");
      require_entry(unit.find_first_of("\r\n") == std::string::npos, "CsvWriter", "unit of column", i,
                    "'" + unit + "'", "it must have no line ends");
    }
    return path;
  }
  template <class Iterator>
  void append(Iterator begin, Iterator end) {
    if (static_cast<std::size_t>(end - begin) != columns_) {
      throw std::invalid_argument("CsvWriter: a row of " + std::to_string(end - begin) + " numbers, but " +
                                  path_.string() + " has " + std::to_string(columns_) + " columns");
    }
    std::array<char, 32> number{};
    for (auto value = begin; value != end; ++value) {
      if (value != begin) file_ << ',';
      char* const first = number.data();
      const auto done = std::to_chars(first, first + number.size(), *value, std::chars_format::general, 17);
      file_.write(first, done.ptr - first);
    }
    file_ << '\n';
    check();
  }

  void check() const {
    if (!file_) throw std::runtime_error("cannot write " + path_.string());
  }

  std::filesystem::path path_;
  std::ofstream file_;
  std::size_t columns_;
};

}  // namespace dalembert::io
