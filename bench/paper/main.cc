// The paper's tables beside our own numbers.
//
//   paper all|tsp|hybrid|mis|heatmaps|behaviour|ablation [--data DIR] [--quick] [--only TEXT] [--ways LIST] [-o DIR] …
//   paper references --seconds S -o DIR
//   paper report DIR -o FOLDER
#include <cstdio>
#include <exception>
#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "report.h"
#include "run_table.h"

namespace {

using namespace moco::paper;

/// The reference data that lie beside the source tree, if they do.
std::string usual_data() {
  const std::filesystem::path folder = std::filesystem::path(MOCO_SOURCE_DIR).parent_path() / "shared" / "data";
  std::error_code error;
  return std::filesystem::is_directory(folder, error) ? folder.string() : "";
}

struct Command {
  RunOptions run;
  std::string data = usual_data();
  std::string results;
  std::string engine = "auto";
  std::vector<std::string> ways;
  std::size_t instances = 0;
  bool quick = false;
};

void add_options(CLI::App& app, Command& command) {
  app.add_option("--data", command.data,
                 "folder of the published test sets; the default is ../shared/data of the source tree where that "
                 "exists. What is not there is generated");
  app.add_flag("--quick", command.quick, "8 instances of each data set");
  app.add_option("--instances", command.instances, "most instances of each data set, spread evenly over it")
      ->check(CLI::PositiveNumber);
  app.add_option("--only", command.run.only, "only rows whose name contains this, such as 'tsp100 1x'");
  app.add_option("--ways", command.ways,
                 fmt::format("of the ways in which rows are measured only these: {}", way_words()))
      ->delimiter(',');
  app.add_option("--model", command.run.model, "model for all rows, such as adam; the default is each way's own");
  app.add_option("--engine", command.engine, "auto, cpu or cuda")->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  app.add_option("--threads", command.run.threads, "threads of the cpu engine; 0 means all cores")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--batch", command.run.batch, "instances searched side by side; the default, 0, fills the engine")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--alone", command.run.alone,
                 "instances searched once more one after the other, for the seconds of one; the default is 4");
  app.add_option("--commit", command.run.commit, "commit to note where git cannot tell");
  app.add_option("--hardware", command.run.hardware, "hardware to note instead of what the system says");
  app.add_option("-o,--output", command.results, "folder to keep the measured rows in");
}

void run(std::span<const Table> chosen, Command command) {
  constexpr std::size_t kQuick = 8;
  command.run.data = command.data;
  command.run.results = command.results;
  if (command.quick || command.instances > 0) {
    command.run.instances = command.instances > 0 ? command.instances : kQuick;
  }
  command.run.engine = moco::choice_named<moco::EngineKind>("--engine", command.engine);
  for (const std::string& way : command.ways) {
    command.run.ways.push_back(way_named(way));
  }
  for (const Table& table : chosen) {
    run_table(table, command.run);
  }
}

}  // namespace

int main(int count, char** values) {
  CLI::App app("The paper's tables beside our own numbers");
  app.require_subcommand(1);
  Command command;
  CLI::App* all = app.add_subcommand("all", "every table");
  add_options(*all, command);
  all->callback([&command] { run(tables(), command); });
  for (const Table& table : tables()) {
    CLI::App* sub = app.add_subcommand(table.name, table.title);
    add_options(*sub, command);
    sub->callback([&command, &table] { run({&table, 1}, command); });
  }
  CLI::App* report = app.add_subcommand("report", "write results.md, reproduction.md and their charts");
  std::string folder;
  std::string output;
  report->add_option("DIR", folder, "folder of measured rows")->required()->check(CLI::ExistingDirectory);
  report->add_option("-o,--output", output, "folder to write to")->required();
  report->callback([&] { write_report(folder, output); });
  CLI::App* references = app.add_subcommand("references", "find references for generated data sets by local search");
  double seconds = 60.0;
  references->add_option("--seconds", seconds, "for each instance; the default is 60")->check(CLI::PositiveNumber);
  references->add_option("--threads", command.run.threads, "0 means all cores")->check(CLI::NonNegativeNumber);
  references->add_option("-o,--output", output, "folder of measured rows")->required();
  references->callback([&] { find_references(output, seconds, command.run.threads); });
  try {
    app.parse(count, values);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "paper: {}\n", error.what());
    return 1;
  }
  return 0;
}
