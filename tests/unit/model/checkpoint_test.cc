// Checkpoints: round trip, every claim of a hostile file, compatibility of stored types.
#include <bit>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "moco/core/files.h"
#include "moco/error.h"
#include "moco/model/parameters.h"
#include "moco/model/safetensors.h"

namespace moco {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// A path of this process alone: tests run side by side.
std::string scratch_file(const std::string& name) {
  return fmt::format("{}/moco_{}_{}", ::testing::TempDir(), getpid(), name);
}

Model small_model(const std::string& family = "tsp") {
  ModelConfig config;
  config.family = family;
  config.hidden = 8;
  config.blocks = 1;
  Model model = random_model(config, 2);
  model.metadata["licence"] = "MIT";
  return model;
}

std::string bytes_of(const Model& model) {
  const std::string file = scratch_file("bytes.safetensors");
  save_model(file, model);
  const std::string bytes = read_file(file);
  std::filesystem::remove(file);
  return bytes;
}

/// The file with its header changed by `edit`.
std::string with_header(const std::string& bytes, const std::function<void(json&)>& edit) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  json header = json::parse(bytes.substr(8, length));
  edit(header);
  const std::string text = header.dump();
  length = text.size();
  std::string out(8, '\0');
  std::memcpy(out.data(), &length, 8);
  out.append(text);
  std::uint64_t old = 0;
  std::memcpy(&old, bytes.data(), 8);
  out.append(bytes.substr(8 + old));
  return out;
}

void expect_error(const std::string& bytes, const std::string& message) {
  try {
    parse_model(bytes, "x.safetensors");
    ADD_FAILURE() << "accepted; expected: " << message;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
    EXPECT_THAT(error.what(), ::testing::StartsWith("x.safetensors: "));
  }
}

TEST(Checkpoint, RoundTrip) {
  for (const char* family : {"tsp", "mis"}) {
    for (const GcnVariant gcn : {GcnVariant::paper, GcnVariant::authors}) {
      Model model = small_model(family);
      model.config.gcn = gcn;
      model.config.global_pooling = GlobalPooling::mean;
      model.config.theta_update = ThetaUpdate::residual;
      model.config.init = gcn == GcnVariant::paper ? Initialisation::learned : Initialisation::uniform;
      model = random_model(model.config, 9);
      model.metadata["note"] = "line\nwith \"quotes\" and ü";
      const Model back = parse_model(bytes_of(model), "x");
      EXPECT_EQ(back.config, model.config);
      EXPECT_EQ(back.weights, model.weights);
      EXPECT_EQ(back.metadata, model.metadata);
    }
  }
}

TEST(Checkpoint, NumbersOfRules) {
  Model model = small_model();
  model.config.rule = UpdateRule::ant_system;
  double number = 0.25;
  for (const RuleParameter& parameter : rule_parameters()) {
    model.config.*parameter.value = number *= 0.5;
  }
  model = random_model(model.config, 9);
  EXPECT_EQ(parse_model(bytes_of(model), "x").config, model.config);
  const std::string before_ants = with_header(bytes_of(model), [](json& header) {
    json config = json::parse(header.at("__metadata__").at("moco.config").get<std::string>());
    for (const char* key : {"evaporation", "elitist_weight", "trail_weight", "visibility_weight"}) {
      EXPECT_EQ(config.erase(key), 1u) << key;
    }
    header.at("__metadata__").at("moco.config") = config.dump();
  });
  EXPECT_EQ(parse_model(before_ants, "x").config.evaporation, ModelConfig().evaporation);
}

