#pragma once

/// @file
/// What the pages of cmake/site promise of the tree, as a function from a tree to what is not so:
///   their C++ is, byte for byte and in one piece, in a file of examples or tests that is compiled;
///   what they quote of the compiler's refusals, lines "this is no …", is what a header says;
///   what they include is there, with the marks of the part that they show;
///   what they refer to is a page, or a heading with a name, or looks like a name of the code;
///   each system and each folder of the library has its page;
///   the tests that they name are there, and errata names one for each file of tests that it mentions.

#include "structure/readme.hpp"

#include <regex>
#include <sstream>

namespace structure {

/// A page: its path in the tree, its whole text, and its text without fenced blocks and code in a line.
struct Page {
  std::string path;
  std::string text;
  std::string prose;
};

/// A page's text with its fenced blocks left out, and between backquotes nothing.
inline std::string prose_of(const fs::path& file) {
  std::string prose;
  bool fenced = false;
  for (const auto& line : lines_of(file)) {
    if (line.starts_with("```")) {
      fenced = !fenced;
    } else if (!fenced && !line.starts_with("    ")) {
      bool code = false;
      for (const char c : line) {
        if (c == '`') code = !code;
        if (!code) prose += c;
      }
      prose += '\n';
    }
  }
  return prose;
}

inline std::vector<Page> read_pages(const fs::path& root) {
  std::vector<Page> pages;
  const fs::path folder = root / "cmake" / "site";
  if (!fs::is_directory(folder)) return pages;
  for (const auto& entry : fs::recursive_directory_iterator{folder})
    if (entry.path().extension() == ".md")
      pages.push_back(
          {fs::relative(entry.path(), root).generic_string(), text_of(entry.path()), prose_of(entry.path())});
  std::sort(pages.begin(), pages.end(), [](const Page& a, const Page& b) { return a.path < b.path; });
  return pages;
}

/// All that a pattern finds in a text, each with its groups.
inline std::vector<std::smatch> all_matches(const std::string& text, const std::regex& pattern) {
  return {std::sregex_iterator{text.begin(), text.end(), pattern}, std::sregex_iterator{}};
}

/// The texts of what is compiled in examples and tests; programs that must not compile show nothing.
inline std::vector<std::string> compiled_texts(const fs::path& root) {
  std::vector<std::string> texts;
  for (const auto* place : {"examples", "tests"}) {
    if (!fs::is_directory(root / place)) continue;
    for (const auto& entry : fs::recursive_directory_iterator{root / place}) {
      const auto path = fs::relative(entry.path(), root).generic_string();
      const auto extension = entry.path().extension();
      if ((extension == ".cpp" || extension == ".hpp") && !path.starts_with("tests/compile_fail/"))
        texts.push_back("\n" + text_of(entry.path()));
    }
  }
  return texts;
}

/// C++ that is nowhere compiled, whether in a fenced block or in one of Doxygen's.
inline Faults shown_code_faults(const fs::path& root, const std::vector<Page>& pages) {
  Faults faults;
  const auto texts = compiled_texts(root);
  for (const auto& page : pages) {
    for (const auto& block : code_blocks(root / page.path)) {
      const bool found = std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
        return !block.empty() && text.find("\n" + block) != std::string::npos;
      });
      if (!found)
        faults.push_back(page.path +
                         " shows code that is compiled nowhere: " + block.substr(0, block.find('\n')));
    }
    if (page.prose.find("@code") != std::string::npos || page.prose.find("\\code") != std::string::npos)
      faults.push_back(page.path + " has @code: nothing says that it is compiled");
  }
  return faults;
}

/// A file's text in which string literals in several pieces are one.
inline std::string joined_text(const fs::path& file) {
  static const std::regex broken{R"re("\s*\n\s*")re"};
  return std::regex_replace(text_of(file), broken, "");
}

