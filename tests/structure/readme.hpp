#pragma once

/// @file
/// What README promises of the tree, as a function from a tree to what is not so:
///   its C++ is whole programs of examples/first, byte for byte, and those are short, as are those of examples/recipes;
///   the site's table of which integrator serves which problem is what tests/static/integrators.cpp asserts;
///   what it links to is there;
///   it is short.

#include "structure/checker.hpp"

#include <sstream>

namespace structure {

inline constexpr std::size_t longest_first_program = 40;
inline constexpr std::size_t longest_recipe = 30;

inline std::string text_of(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The text between each line "```cpp" and the next "```".
inline std::vector<std::string> code_blocks(const fs::path& file) {
  std::vector<std::string> blocks;
  bool inside = false;
  for (const auto& line : lines_of(file)) {
    if (line == "```cpp") {
      blocks.emplace_back();
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

inline Faults code_faults(const fs::path& root) {
  Faults faults;
  std::set<std::string> programs;
  for (const auto& entry : fs::directory_iterator{root / "examples" / "first"}) {
    if (entry.path().extension() != ".cpp") continue;
    programs.insert(text_of(entry.path()));
    const auto length = lines_of(entry.path()).size();
    if (length > longest_first_program)
      faults.push_back(entry.path().filename().string() + " has " + std::to_string(length) +
                       " lines, more than " + std::to_string(longest_first_program));
  }
  if (fs::is_directory(root / "examples" / "recipes"))
    for (const auto& entry : fs::directory_iterator{root / "examples" / "recipes"})
      if (const auto length = lines_of(entry.path()).size();
          entry.path().extension() == ".cpp" && length > longest_recipe)
        faults.push_back(entry.path().filename().string() + " has " + std::to_string(length) +
                         " lines, more than " + std::to_string(longest_recipe));
  const auto blocks = code_blocks(root / "README.md");
  if (blocks.empty()) faults.emplace_back("README.md shows no program");
  for (const auto& block : blocks)
    if (!programs.contains(block))
      faults.push_back("README.md shows a program that is not in examples/first: " +
                       block.substr(0, block.find('\n')));
  return faults;
}

/// The lines of the table that begins with "| serves |", after its head.
inline Faults table_faults(const fs::path& root) {
  Faults faults;
  std::set<std::string> asserted, promised;
  for (const auto& line : lines_of(root / "tests" / "static" / "integrators.cpp"))
    if (line.starts_with("// | ")) asserted.insert(line.substr(3));
  int rows = -1;
  for (const auto& line : lines_of(root / "cmake/site/integrators.md")) {
    if (line.starts_with("| serves |")) rows = 0;
    if (rows < 0) continue;
    if (!line.starts_with("|")) break;
    if (++rows > 2) promised.insert(line);
  }
  for (const auto& line : promised)
    if (!asserted.contains(line))
      faults.push_back("cmake/site/integrators.md promises what nothing asserts: " + line);
  for (const auto& line : asserted)
    if (!promised.contains(line))
      faults.push_back("cmake/site/integrators.md does not say what is asserted: " + line);
  return faults;
}

/// Links to files of the tree, ](path), outside code.
inline Faults link_faults(const fs::path& root) {
  Faults faults;
  std::string text;
  bool code = false;
  for (const auto& line : lines_of(root / "README.md")) {
    if (line.starts_with("```")) code = !code;
    if (!code) text += line + "\n";
  }
  for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    const std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
    if (target.find("://") == std::string::npos && !fs::exists(root / target))
      faults.push_back("README.md links to " + target + ", which does not exist");
  }
  return faults;
}

/// README is a door: so many lines and words at most.
inline Faults length_faults(const fs::path& root) {
  const std::size_t lines = lines_of(root / "README.md").size();
  std::istringstream text(text_of(root / "README.md"));
  std::size_t words = 0;
  for (std::string word; text >> word;) ++words;
  Faults faults;
  if (lines > 120) faults.push_back("README.md has " + std::to_string(lines) + " lines, more than 120");
  if (words > 1100) faults.push_back("README.md has " + std::to_string(words) + " words, more than 1100");
  return faults;
}

inline Faults readme_faults(const fs::path& root) {
  Faults all;
  for (const auto& some : {code_faults(root), table_faults(root), link_faults(root), length_faults(root)})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace structure