TEST(Checkpoint, HoldsTheNetworksOfItsPartsOnly) {
  ModelConfig config = small_model().config;
  const std::size_t both = ParameterLayout(config).size();
  config.init = Initialisation::heuristic;
  const std::size_t update = ParameterLayout(config).size();
  EXPECT_FALSE(ParameterLayout(config).has("init.edge_decoder.w"));
  config.rule = UpdateRule::mlp;  // 8 features and 12 of the step, a layer of 8, two decoders
  EXPECT_EQ(ParameterLayout(config).size(), 8u * 8 + 8 + 12 * 8 + 8 + 8 * 8 + 8 + 2 * 9);
  const Model alone = random_model(config, 4);
  EXPECT_EQ(parse_model(bytes_of(alone), "x").config, config);
  EXPECT_EQ(parse_model(bytes_of(alone), "x").weights, alone.weights);
  config.init = Initialisation::learned;
  config.rule = UpdateRule::adam;
  EXPECT_EQ(ParameterLayout(config).size(), both - update);
  EXPECT_FALSE(ParameterLayout(config).has("update.edge_decoder.w"));
  const Model model = random_model(config, 4);
  EXPECT_EQ(parse_model(bytes_of(model), "x").weights, model.weights);
}

TEST(Checkpoint, FilesFromBeforeTheBeginningWasAChoice) {
  const auto without_init = [](const Model& model) {
    return with_header(bytes_of(model), [](json& header) {
      json config = json::parse(header.at("__metadata__").at("moco.config").get<std::string>());
      config.erase("init");
      header.at("__metadata__").at("moco.config") = config.dump();
    });
  };
  for (const Model& model : {small_model("tsp"), small_model("mis"), adam_model("tsp"), adam_model("mis")}) {
    EXPECT_EQ(parse_model(without_init(model), "x").config, model.config);
  }
}

TEST(Checkpoint, PaperSizeOfTheTspModel) {
  EXPECT_NEAR(static_cast<double>(ParameterLayout(ModelConfig{}).size()), 0.85e6, 0.005e6);
}

TEST(Checkpoint, ReadsBf16) {
  const Model model = small_model();
  const ParameterLayout layout(model.config);
  std::string data;
  json header;
  std::uint64_t length = 0;
  const std::string bytes = bytes_of(model);
  std::memcpy(&length, bytes.data(), 8);
  header["__metadata__"] = json::parse(bytes.substr(8, length)).at("__metadata__");
  for (const TensorSpec& tensor : layout.tensors()) {
    const std::size_t begin = data.size();
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      const auto bits =
          static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(model.weights[tensor.offset + i]) >> 16);
      data.append(reinterpret_cast<const char*>(&bits), 2);
    }
    const json shape =
        tensor.name.ends_with(".w") ? json::array({tensor.rows, tensor.cols}) : json::array({tensor.cols});
    header[tensor.name] = {{"dtype", "BF16"}, {"shape", shape}, {"data_offsets", {begin, data.size()}}};
  }
  const std::string text = header.dump();
  length = text.size();
  std::string file(8, '\0');
  std::memcpy(file.data(), &length, 8);
  file.append(text);
  file.append(data);
  const Model back = parse_model(file, "x");
  for (std::size_t i = 0; i < back.weights.size(); ++i) {
    EXPECT_NEAR(back.weights[i], model.weights[i], 0.01f * std::abs(model.weights[i]) + 1e-30f);
  }
}

TEST(Checkpoint, EveryTruncationIsAnError) {
  const std::string bytes = bytes_of(small_model());
  for (std::size_t length = 0; length < bytes.size(); length += length < 4000 ? 1 : 997) {
    EXPECT_THROW(parse_model(bytes.substr(0, length), "x"), InputError) << length;
  }
}