/// Lines that begin as the library's compile-time messages do, and are none.
inline Faults quoted_message_faults(const fs::path& root, const std::vector<Page>& pages) {
  Faults faults;
  std::string said;
  for (const auto& page : pages) {
    for (const auto& line : lines_of(root / page.path)) {
      if (!line.starts_with("this is no ")) continue;
      if (said.empty())
        for (const auto& entry : fs::recursive_directory_iterator{root / "include"})
          if (entry.path().extension() == ".hpp") said += joined_text(entry.path());
      if (said.find("\"" + line + "\"") == std::string::npos)
        faults.push_back(page.path + " quotes what no header says: " + line);
    }
  }
  return faults;
}

/// Files that pages include which are not there, and parts of them without a mark at either end.
inline Faults inclusion_faults(const fs::path& root, const std::vector<Page>& pages) {
  static const std::regex command{
      R"([@\\](include|snippet|dontinclude)(?:\{[^}]*\}|lineno|doc)?[ \t]+(\S+)(?:[ \t]+(\S+))?)"};
  Faults faults;
  for (const auto& page : pages) {
    for (const auto& match : all_matches(page.prose, command)) {
      const std::string file = match[2], part = match[3];
      fs::path found;
      for (const auto* place : {"examples", "tests"})
        if (fs::is_regular_file(root / place / file)) found = root / place / file;
      if (found.empty()) {
        faults.push_back(page.path + " includes " + file + ", which does not exist");
      } else if (match[1] == "snippet") {
        int marks = 0;
        for (const auto& line : lines_of(found))
          if (line.ends_with("//! [" + part + "]") || line.ends_with("#! [" + part + "]")) ++marks;
        if (part.empty() || marks != 2)
          faults.push_back(page.path + " shows the part '" + part + "' of " + file + ", which has " +
                           std::to_string(marks) + " marks of it");
      }
    }
  }
  return faults;
}

/// References to no page. Names of the code and of files are Doxygen's to check.
inline Faults reference_faults(const std::vector<Page>& pages) {
  static const std::regex named{R"((?:^|\n)#+ [^\n]*\{#(\w+)\})"},
      command{R"([@\\](?:ref|subpage)\s+([\w:./~-]+))"};
  Faults faults;
  std::set<std::string> names;
  for (const auto& page : pages) {
    const auto heads = all_matches(page.prose, named);
    if (heads.empty() || heads.front().position() != 0)
      faults.push_back(page.path + " does not begin with '# Title {#name}'");
    for (const auto& head : heads)
      if (!names.insert(head[1]).second)
        faults.push_back(page.path + " has the name " + head[1].str() + ", which is taken");
  }
  for (const auto& page : pages) {
    for (const auto& match : all_matches(page.prose, command)) {
      std::string name = match[1];
      while (name.ends_with('.') || name.ends_with(':')) name.pop_back();  // of the sentence
      const bool of_code = name.find("::") != std::string::npos || name.find('.') != std::string::npos;
      if (!of_code && !names.contains(name))
        faults.push_back(page.path + " refers to " + name + ", which is no page");
    }
  }
  return faults;
}

/// Systems that no page in cmake/site/systems names, and folders of the library without a page in cmake/site/rooms.
inline Faults missing_page_faults(const fs::path& root, const std::vector<Page>& pages) {
  Faults faults;
  const fs::path library = root / "include" / "dalembert";
  for (const auto& entry : fs::directory_iterator{library}) {
    const auto name = entry.path().filename().string();
    if (!entry.is_directory() || name == "detail") continue;
    if (!fs::is_regular_file(root / "cmake" / "site" / "rooms" / (name + ".md")))
      faults.push_back("include/dalembert/" + name + " has no page in cmake/site/rooms");
  }
  if (!fs::is_directory(library / "systems")) return faults;
  for (const auto& entry : fs::directory_iterator{library / "systems"}) {
    if (entry.path().extension() != ".hpp") continue;
    const std::string name = "systems/" + entry.path().filename().string();
    const bool found = std::any_of(pages.begin(), pages.end(), [&](const Page& page) {
      return page.path.starts_with("cmake/site/systems/") && page.text.find(name) != std::string::npos;
    });
    if (!found) faults.push_back(name + " is named by no page in cmake/site/systems");
  }
  return faults;
}

