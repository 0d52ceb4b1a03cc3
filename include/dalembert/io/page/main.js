R"page(
"use strict";
const scene = JSON.parse(document.getElementById("scene").textContent);
document.getElementById("title").textContent = scene.title;
document.getElementById("caption").textContent = scene.caption;
)page"
