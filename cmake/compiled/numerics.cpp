// What every assembly computes with, and what programs refer to that were compiled as this library is.

#define DALEMBERT_INSTANTIATE template
#include <dalembert/compiled/numerics.hpp>

namespace dalembert::compiled {

template <class Library, class Eigen, class Width, class Align, class Standard>
const int LibraryMadeFor<Library, Eigen, Width, Align, Standard>::use_the_same_flags_and_versions = 1;

template struct LibraryMadeFor<Version<version_major, version_minor, version_patch>,
                               Version<EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION>,
                               PackWidth<native_width<double>>, Alignment<EIGEN_MAX_ALIGN_BYTES>,
                               Containers<checked_containers>>;

}  // namespace dalembert::compiled
