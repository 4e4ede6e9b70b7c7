// Loading of data sets. A generator is given in the words of `moco generate`, so that both read the same table.
#include "eval_data.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generator_arguments.h"
#include "instance_input.h"
#include "moco/formats/text.h"

namespace moco::cli {

namespace {

bool is_generator(const std::string& text) {
  return text.starts_with("generate ");
}

DataSet generated_data_set(const std::string& expression) {
  const auto tokens = tokens_of(expression);
  const Arguments arguments = parse_arguments(*find_command("generate"), {tokens.begin() + 1, tokens.end()});
  for (const char* option : {"output", "format", "scale"}) {
    if (arguments.given(option)) {
      throw UsageError(fmt::format("'{}': --{} has no meaning in a data set", expression, option));
    }
  }
  const GeneratorOptions options = generator_options(arguments);
  const auto count = static_cast<std::uint64_t>(arguments.integer("count"));
  require_memory(options, count, false);
  DataSet data;
  data.description = fmt::format("{}", fmt::join(tokens, " "));
  data.distribution = options.kind;
  for (std::uint64_t i = 0; i < count; ++i) {
    data.instances.push_back(generate(options, i));
  }
  return data;
}

DataSet read_files(const Arguments& arguments) {
  const std::vector<std::string>& paths = arguments.positionals("DATASET");
  DataSet data;
  data.instances = load_data_files(paths, arguments);
  data.description = paths.size() == 1 ? paths.front() : fmt::format("{} and {} more", paths.front(), paths.size() - 1);
  return data;
}

void add_references(const Arguments& arguments, DataSet& data) {
  if (arguments.given("reference")) {
    const std::string file = arguments.text("reference");
    data.references = as_input([&] { return read_references(file, data.instances); });
    data.reference_source = file;
    return;
  }
  data.references = own_references(data.instances);
  if (std::ranges::any_of(data.references, [](const auto& cost) { return cost.has_value(); })) {
    data.reference_source = "solutions that came with the instances";
  }
}

}  // namespace

DataSet load_data_set(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.positionals("DATASET");
  const bool generated = std::ranges::any_of(words, is_generator);
  if (generated && words.size() > 1) {
    throw UsageError("eval: a generator stands alone: give one 'generate …' or files");
  }
  for (const char* option : {"format", "problem", "complement"}) {
    if (generated && arguments.given(option)) {
      throw UsageError(fmt::format("eval: --{} applies to files only", option));
    }
  }
  DataSet data = generated ? generated_data_set(words.front()) : read_files(arguments);
  add_references(arguments, data);
  if (arguments.given("instances")) {
    keep_first(data, static_cast<std::size_t>(arguments.integer("instances")));
  }
  return data;
}

}  // namespace moco::cli