TEST(Checkpoint, HostileHeaders) {
  const std::string bytes = bytes_of(small_model());
  expect_error("", "0 bytes are too few for a safetensors file");
  expect_error(std::string(8, '\xff') + "{}",
               "a header of 18446744073709551615 bytes is claimed in a file of 10 bytes");
  expect_error(std::string("\x02\0\0\0\0\0\0\0[]", 10), "the safetensors header is not a JSON object");
  expect_error(std::string("\x02\0\0\0\0\0\0\0{}", 10), "not a moco checkpoint");
  const auto tensor = "init.edge_embedding.w";
  expect_error(with_header(bytes, [&](json& h) { h.erase(tensor); }), "tensor 'init.edge_embedding.w' is missing");
  expect_error(with_header(bytes, [&](json& h) { h["extra"] = h[tensor]; }), "tensor 'extra' is no part of this model");
  expect_error(with_header(bytes, [&](json& h) { h[tensor]["dtype"] = "F64"; }), "has type 'F64'");
  expect_error(with_header(bytes, [&](json& h) { h[tensor]["shape"] = {2, 4}; }), "has shape [2,4], not [1,8]");
  expect_error(with_header(bytes, [&](json& h) { h[tensor]["shape"] = {-1, -8}; }), "has data_offsets");
  expect_error(with_header(bytes, [&](json& h) { h[tensor]["shape"] = {1ull << 40, 1ull << 40}; }), "has data_offsets");
  expect_error(with_header(bytes, [&](json& h) { h[tensor]["data_offsets"] = {0, 1ull << 60}; }), "has data_offsets");
  expect_error(with_header(bytes, [&](json& h) { h[tensor]["data_offsets"] = {32, 0}; }), "has data_offsets");
  expect_error(with_header(bytes, [&](json& h) { h[tensor]["data_offsets"] = "all"; }), "malformed safetensors header");
  expect_error(with_header(bytes,
                           [&](json& h) {
                             h[tensor]["data_offsets"] = {0, 1e30};
                           }),
               "malformed safetensors header");
  expect_error(with_header(bytes, [&](json& h) { h[tensor] = 5; }), "malformed safetensors header");
  expect_error(with_header(bytes, [](json& h) { h["__metadata__"]["moco.format"] = "2"; }),
               "checkpoint format '2' is not 1");
  expect_error(with_header(bytes, [](json& h) { h["__metadata__"]["moco.config"] = "{"; }), "malformed moco.config");
  const auto config = [&](const char* key, const json& value) {
    return with_header(bytes, [&](json& h) {
      json inner = json::parse(h["__metadata__"]["moco.config"].get<std::string>());
      inner[key] = value;
      h["__metadata__"]["moco.config"] = inner.dump();
    });
  };
  expect_error(config("family", "sat"), "model family 'sat' is not one of tsp, mis");
  expect_error(config("hidden", 1 << 30), "model hidden size 1073741824 is not a multiple of 8");
  expect_error(config("blocks", 100000), "model block count 100000");
  expect_error(config("blocks", 2.5e30), "malformed moco.config");
  expect_error(config("gcn", "other"), "model gcn 'other' is not one of paper, authors");
  expect_error(config("theta_update", "other"),
               "model theta_update 'other' is not one of absolute, residual, anchored");
  expect_error(config("membership", "both"), "model membership 'both' is not one of directed, undirected");
  expect_error(config("elite", "best"), "model elite 'best' is not one of paper, distinct, newest");
  expect_error(config("crowding", true), "model crowding is a feature of nodes: there is none for tsp");
  expect_error(config("node_weights", true), "model node_weights is a feature of nodes: there is none for tsp");
  expect_error(config("gradient_scale", 0.0), "model gradient scale 0 is not in (0, 1e6]");
  expect_error(config("gradient_scale", "big"), "malformed moco.config");
}

TEST(Checkpoint, WithoutAWordOnNewerChoicesTheyAreThePapers) {
  Model model = small_model();
  model.config.theta_update = ThetaUpdate::anchored;
  model.config.membership = Membership::undirected;
  model.config.gradient_scale = 100.0;
  model.config.elite = EliteRule::newest;
  EXPECT_EQ(parse_model(bytes_of(model), "x").config, model.config);
  const std::string older = with_header(bytes_of(model), [](json& h) {
    json inner = json::parse(h["__metadata__"]["moco.config"].get<std::string>());
    for (const char* key : {"theta_update", "membership", "gradient_scale", "elite", "crowding", "node_weights"}) {
      inner.erase(key);
    }
    h["__metadata__"]["moco.config"] = inner.dump();
  });
  EXPECT_EQ(parse_model(older, "x").config, small_model().config);
}

