#pragma once

/// @file
/// The rules of the source tree, as a function from a tree to what is wrong with it.
///   Includes run one way: core ← linalg ← lie ← problem ← mechanics ← assembly, linalg ← clusters,
///   clusters ← assembly ← tangents ← {statics, modes, implicit}, statics ← rod ← contact ← string, and so
///   on to systems; problem ← integrate: what steps and what is stepped meet in problem only. analysis, io,
///   ensemble and compat know no rod, contact or assembly: these say themselves what is asked of them.
///   compiled knows all, and is known by none.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "structure/names.hpp"

namespace structure {

namespace fs = std::filesystem;
using Faults = std::vector<std::string>;

inline constexpr std::size_t longest_header = 350;

/// What the headers of a layer may include besides their own layer: whole layers, or single headers.
struct Layer {
  std::string_view name;
  std::vector<std::string_view> layers;
  std::vector<std::string_view> headers{};
};

inline const std::vector<Layer>& layers() {
  // the state of a chain of nodes, and its free motion
  static const std::vector<std::string_view> chains = {
      "rod/chain.hpp",   "rod/columns.hpp",       "rod/detail/check.hpp", "rod/detail/free_motion.hpp",
      "rod/drawing.hpp", "rod/detail/stages.hpp", "rod/interpolation.hpp"};
  // these, and what a body under a load of one's own asks for
  static const std::vector<std::string_view> chains_and_loads = [] {
    std::vector<std::string_view> both = chains;
    both.insert(both.end(), {"tangents/linearised_body.hpp", "tangents/load_tangent.hpp"});
    return both;
  }();
  static const std::vector<Layer> all = {
      {"core", {}},
      {"linalg", {"core"}},
      {"lie", {"core"}},
      {"problem", {"core", "lie"}},
      {"mechanics", {"core", "linalg", "lie", "problem"}},
      {"clusters", {"core", "linalg"}, {"assembly/line_rows.hpp"}},
      {"assembly", {"core", "linalg", "lie", "problem", "clusters"}, chains_and_loads},
      {"tangents", {"core", "clusters", "assembly"}, chains},
      {"statics", {"core", "linalg", "lie", "problem", "assembly", "tangents"}, chains},
      {"modes", {"core", "linalg", "lie", "problem", "assembly", "tangents"}, chains},
      {"implicit", {"core", "linalg", "lie", "problem", "clusters", "assembly", "tangents"}, chains},
      {"rod", {"core", "linalg", "lie", "problem", "mechanics", "assembly", "statics"}},
      {"contact", {"core", "linalg", "lie", "problem", "mechanics", "assembly", "rod"}},
      {"string", {"core", "lie", "problem", "mechanics", "assembly", "rod", "contact"}},
      {"systems", {"core", "linalg", "lie", "mechanics", "assembly", "statics", "rod", "contact", "string"}},
      {"integrate", {"core", "linalg", "lie", "problem"}},
      {"analysis", {"core", "linalg", "lie", "problem", "mechanics", "integrate"}},
      {"io", {"core", "lie", "problem", "mechanics", "integrate"}},
      {"ensemble", {"core", "integrate", "io"}},
      {"compat", {"core", "lie", "problem", "ensemble"}},
      {"compiled",
       {"core", "linalg", "lie", "problem", "mechanics", "clusters", "assembly", "tangents", "statics",
        "modes", "implicit", "rod", "contact", "string", "systems", "integrate", "analysis", "io"}},
  };
  return all;
}

inline std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in{file};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The text after `#name` when the line is that directive.
inline std::optional<std::string_view> directive(std::string_view line, std::string_view name) {
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with(name)) return {};
  line.remove_prefix(name.size());
  skip_blanks();
  return line;
}

/// A header of the library: its path after `dalembert/`, its text, and the library headers that it includes.
struct Header {
  std::string path;
  std::vector<std::string> lines;
  std::vector<std::string> includes;
  std::vector<std::string> foreign;

  std::string layer() const {
    const auto slash = path.find('/');
    return slash == std::string::npos ? std::string{} : path.substr(0, slash);
  }
};

using Headers = std::map<std::string, Header>;

