// Collecting the instances of a data set.
#include "moco/data_set.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/core/files.h"
#include "moco/core/tar.h"
#include "moco/error.h"
#include "moco/formats/detect.h"
#include "moco/problem.h"

namespace moco {

namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& file) {
  return file.filename().string().starts_with('.');
}

/// The instances of a folder's or archive's files, and the names of the files that hold none.
class Collection {
 public:
  Collection(const ReadOptions& options, std::vector<std::string>* warnings) : options_(options), warnings_(warnings) {}

  /// A file that is called or begins like an instance must be one; any other is passed over when it is none.
  void add(const std::string& content, const std::string& file) {
    std::vector<std::string> warnings;
    try {
      std::ranges::move(parse_instances(content, file, options_, &warnings), std::back_inserter(instances_));
    } catch (const InputError&) {
      if (options_.format != InstanceFormat::automatic || claims_to_be_instance(content, file)) {
        throw;
      }
      passed_over_.push_back(fs::path(file).filename().string());
      return;
    }
    if (warnings_ != nullptr) {
      std::ranges::move(warnings, std::back_inserter(*warnings_));
    }
  }

  /// What was found. Throws InputError when that is nothing; `path` stands for the folder or archive in messages.
  std::vector<InstancePtr> finish(const std::string& path) {
    constexpr std::size_t kNamed = 3;
    const std::size_t count = passed_over_.size();
    std::string names = fmt::format("{}", fmt::join(std::span(passed_over_).first(std::min(count, kNamed)), ", "));
    names += count > kNamed ? fmt::format(" and {} more", count - kNamed) : "";
    if (instances_.empty()) {
      throw InputError(path, count == 0 ? "no instance found" : fmt::format("no instance found, only {}", names));
    }
    if (count > 0 && warnings_ != nullptr) {
      warnings_->push_back(fmt::format("{}: passed over {}: not an instance", path, names));
    }
    return std::move(instances_);
  }

 private:
  const ReadOptions& options_;
  std::vector<std::string>* warnings_;
  std::vector<InstancePtr> instances_;
  std::vector<std::string> passed_over_;
};

std::vector<InstancePtr> read_folder(const std::string& folder, const ReadOptions& options,
                                     std::vector<std::string>* warnings) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure); !failure && entry != fs::directory_iterator();
       entry.increment(failure)) {
    std::error_code unknown;  // such as a link to itself
    if (entry->is_regular_file(unknown) && !is_hidden(entry->path())) {
      files.push_back(entry->path());
    }
  }
  if (failure) {
    throw IoError(fmt::format("cannot read '{}': {}", folder, failure.message()));
  }
  std::ranges::sort(files);
  Collection collection(options, warnings);
  for (const fs::path& file : files) {
    collection.add(read_file(file), file.string());
  }
  return collection.finish(folder);
}

std::vector<InstancePtr> read_archive(const std::string& file, const ReadOptions& options,
                                      std::vector<std::string>* warnings) {
  const std::string archive = read_file(file);
  std::vector<TarMember> members = tar_members(archive, file);
  std::erase_if(members, [](const TarMember& member) { return is_hidden(member.name); });
  std::ranges::sort(members, {}, &TarMember::name);
  Collection collection(options, warnings);
  for (const TarMember& member : members) {
    collection.add(is_gzip(member.content) ? gunzip(member.content, member.name) : std::string(member.content),
                   member.name);
  }
  return collection.finish(file);
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
    for (InstancePtr& instance : found) {
      problem = problem.empty() ? std::string(instance->problem().name()) : problem;
      if (instance->problem().name() != problem) {
        throw InputError(path, fmt::format("{} is for {}, the data set for {}", instance->name(),
                                           instance->problem().name(), problem));
      }
      instances.push_back(std::move(instance));
    }
  }
  return instances;
}

}  // namespace moco