TEST(Checkpoint, TheEliteOfOlderFilesIsThePool) {
  const std::string older = with_header(bytes_of(small_model()), [](json& h) {
    json inner = json::parse(h["__metadata__"]["moco.config"].get<std::string>());
    inner.erase("elite");
    inner["pool"] = "newest";
    h["__metadata__"]["moco.config"] = inner.dump();
  });
  EXPECT_EQ(parse_model(older, "x").config.elite, EliteRule::newest);
}

/// The configuration of a checkpoint, as the file has it.
json config_of(const std::string& bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  return json::parse(json::parse(bytes.substr(8, length)).at("__metadata__").at("moco.config").get<std::string>());
}

/// The file as it was written before problems had families: it names the problem.
std::string with_problem(const std::string& bytes, const json& problem) {
  return with_header(bytes, [&](json& h) {
    json inner = json::parse(h["__metadata__"]["moco.config"].get<std::string>());
    inner.erase("family");
    inner["problem"] = problem;
    h["__metadata__"]["moco.config"] = inner.dump();
  });
}

TEST(Checkpoint, NamesTheFamily) {
  for (const char* family : {"tsp", "mis"}) {
    const json written = config_of(bytes_of(small_model(family)));
    EXPECT_EQ(written.at("family"), family);
    EXPECT_FALSE(written.contains("problem"));
  }
}

TEST(Checkpoint, FilesThatNameTheProblemAreRead) {
  for (const char* family : {"tsp", "mis"}) {
    const Model model = small_model(family);
    const Model back = parse_model(with_problem(bytes_of(model), family), "x");
    EXPECT_EQ(back.config, model.config);
    EXPECT_EQ(back.weights, model.weights);
    EXPECT_EQ(back.metadata, model.metadata);
  }
  const std::string bytes = bytes_of(small_model());
  expect_error(with_problem(bytes, "sat"), "model family 'sat' is not one of tsp, mis");
  expect_error(with_problem(bytes, 5), "malformed moco.config");
  expect_error(with_header(bytes,
                           [](json& h) {
                             json inner = json::parse(h["__metadata__"]["moco.config"].get<std::string>());
                             inner.erase("family");
                             h["__metadata__"]["moco.config"] = inner.dump();
                           }),
               "malformed moco.config");
}

TEST(Checkpoint, KeepsWhatAModelForWeightedNodesSees) {
  ModelConfig config;
  config.family = "mis";
  config.hidden = 8;
  config.node_weights = true;
  const ParameterLayout layout(config);
  EXPECT_EQ(layout.at("init.node_embedding.w").rows, 2);
  EXPECT_EQ(layout.at("update.node_embedding.w").rows, 42);
  const Model model = random_model(config, 1);
  const Model read = parse_model(bytes_of(model), "x");
  EXPECT_EQ(read.config, config);
  EXPECT_EQ(read.weights, model.weights);
  config.node_weights = false;
  EXPECT_EQ(ParameterLayout(config).size() + 2 * 8, layout.size());
}

TEST(Checkpoint, KnowsHowTheSearchesOfItsTrainingWent) {
  Model model = small_model();
  EXPECT_FALSE(parse_model(bytes_of(model), "m").search.has_value());
  model.search = {.steps = 200,
                  .samples = 16,
                  .episode_steps = 50,
                  .nodes = 300,
                  .problem = OptionValues().set("neighbours", 7).set("dead_end", "penalty"),
                  .gradient = GradientKind::causal,
                  .local_search = {"2opt", 9},
                  .advantage = AdvantageKind::improved,
                  .rebuild = 30};
  const Model read = parse_model(bytes_of(model), "m");
  EXPECT_EQ(read.search, model.search);
  EXPECT_EQ(read.metadata, model.metadata);
  const std::string older = with_header(bytes_of(model), [](json& header) {
    std::string& text = header["__metadata__"]["moco.search"].get_ref<std::string&>();
    json search = json::parse(text);
    search.erase("rebuild");
    text = search.dump();
  });
  EXPECT_EQ(parse_model(older, "m").search->rebuild, 0) << "files from before there were partial samples";
}

