// Writing and reading resume states.
#include "moco/training/state.h"

#include <array>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "moco/core/files.h"
#include "moco/core/json_integer.h"
#include "moco/error.h"
#include "moco/model/safetensors.h"

namespace moco {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kFormatKey = "moco.train.format";
constexpr const char* kConfigKey = "moco.train.config";
constexpr const char* kStateKey = "moco.train.state";
constexpr const char* kFormatVersion = "1";
constexpr std::array kTensors = {"parameters", "adam.first", "adam.second"};

fs::path backup_of(const fs::path& file) {
  return fs::path(file) += ".bak";
}

std::array<const std::vector<float>*, 3> tensors_of(const LearnerState& learner) {
  return {&learner.parameters, &learner.adam.first, &learner.adam.second};
}

std::uint32_t checksum(const LearnerState& learner) {
  uLong sum = crc32(0, nullptr, 0);
  for (const std::vector<float>* values : tensors_of(learner)) {
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(values->data()), values->size() * sizeof(float));
  }
  return static_cast<std::uint32_t>(sum);
}

/// Keeps the present state beside the next one; the file itself stays in place all the time.
void keep_backup(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) {
    return;
  }
  const fs::path backup = backup_of(file);
  fs::remove(backup, error);
  fs::create_hard_link(file, backup, error);
  if (error) {  // a file system without links
    fs::copy_file(file, backup, fs::copy_options::overwrite_existing, error);
  }
  if (error) {
    throw IoError(fmt::format("cannot keep '{}' as '{}': {}", file.string(), backup.string(), error.message()));
  }
}

TrainState parse_state(std::string_view content, const std::string& name) {
  const SafetensorsFile stored = parse_safetensors(content, name);
  for (const char* key : {kFormatKey, kConfigKey, kStateKey}) {
    if (!stored.metadata.contains(key)) {
      throw InputError(name, fmt::format("no {} in the metadata: not a training state", key));
    }
  }
  if (const std::string& version = stored.metadata.at(kFormatKey); version != kFormatVersion) {
    throw InputError(name,
                     fmt::format("state format '{}' is not {}, the one this program reads", version, kFormatVersion));
  }
  TrainState state;
  state.config = stored.metadata.at(kConfigKey);
  LearnerState& learner = state.learner;
  const std::array targets = {&learner.parameters, &learner.adam.first, &learner.adam.second};
  for (std::size_t i = 0; i < kTensors.size(); ++i) {
    const auto found = stored.tensors.find(kTensors[i]);
    if (found == stored.tensors.end()) {
      throw InputError(name, fmt::format("tensor '{}' is missing", kTensors[i]));
    }
    try {
      *targets[i] = found->second.floats();
    } catch (const OptionError& error) {
      throw InputError(name, fmt::format("tensor '{}': {}", kTensors[i], error.what()));
    }
    if (targets[i]->size() != learner.parameters.size()) {
      throw InputError(name, fmt::format("tensor '{}' has {} values, the parameters are {}", kTensors[i],
                                         targets[i]->size(), learner.parameters.size()));
    }
  }
  try {
    const json facts = json::parse(stored.metadata.at(kStateKey));
    learner.step = integer_of<int>(facts.at("step"));
    learner.adam.steps = integer_of<std::int64_t>(facts.at("adam_steps"));
    state.best_step = integer_of<int>(facts.at("best_step"));
    state.seconds = facts.at("seconds").get<double>();
    if (!facts.at("best_validation").is_null()) {
      state.best_validation = facts.at("best_validation").get<double>();
    }
    if (learner.step < 0 || learner.adam.steps < 0) {
      throw InputError(name, fmt::format("step {} or {} is negative", learner.step, learner.adam.steps));
    }
    if (integer_of<std::uint32_t>(facts.at("crc32")) != checksum(learner)) {
      throw InputError(name, "the checksum of the tensors is wrong");
    }
  } catch (const json::exception& error) {
    throw InputError(name, fmt::format("malformed {}: {}", kStateKey, error.what()));
  }
  return state;
}

}  // namespace

void save_state(const fs::path& file, const TrainState& state) {
  const LearnerState& learner = state.learner;
  const json facts = {{"step", learner.step},
                      {"adam_steps", learner.adam.steps},
                      {"best_validation", state.best_validation ? json(*state.best_validation) : json()},
                      {"best_step", state.best_step},
                      {"seconds", state.seconds},
                      {"crc32", checksum(learner)}};
  std::vector<TensorToStore> tensors;
  const auto size = static_cast<std::int64_t>(learner.parameters.size());
  for (std::size_t i = 0; i < kTensors.size(); ++i) {
    tensors.push_back({kTensors[i], {size}, tensors_of(learner)[i]->data()});
  }
  const std::string content = format_safetensors(
      {{kFormatKey, kFormatVersion}, {kConfigKey, state.config}, {kStateKey, facts.dump()}}, tensors);
  keep_backup(file);
  write_file(file, content);
}

TrainState load_state(const fs::path& file) {
  const std::string content = read_file(file);
  try {
    return parse_state(content, file.string());
  } catch (const InputError& error) {
    std::error_code failure;
    if (fs::exists(backup_of(file), failure)) {
      throw Error(fmt::format("{}; the state before it is kept: copy '{}' over it to go on from there", error.what(),
                              backup_of(file).string()));
    }
    throw;
  }
}

}  // namespace moco
