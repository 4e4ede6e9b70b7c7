// What the program says to wrong usage and unreadable input, and its exit statuses.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/run_moco.h"
#include "moco/problem.h"

namespace moco::cli_test {
namespace {

class Usage : public CliTest {};

TEST_F(Usage, VersionAndHelp) {
  EXPECT_EQ(expect_success({"--version"}).substr(0, 5), "moco ");
  EXPECT_NE(expect_success({"--help"}).find("Commands:"), std::string::npos);
  EXPECT_EQ(expect_success({"help", "solve"}), expect_success({"solve", "--help"}));
  for (const char* command : {"solve", "generate", "check", "convert", "info"}) {
    const std::string help = expect_success({command, "--help"});
    EXPECT_NE(help.find("Usage: moco " + std::string(command)), std::string::npos);
    EXPECT_NE(help.find("Examples:"), std::string::npos);
  }
}

TEST_F(Usage, UnknownCommandsAndOptionsGetAHint) {
  expect_error({}, 2, "moco: which command? (see 'moco --help')");
  expect_error({"slove"}, 2, "moco: unknown command 'slove' (did you mean 'solve'?)");
  expect_error({"--verison"}, 2, "moco: unknown option '--verison' (did you mean '--version'?)");
  expect_error({"solve", "a", "--stesp", "5"}, 2, "moco: solve: unknown option '--stesp' (did you mean '--steps'?)");
  expect_error({"solve", "a", "--zzzzzz"}, 2, "moco: solve: unknown option '--zzzzzz' (see 'moco solve --help')");
  expect_error({"solve", "a", "-steps"}, 2, "moco: solve: unknown option '-steps' (did you mean '--steps'?)");
  expect_error({"help", "slove"}, 2, "moco: unknown command 'slove' (did you mean 'solve'?)");
}

TEST_F(Usage, ArgumentsAreCounted) {
  expect_error({"solve"}, 2, "moco: solve: FILE is missing (see 'moco solve --help')");
  expect_error({"check", "a"}, 2, "moco: check: SOLUTION is missing (see 'moco check --help')");
  expect_error({"check", "a", "b", "c"}, 2, "moco: check: unexpected argument 'c' (see 'moco check --help')");
  expect_error({"generate", "tps"}, 2,
               fmt::format("moco: generate: PROBLEM must be one of {}, not 'tps' (did you mean 'tsp'?)",
                           fmt::join(problem_names(), ", ")));
}

TEST_F(Usage, ValuesAreChecked) {
  expect_error({"solve", "a", "-K"}, 2, "moco: solve: --steps needs a value");
  expect_error({"solve", "a", "-K", "many"}, 2,
               "moco: --steps must be a whole number from 0 to 1000000000, not 'many'");
  expect_error({"solve", "a", "-K", "-1"}, 2, "moco: --steps must be a whole number from 0 to 1000000000, not '-1'");
  expect_error({"solve", "a", "-K", "5.5"}, 2, "moco: --steps must be a whole number from 0 to 1000000000, not '5.5'");
  expect_error({"solve", "a", "-K", "1", "-K", "2"}, 2, "moco: solve: --steps is given more than once");
  expect_error({"solve", "a", "--seed", "-1"}, 2, "moco: --seed must be a whole number of at least 0, not '-1'");
  expect_error({"solve", "a", "--seed", "99999999999999999999"}, 2,
               "moco: --seed must be a whole number of at least 0, not '99999999999999999999'");
  expect_error({"solve", "a", "--time-limit", "nan"}, 2,
               "moco: --time-limit must be a number of at least 0.001, not 'nan'");
  expect_error({"solve", "a", "--target", "x"}, 2, "moco: --target must be a number, not 'x'");
  expect_error({"solve", "a", "--engine", "gpu"}, 2,
               "moco: --engine must be one of auto, cpu, cuda, check, not 'gpu' (did you mean 'cpu'?)");
  expect_error({"solve", "a", "--quiet=3"}, 2, "moco: solve: --quiet takes no value");
}

TEST_F(Usage, UnreadableInput) {
  expect_error({"solve", "nothing.tsp"}, 2, "moco: cannot read 'nothing.tsp': No such file or directory");
  expect_error({"info", "nothing"}, 2, "moco: cannot read 'nothing': No such file or directory");
  expect_error({"solve", "."}, 2, "moco: .: no instance found");
  write("bad.tsp",
        "NAME : bad\nTYPE : TSP\nDIMENSION : 2\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 1 oops\nEOF\n");
  expect_error_beginning({"solve", "bad.tsp"}, 2, "moco: bad.tsp:7: ");
  write("bad.graph", "3 2\n2\n1 3\n4\n");
  expect_error_beginning({"solve", "bad.graph"}, 2, "moco: bad.graph:4: ");
  write("empty.txt", "");
  expect_error_beginning({"solve", "empty.txt"}, 2, "moco: empty.txt");
}

TEST_F(Usage, ModelsAreLookedUp) {
  write("a.txt", "0 0 1 0 0 1\n");
  const Outcome nobody = run({"solve", "a.txt", "--model", "nobody"});
  EXPECT_EQ(nobody.status, 2);
  EXPECT_TRUE(nobody.err.starts_with("moco: no model 'nobody': no file of this name, and no nobody.safetensors in "))
      << nobody.err;
  std::vector<std::string> names;
  for (const Json& model : json_lines(expect_success({"models", "--json"}))) {
    names.push_back(model.at("name"));
  }
  EXPECT_GE(names.size(), 8u);
  EXPECT_TRUE(nobody.err.ends_with(fmt::format("; models there: {}\n", fmt::join(names, ", ")))) << nobody.err;
  expect_error_beginning({"solve", "a.txt", "--model", "none.safetensors"}, 2, "moco: no model 'none.safetensors': ");
  expect_error({"solve", "a.txt", "--model", "./none.safetensors"}, 2,
               "moco: cannot read './none.safetensors': No such file or directory");
  write("broken.safetensors", "not a checkpoint");
  expect_error_beginning({"solve", "a.txt", "--model", "./broken.safetensors"}, 2, "moco: ./broken.safetensors");
  expect_error_beginning({"info", "broken.safetensors"}, 2, "moco: broken.safetensors");
}

TEST_F(Usage, AnEngineThatIsNotThereCannotBeAskedFor) {
  write("a.txt", "0 0 1 0 0 1\n");
  const Outcome outcome = run({"solve", "a.txt", "-K", "1", "--engine", "cuda", "--model", "adam"});
  if (outcome.status == 0) {
    GTEST_SKIP() << "there is a device";
  }
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
}

TEST_F(Usage, OnlyOneProblemAtATime) {
  write("a.txt", "0 0 1 0 0 1\n");
  write("b.graph", "2 1\n2\n1\n");
  expect_error({"solve", "a.txt", "b.graph"}, 2, "moco: b.graph: b is for mis, the data set for tsp");
  expect_error({"solve", "b.graph", "--target", "-2"}, 2, "moco: --target is the size of the set for mis, not -2");
}

TEST_F(Usage, TheReferenceInTheDocumentationIsCurrent) {
  const fs::path document = fs::path(MOCO_TEST_DATA).parent_path().parent_path() / "docs" / "cli.md";
  EXPECT_EQ(slurp(document), expect_success({"help", "--options-markdown"}))
      << "run: moco help --options-markdown > docs/cli.md";
}

}  // namespace
}  // namespace moco::cli_test