inline Headers read_headers(const fs::path& root) {
  const fs::path folder = root / "include" / "dalembert";
  const std::string own = "dalembert/";
  Headers headers;
  for (const auto& entry : fs::recursive_directory_iterator{folder}) {
    if (entry.path().extension() != ".hpp") continue;
    Header header{fs::relative(entry.path(), folder).generic_string(), lines_of(entry.path()), {}, {}};
    for (const auto& line : header.lines) {
      const auto rest = directive(line, "include");
      if (!rest || rest->size() < 3) continue;
      const bool angled = rest->front() == '<';
      const std::string name{rest->substr(1, rest->find(angled ? '>' : '"', 1) - 1)};
      if (name.starts_with(own)) {
        const std::string path = name.substr(own.size());
        // A text that is no header includes nothing itself: all that it can be is missing.
        if (fs::path{path}.extension() != ".hpp" && fs::exists(folder / path)) continue;
        header.includes.push_back(path);
      } else if (angled) {
        header.foreign.push_back(name);
      } else {
        header.includes.push_back(
            (fs::path{header.path}.parent_path() / name).lexically_normal().generic_string());
      }
    }
    headers.emplace(header.path, header);
  }
  return headers;
}

inline bool may_include(const Header& from, const Header& to) {
  if (to.path == "version.hpp") return true;
  if (from.layer() == to.layer()) return true;
  const auto found = std::find_if(layers().begin(), layers().end(),
                                  [&](const Layer& layer) { return layer.name == from.layer(); });
  if (found == layers().end()) return false;
  const auto has = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return has(found->layers, to.layer()) || has(found->headers, to.path);
}

/// Includes against the order of the layers, of what does not exist, or of another library than Eigen.
inline Faults include_faults(const Headers& headers) {
  Faults faults;
  for (const auto& [path, header] : headers) {
    if (path == "dalembert.hpp") continue;
    const auto layer = header.layer();
    if (!layer.empty() && std::none_of(layers().begin(), layers().end(),
                                       [&](const Layer& known) { return known.name == layer; })) {
      faults.push_back(path + " is in no known layer");
    }
    for (const auto& name : header.includes) {
      const auto target = headers.find(name);
      if (target == headers.end()) {
        faults.push_back(path + " includes " + name + ", which does not exist");
      } else if (name == "dalembert.hpp" || !may_include(header, target->second)) {
        faults.push_back(path + " must not include " + name);
      }
    }
    for (const auto& name : header.foreign) {
      const bool eigen = name.starts_with("Eigen/") || name.starts_with("unsupported/Eigen/");
      const bool standard = name.find_first_of("/.") == std::string::npos;
      const bool intrinsics = name.ends_with("mmintrin.h") && path == "core/pack.hpp";
      const bool ranks = name == "mpi.h" && path == "compat/mpi.hpp";
      if (!eigen && !standard && !intrinsics && !ranks)
        faults.push_back(path + " must not include <" + name + ">");
      if (name == "cmath" && path != "core/detail/cmath.hpp")
        faults.push_back(path + " must include core/detail/cmath.hpp, not <cmath>");
    }
  }
  return faults;
}

/// Whether `path` is detail/<name>_members.hpp, the second half of <name>.hpp or of detail/<name>.hpp: definitions of
/// the members of its class.
inline bool is_second_half_of(const std::string& path, const std::string& header) {
  const fs::path whole{header};
  const auto room = whole.parent_path();
  const auto detail = room.filename() == "detail" ? room : room / "detail";
  return path == (detail / (whole.stem().string() + "_members.hpp")).generic_string();
}

/// What a header includes, itself or by way of others, but for a header whose second half includes it.
inline std::set<std::string> reached_from(const Headers& headers, const std::string& start) {
  std::set<std::string> seen;
  std::vector<std::string> open{start};
  while (!open.empty()) {
    const auto path = open.back();
    open.pop_back();
    const auto at = headers.find(path);
    if (at == headers.end()) continue;
    for (const auto& next : at->second.includes)
      if (!is_second_half_of(path, next) && seen.insert(next).second) open.push_back(next);
  }
  return seen;
}

/// Headers that include themselves by way of others, but for the two halves of one.
inline Faults cycle_faults(const Headers& headers) {
  Faults faults;
  for (const auto& [path, header] : headers)
    if (reached_from(headers, path).contains(path))
      faults.push_back(path + " includes itself by way of others");
  return faults;
}

