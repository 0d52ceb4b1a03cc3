#pragma once

#include <filesystem>

#include "stability/boundaries.hpp"

namespace stability {

/// The picture eigenvalues.png from eigenvalues.csv in `folder`.
void draw(const Motion& motion, const Points& points, const std::vector<Boundary>& found,
          const std::filesystem::path& folder);

}  // namespace stability
