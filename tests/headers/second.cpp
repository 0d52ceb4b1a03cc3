#include "everything.hpp"

const std::string_view* version_in_second_unit();

const std::string_view* version_in_second_unit() { return &dalembert::version; }