TEST(Checkpoint, RefusesSearchesThatItsProblemsDoNotHave) {
  Model model = small_model();
  model.search.emplace().steps = 5;
  model.search->samples = 5;
  const std::string bytes = bytes_of(model);
  const auto with = [&](const char* key, const json& value) {
    return with_header(bytes, [&](json& header) {
      std::string& text = header["__metadata__"]["moco.search"].get_ref<std::string&>();
      json search = json::parse(text);
      search[key] = value;
      text = search.dump();
    });
  };
  expect_error(with("gradient", "steep"), "model gradient 'steep' is not one of total, causal");
  expect_error(with("problem", {{"plateau_steps", 3}}), "tsp has no option plateau_steps");
  expect_error(with("problem", {{"neighbours", 0}}), "neighbours 0 is not a whole number from 1 to 10000");
  expect_error(with("local_search", "swap12"), "swap12");
  expect_error(with("steps", 0), "the numbers of the search in training are out of range");
  expect_error(with("rebuild", -1), "the numbers of the search in training are out of range");
  expect_error(with("steps", 1e30), "malformed moco.search");
  expect_error(with_header(bytes, [](json& header) { header["__metadata__"]["moco.search"] = "{"; }),
               "malformed moco.search");
}

TEST(Checkpoint, RefusesValuesThatAreNotFinite) {
  Model model = small_model();
  model.weights[3] = NAN;
  expect_error(bytes_of(model), "tensor 'init.edge_embedding.w': element 3 is nan");
}

TEST(Checkpoint, SaveChecksTheNumberOfWeights) {
  Model model = small_model();
  model.weights.pop_back();
  EXPECT_THROW(save_model(scratch_file("short.safetensors"), model), OptionError);
  EXPECT_FALSE(std::filesystem::exists(scratch_file("short.safetensors")));
}

TEST(RandomModel, IsDeterministicAndScaled) {
  const ModelConfig config;
  EXPECT_EQ(random_model(config, 1).weights, random_model(config, 1).weights);
  EXPECT_NE(random_model(config, 1).weights, random_model(config, 2).weights);
  const Model model = random_model(config, 1);
  const ParameterLayout layout(config);
  const TensorSpec& tensor = layout.at("update.blocks.0.edge.w");
  double squares = 0.0;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    squares += std::pow(static_cast<double>(model.weights[tensor.offset + i]), 2);
  }
  const double deviation = std::sqrt(squares / static_cast<double>(tensor.size()));
  EXPECT_NEAR(deviation * std::sqrt(512.0), 0.8796, 0.01) << "standard normal cut at ±2";
}

TEST(Baselines, HaveNoWeights) {
  for (const Baseline& baseline : baselines()) {
    for (const char* family : {"tsp", "mis"}) {
      const Model model = baseline_model(baseline, family);
      EXPECT_TRUE(model.weights.empty());
      EXPECT_EQ(ParameterLayout(model.config).size(), 0u);
      EXPECT_EQ(model.config.family, family);
      EXPECT_EQ(model.config.init, usual_init(baseline.config.rule, family));
    }
    EXPECT_THROW(baseline_model(baseline, "sat"), OptionError);
    EXPECT_EQ(find_baseline(baseline.name), &baseline);
  }
  EXPECT_EQ(adam_model("mis").config.rule, UpdateRule::adam);
  EXPECT_EQ(find_baseline("mis-er"), nullptr);
}

}  // namespace
}  // namespace moco
