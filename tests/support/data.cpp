#include "support/data.hpp"

#include <fstream>
#include <stdexcept>

test::Json test::data(const std::string& name) {
  std::ifstream file(std::string(DALEMBERT_TEST_DATA) + "/" + name);
  if (!file) throw std::runtime_error("tests/data/" + name + " cannot be read");
  return Json::parse(file);
}
