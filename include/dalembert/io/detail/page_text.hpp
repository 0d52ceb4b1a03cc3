#pragma once

#include <array>
#include <string_view>

/// The page that plays a scene: what lies in io/page. Each file there is a raw string between its first and
/// its last line, which makes it a part of this header without a generator.
namespace dalembert::io::detail {

/// How it looks.
inline constexpr std::string_view page_style =
#include <dalembert/io/page/style.css>
    ;
/// What it is made of.
inline constexpr std::string_view page_body =
#include <dalembert/io/page/body.html>
    ;
/// What it does: one script.
inline constexpr std::array<std::string_view, 17> page_scripts{
    // within a function, so that its names are its own
    "\"use strict\";\n(() => {\n",
#include <dalembert/io/page/recording.js>
    ,
#include <dalembert/io/page/algebra.js>
    ,
#include <dalembert/io/page/colours.js>
    ,
#include <dalembert/io/page/numbers.js>
    ,
#include <dalembert/io/page/meshes.js>
    ,
#include <dalembert/io/page/measures.js>
    ,
#include <dalembert/io/page/shaders.js>
    ,
#include <dalembert/io/page/camera.js>
    ,
#include <dalembert/io/page/renderer.js>
    ,
#include <dalembert/io/page/stage.js>
    ,
#include <dalembert/io/page/player.js>
    ,
#include <dalembert/io/page/plots.js>
    ,
#include <dalembert/io/page/texts.js>
    ,
#include <dalembert/io/page/address.js>
    ,
#include <dalembert/io/page/main.js>
    ,
    "})();\n"};

}  // namespace dalembert::io::detail
