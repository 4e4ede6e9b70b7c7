// Collecting the instances of a data set.
#include "moco/problems/data_set.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/core/tar.h"
#include "moco/error.h"

namespace moco {

namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& file) {
  return file.filename().string().starts_with('.');
}

std::vector<InstancePtr> read_folder(const fs::path& folder, const ReadOptions& options,
                                     std::vector<std::string>* warnings) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && !is_hidden(entry.path())) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::vector<InstancePtr> instances;
  for (const fs::path& file : files) {
    std::ranges::move(read_instances(file, options, warnings), std::back_inserter(instances));
  }
  return instances;
}

std::vector<InstancePtr> read_archive(const std::string& file, const ReadOptions& options,
                                      std::vector<std::string>* warnings) {
  const std::string archive = read_file(file);
  std::vector<TarMember> members = tar_members(archive, file);
  std::erase_if(members, [](const TarMember& member) { return is_hidden(member.name); });
  std::ranges::sort(members, {}, &TarMember::name);
  std::vector<InstancePtr> instances;
  for (const TarMember& member : members) {
    std::ranges::move(parse_instances(member.content, member.name, options, warnings), std::back_inserter(instances));
  }
  return instances;
}

std::vector<InstancePtr> read_path(const std::string& path, const ReadOptions& options,
                                   std::vector<std::string>* warnings) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return read_folder(path, options, warnings);
  }
  return is_tar_name(path) ? read_archive(path, options, warnings) : read_instances(path, options, warnings);
}

}  // namespace

std::vector<InstancePtr> read_data_set(const std::vector<std::string>& paths, const ReadOptions& options,
                                       std::vector<std::string>* warnings) {
  std::vector<InstancePtr> instances;
  std::string problem = options.problem;
  for (const std::string& path : paths) {
    std::vector<InstancePtr> found = read_path(path, options, warnings);
    if (found.empty()) {
      throw InputError(path, "no instance found");
    }
    for (InstancePtr& instance : found) {
      problem = problem.empty() ? std::string(instance->problem()) : problem;
      if (instance->problem() != problem) {
        throw InputError(
            path, fmt::format("{} is for {}, the data set for {}", instance->name(), instance->problem(), problem));
      }
      instances.push_back(std::move(instance));
    }
  }
  return instances;
}

}  // namespace moco
