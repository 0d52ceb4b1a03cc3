#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace example {

/// A file that is written, and closed by who wrote it, so that a full disk is noticed.
class OutputFile : public std::ofstream {
 public:
  /// Creates or overwrites the file at `path`.
  explicit OutputFile(std::filesystem::path path, std::ios::openmode mode = std::ios::out)
      : std::ofstream(path, mode), path_(std::move(path)) {}
  /// Hand everything to the file system and close the file. Throws std::runtime_error naming it if something is missing in it.
  void close() {
    if (is_open()) std::ofstream::close();
    if (!*this) throw std::runtime_error("cannot write " + path_.string());
  }

 private:
  std::filesystem::path path_;
};

}  // namespace example
