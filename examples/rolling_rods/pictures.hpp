#pragma once

#include <filesystem>
#include <vector>

/// Draw what a run left in `out`: rods.png, closeup.png, positions.png, force.png, ledger.png. `times` are those of the shapes [s].
void draw_pictures(const std::filesystem::path& out, const std::vector<double>& times);
