// Through the library, or through the formats where coordinates are scaled on the way.
#include "instance_output.h"

#include "moco/formats/formats.h"
#include "moco/problem.h"

namespace moco::cli {

void write_instance_output(const std::string& file, std::span<const InstancePtr> instances, InstanceFormat format,
                           const Arguments& arguments) {
  if (!arguments.given("scale")) {
    write_instances(file, instances, format);
    return;
  }
  std::vector<InstanceData> data;
  for (const InstancePtr& instance : instances) {
    data.push_back(scaled(instance->problem().data_of(*instance), arguments.real("scale")));
  }
  std::vector<const InstanceData*> pointers;
  for (const InstanceData& one : data) {
    pointers.push_back(&one);
  }
  write_data(file, pointers, format);
}

}  // namespace moco::cli
