#pragma once

#include <array>
#include <string_view>

/// The page that plays a scene: what lies in io/page. Each file there is a raw string between its first and its last line, which makes it a part of
/// this header without a generator.
namespace dalembert::io::detail {

/// How it looks.
inline constexpr std::string_view page_style =
#include <dalembert/io/page/style.css>
    ;
/// What it is made of.
inline constexpr std::string_view page_body =
#include <dalembert/io/page/body.html>
    ;
/// What it does, in one script.
inline constexpr std::array<std::string_view, 1> page_scripts{
#include <dalembert/io/page/main.js>
};

}  // namespace dalembert::io::detail
