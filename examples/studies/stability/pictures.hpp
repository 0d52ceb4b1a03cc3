#pragma once

#include "stability/boundaries.hpp"
#include "support/summary.hpp"

namespace stability {

/// The picture eigenvalues.png from eigenvalues.csv of the run.
void draw(const Motion& motion, const Points& points, const std::vector<Boundary>& found,
          const example::Run& run);

}  // namespace stability