/// An assembly that needs derivatives of its constraints or loads, which explicit steps do without.
inline Faults explicit_step_faults(const Headers& headers) {
  Faults faults;
  for (const auto& path : reached_from(headers, "assembly/assembly.hpp"))
    if (path.starts_with("tangents/"))
      faults.push_back("assembly/assembly.hpp includes " + path + " by way of others");
  return faults;
}

/// Whether a line calls a function cold that can be inlined. Compilers take whoever calls a cold function for cold as well, and make his loops small
/// instead of fast: a program that sets up a problem and then steps it must not be one of those.
inline bool cools_callers(const std::string& line) {
  const auto has = [&](const char* word) { return line.find(word) != std::string::npos; };
  return has("gnu::cold") && !has("noreturn") && !has("noinline");
}

/// Headers that are long, lack `#pragma once`, define macros, which only one may, or make their callers cold.
inline Faults form_faults(const Headers& headers) {
  Faults faults;
  for (const auto& [path, header] : headers) {
    const auto& lines = header.lines;
    if (lines.size() > longest_header && path != "dalembert.hpp") {
      faults.push_back(path + " has " + std::to_string(lines.size()) + " lines, more than " +
                       std::to_string(longest_header));
    }
    if (std::none_of(lines.begin(), lines.end(), [](auto& line) { return line == "#pragma once"; })) {
      faults.push_back(path + " lacks #pragma once");
    }
    if (path != "compiled/instantiate.hpp" && path != "core/detail/inline.hpp" &&
        std::any_of(lines.begin(), lines.end(),
                    [](auto& line) { return directive(line, "define").has_value(); })) {
      faults.push_back(path + " defines a macro");
    }
    if (std::any_of(lines.begin(), lines.end(), cools_callers)) {
      faults.push_back(path + " makes those cold who call it");
    }
  }
  return faults;
}

