// Reading and generating.
#include "tour_rows.h"

#include <algorithm>
#include <ctime>

#include "moco/generate.h"
#include "moco/io.h"

namespace moco {

TourRow tour_row(const std::string& argument, std::size_t most) {
  TourRow row{argument, {}, {}};
  if (const auto colon = argument.find(':'); colon != std::string::npos) {
    const auto second = argument.find(':', colon + 1);
    GeneratorOptions family{.problem = "tsp", .kind = argument.substr(0, colon)};
    family.nodes = std::stoi(argument.substr(colon + 1));
    family.seed = 4242;
    const std::size_t count = second == std::string::npos ? 1 : std::stoul(argument.substr(second + 1));
    for (std::uint64_t i = 0; i < count; ++i) {
      row.instances.push_back(generate(family, i));
    }
  } else {
    const auto equals = argument.find('=');
    row.instances = read_instances(argument.substr(0, equals));
    if (equals != std::string::npos) {
      row.best = std::stod(argument.substr(equals + 1));
    }
  }
  row.instances.resize(std::min(row.instances.size(), most));
  return row;
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace moco
