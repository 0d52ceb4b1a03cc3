#pragma once

#include <filesystem>
#include <vector>

#include <dalembert/io/csv.hpp>
#include <dalembert/io/scene_contacts.hpp>

namespace dalembert::io {

/// A table of contacts over time: how many there are, how many of them stick and slip, the largest force.
///   io::ContactTable table("contacts.csv");
///   table.row(state.time, contact::touches(problem, state));
class ContactTable {
 public:
  /// Creates or overwrites the file at `path`. Throws std::runtime_error naming the path if it cannot be
  /// written.
  explicit ContactTable(const std::filesystem::path& path)
      : csv_(path,
             {{"t", "s"}, {"contacts", "1"}, {"sticking", "1"}, {"slipping", "1"}, {"largest_force", "N"}}) {}

  /// Append a row at a time [s]. Throws std::runtime_error if the file cannot be written.
  template <ContactReport C>
  void row(double time, const std::vector<C>& contacts) {
    const ContactCount count = count_contacts(contacts);
    csv_.row({time, static_cast<double>(count.all), static_cast<double>(count.sticking),
              static_cast<double>(count.slipping), count.largest_force});
  }
  /// Hand everything to the file system and close the file, as `CsvWriter` does.
  void close() { csv_.close(); }

 private:
  CsvWriter csv_;
};

}  // namespace dalembert::io