/// How many characters a line has, of which UTF-8 writes some in several bytes.
inline std::size_t characters(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(
      line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Lines over the limit in rooms that keep to it, and headers of the engine's rooms that are longer than a reader wants.
inline Faults width_faults(const Headers& headers) {
  static const std::set<std::string> short_rooms = {"linalg", "clusters", "assembly", "tangents", "statics",
                                                    "modes",  "implicit", "contact",  "rod"};
  static const std::set<std::string> narrow = {"linalg", "clusters", "assembly", "tangents", "statics",
                                               "modes",  "implicit", "contact",  "problem",  "rod",
                                               "string", "compiled", "ensemble"};
  constexpr std::size_t widest = 110, longest = 300;
  Faults faults;
  for (const auto& [path, header] : headers) {
    if (!narrow.contains(header.layer())) continue;
    for (std::size_t at = 0; at < header.lines.size(); ++at)
      if (characters(header.lines[at]) > widest)
        faults.push_back(path + ":" + std::to_string(at + 1) + " has more than " + std::to_string(widest) +
                         " characters");
    if (!short_rooms.contains(header.layer())) continue;
    if (header.lines.size() > longest)
      faults.push_back(path + " has " + std::to_string(header.lines.size()) + " lines, more than " +
                       std::to_string(longest) + " in this room");
  }
  return faults;
}

/// Rooms that compute with rows and numbers, whatever kinds of constraints these are of: headers there that know lists of several kinds, but for
/// those that hand them on.
inline Faults list_faults(const Headers& headers) {
  static const std::set<std::string> rooms = {"clusters", "tangents", "statics", "modes", "implicit"};
  static const std::set<std::string> systems = {"statics/detail/static_system.hpp",
                                                "statics/detail/static_kind.hpp",
                                                "modes/detail/small_motions.hpp", "implicit/implicit.hpp"};
  Faults faults;
  for (const auto& [path, header] : headers) {
    if (!rooms.contains(header.layer()) || systems.contains(path)) continue;
    for (const std::string& line : header.lines)
      if (line.find("Constraint... ") != std::string::npos)
        faults.push_back(path + " knows lists of several kinds of constraints");
  }
  return faults;
}

/// Rooms in which constraints of assemblies are differentiated.
inline bool differentiates_constraints(const std::string& layer) {
  return layer == "clusters" || layer == "assembly" || layer == "tangents" || layer == "statics" ||
         layer == "modes" || layer == "implicit";
}

/// Where derivatives begin by which constraints of assemblies are differentiated: in one header, in few lines.
inline Faults seed_faults(const Headers& headers) {
  Faults faults;
  constexpr std::size_t most = 4;
  for (const auto& [path, header] : headers) {
    if (!differentiates_constraints(header.layer())) continue;
    const auto count =
        static_cast<std::size_t>(std::count_if(header.lines.begin(), header.lines.end(), [](auto& line) {
          return line.find("::variable(") != std::string::npos;
        }));
    if (count > (path == "assembly/detail/seeds.hpp" ? most : 0))
      faults.push_back(path + " begins derivatives, which is for assembly/detail/seeds.hpp");
  }
  return faults;
}

/// Members of constraints that are called elsewhere than in the header that has their names, which says too what is taken where they are not there.
inline Faults member_faults(const Headers& headers) {
  const auto text_of = [](const Header& header) {
    std::string text;
    for (const auto& line : header.lines) text += line + '\n';
    return text;
  };
  const auto each = [](const std::string& text, const std::regex& pattern, const auto& f) {
    for (std::sregex_iterator at{text.begin(), text.end(), pattern}, end; at != end; ++at) f(*at);
  };
  static const std::regex list{R"(struct \w*Names \{\s*int ([\w,\s]+);)"}, name{R"(\w+)"},
      call{R"(\b(?:c|c_|constraint\(\)|list_\[\w+\])\.(\w+)\()"};
  std::map<std::string, std::string> home;
  Faults faults;
  for (const auto& [path, header] : headers) {
    if (header.layer() != "assembly") continue;
    each(text_of(header), list, [&](const auto& names) {
      each(names[1].str(), name, [&](const auto& found) {
        if (!home.emplace(found.str(), path).second)
          faults.push_back(path + " names " + found.str() + ", as another header does");
      });
    });
  }
  for (const auto& [path, header] : headers) {
    if (!differentiates_constraints(header.layer())) continue;
    each(text_of(header), call, [&](const auto& found) {
      const auto at = home.find(found[1].str());
      if (at != home.end() && at->second != path)
        faults.push_back(path + " asks a constraint for " + at->first + ", which is for " + at->second);
    });
  }
  return faults;
}

/// Headers that the umbrella forgets. Those in a folder `detail` are left to the headers that need them; in lines of their
/// own that begin with "/// - " it says which headers and folders are included by name.
inline Faults umbrella_faults(const Headers& headers) {
  Faults faults;
  const auto umbrella = headers.find("dalembert.hpp");
  if (umbrella == headers.end()) return {"there is no dalembert.hpp"};
  const auto& listed = umbrella->second.includes;
  const std::string mark = "/// - ";
  std::vector<std::string> by_name;
  for (const auto& line : umbrella->second.lines)
    if (line.starts_with(mark)) by_name.push_back(line.substr(mark.size()));
  for (const auto& name : by_name) {
    if (std::none_of(headers.begin(), headers.end(),
                     [&](const auto& h) { return h.first.starts_with(name); }))
      faults.push_back("dalembert.hpp leaves out " + name + ", which does not exist");
  }
  for (const auto& [path, header] : headers) {
    if (path == "dalembert.hpp" || path.find("detail/") != std::string::npos) continue;
    if (std::any_of(by_name.begin(), by_name.end(),
                    [&, &within = path](const auto& name) { return within.starts_with(name); }))
      continue;
    if (std::find(listed.begin(), listed.end(), path) == listed.end()) {
      faults.push_back("dalembert.hpp does not include " + path);
    }
  }
  for (const auto& path : listed) {
    if (!headers.contains(path))
      faults.push_back("dalembert.hpp includes " + path + ", which does not exist");
  }
  return faults;
}

/// Public names that doxygen lets pass without a word: concepts outside a namespace detail, and the namespaces
/// inside dalembert, each of which dalembert.hpp explains under `@namespace`.
inline Faults word_faults(const Headers& headers) {
  Faults faults;
  std::set<std::string> explained;
  if (const auto umbrella = headers.find("dalembert.hpp"); umbrella != headers.end()) {
    const std::string mark = "/// @namespace ";
    for (const auto& line : umbrella->second.lines) {
      if (line.starts_with(mark)) explained.insert(line.substr(mark.size()));
    }
  }
  for (const auto& [path, header] : headers) {
    bool hidden = false;
    for (std::size_t at = 0; at < header.lines.size(); ++at) {
      std::string_view line = header.lines[at];
      const bool detail = line.find("detail") != std::string_view::npos;
      if (detail && line.starts_with("namespace ")) hidden = true;
      if (detail && line.starts_with("}")) hidden = false;
      if (line.starts_with("concept ") && !hidden) {
        std::size_t above = at;
        while (above > 0 && !header.lines[above].starts_with("template")) --above;
        if (above == 0 || !header.lines[above - 1].starts_with("///")) {
          faults.push_back(path + ":" + std::to_string(at + 1) + " does not explain its concept");
        }
      }
      if (line.starts_with("namespace dalembert::")) {
        line.remove_prefix(std::string_view{"namespace "}.size());
        const std::string name{line.substr(0, line.find_first_of(" {"))};
        if (!detail && !explained.contains(name)) {
          faults.push_back("dalembert.hpp does not explain @namespace " + name + ", which " + path + " uses");
        }
      }
    }
  }
  return faults;
}

/// Public class templates over a number type, and what else has a default, that do not take double where nobody says it.
inline Faults number_type_faults(const Headers& headers) {
  static const std::regex over_numbers{"template <\\w+ S(, \\w+ \\w+ = [^,>]+)*>.*"};
  static const std::regex class_head{"(class|struct) (\\w+)( .*)?"};
  Faults faults;
  for (const auto& [path, header] : headers) {
    if (path.find("detail/") != std::string::npos) continue;
    bool hidden = false;
    for (std::size_t at = 0; at + 1 < header.lines.size(); ++at) {
      const std::string& line = header.lines[at];
      const bool detail = line.find("detail") != std::string::npos;
      if (detail && line.starts_with("namespace ")) hidden = true;
      if (detail && line.starts_with("}")) hidden = false;
      std::smatch name;
      if (!hidden && std::regex_match(line, over_numbers) &&
          std::regex_match(header.lines[at + 1], name, class_head))
        faults.push_back(path + ":" + std::to_string(at + 1) + " has no number type by default for " +
                         name[2].str());
    }
  }
  return faults;
}

/// Files that name a folder of one machine.
inline Faults path_faults(const fs::path& root) {
  // In two pieces each, so that this file does not accuse itself.
  static const std::array<std::string, 5> machine_folders = {
      std::string{"/wo"} + "rk/", std::string{"/tm"} + "p", std::string{"/ho"} + "me/",
      std::string{"/Us"} + "ers/", std::string{"/fa"} + "rm"};
  static const std::array<std::string_view, 11> places = {
      "include",   "tests", "bench",         "examples",    "cmake",     "CMakeLists.txt",
      "README.md", ".ci",   ".clang-format", ".clang-tidy", ".gitignore"};
  Faults faults;
  const auto check = [&](const fs::path& file) {
    std::size_t number = 0;
    for (const auto& line : lines_of(file)) {
      ++number;
      for (const auto& folder : machine_folders) {
        if (line.find(folder) == std::string::npos) continue;
        faults.push_back(fs::relative(file, root).generic_string() + ":" + std::to_string(number) +
                         " names " + folder);
      }
    }
  };
  for (const auto place : places) {
    const auto path = root / place;
    if (fs::is_regular_file(path)) check(path);
    if (!fs::is_directory(path)) continue;
    for (const auto& entry : fs::recursive_directory_iterator{path}) {
      if (entry.is_regular_file()) check(entry.path());
    }
  }
  return faults;
}

inline Faults faults(const fs::path& root) {
  const auto headers = read_headers(root);
  Faults all;
  for (const auto& some :
       {include_faults(headers), cycle_faults(headers), explicit_step_faults(headers), form_faults(headers),
        width_faults(headers), list_faults(headers), seed_faults(headers), member_faults(headers),
        umbrella_faults(headers), word_faults(headers), number_type_faults(headers), path_faults(root),
        old_name_faults(root), named_header_faults(root)}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace structure