/// Tests that are not there. A page names one as `tests/folder/file.cpp`, "name", or with its name in parentheses.
inline Faults named_test_faults(const fs::path& root, const std::vector<Page>& pages) {
  static const std::regex test{R"re(`(tests/[\w/]+\.cpp)`(?:,?\s+\(?"([^"]+)")?)re"}, blanks{R"(\s+)"};
  Faults faults;
  for (const auto& page : pages) {
    const bool errata = page.path == "cmake/site/errata.md";
    const auto matches = all_matches(page.text, test);
    if (errata && matches.empty()) faults.push_back(page.path + " names no test");
    for (const auto& match : matches) {
      const std::string file = match[1], name = std::regex_replace(match[2].str(), blanks, " ");
      if (!fs::is_regular_file(root / file)) {
        faults.push_back(page.path + " names " + file + ", which does not exist");
      } else if (!name.empty()) {
        if (joined_text(root / file).find("\"" + name + "\"") == std::string::npos)
          faults.push_back(page.path + " names the test \"" + name + "\", which is not in " + file);
      } else if (errata) {
        faults.push_back(page.path + " names no test of " + file);
      }
    }
  }
  return faults;
}

/// The words of a text in lower case with single blanks between them, without the marks of comments.
inline std::string plain_words(const std::string& text) {
  static const std::regex mark{R"(\n\s*///?<?)"}, blanks{R"(\s+)"};
  std::string words = std::regex_replace(std::regex_replace(text, mark, " "), blanks, " ");
  for (char& c : words)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return words;
}

/// Terms of the glossary that a search does not find in the header beside them. Rows are "| term, term | meaning
/// | `room/header.hpp` |".
inline Faults glossary_faults(const fs::path& root) {
  static const std::regex row{R"re(\n\| ([^|]+) \| [^|]+ \| `([\w/]+\.hpp)` \|)re"};
  Faults faults;
  const fs::path page = root / "cmake/site/glossary.md";
  if (!fs::is_regular_file(page)) return faults;
  const std::string text = text_of(page);
  for (const auto& match : all_matches(text, row)) {
    const fs::path header = root / "include/dalembert" / match[2].str();
    const std::string words = fs::is_regular_file(header) ? plain_words("\n" + text_of(header)) : "";
    std::istringstream terms(match[1].str());
    for (std::string term; std::getline(terms >> std::ws, term, ',');)
      if (words.find(plain_words(term)) == std::string::npos)
        faults.push_back("cmake/site/glossary.md says that " + term + " is in " + match[2].str());
  }
  return faults;
}

/// Types of errors that the page of troubles does not explain.
inline Faults trouble_faults(const fs::path& root) {
  static const std::regex error{
      R"(\n(?:struct|class) (\w+) : (?:public )?(?:InvalidState|std::runtime_error))"};
  Faults faults;
  const fs::path page = root / "cmake/site/troubleshooting.md";
  if (!fs::is_regular_file(page)) return faults;
  const std::string explained = text_of(page);
  for (const auto& entry : fs::recursive_directory_iterator{root / "include"}) {
    if (entry.path().extension() != ".hpp") continue;
    const std::string text = text_of(entry.path());
    for (const auto& match : all_matches(text, error))
      if (explained.find("| `" + match[1].str() + "`") == std::string::npos)
        faults.push_back("cmake/site/troubleshooting.md does not explain " + match[1].str());
  }
  return faults;
}

inline Faults site_faults(const fs::path& root) {
  const auto pages = read_pages(root);
  Faults all;
  if (pages.empty()) all.emplace_back("cmake/site has no pages");
  for (const auto& some :
       {shown_code_faults(root, pages), quoted_message_faults(root, pages), inclusion_faults(root, pages),
        reference_faults(pages), missing_page_faults(root, pages), named_test_faults(root, pages),
        glossary_faults(root), trouble_faults(root)})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace structure
