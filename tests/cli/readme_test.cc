// Commands of the documentation, run as they stand in a copy of the examples.
#include <cmath>

#include "markdown.h"

namespace moco::cli_test {
namespace {

/// Commands of the program in a page's blocks of code, without their comments and with continued lines joined.
std::vector<std::string> commands_of(const fs::path& page) {
  std::vector<std::string> commands;
  std::string whole;
  for (const std::string& line : split_markdown(page).code) {
    whole += line.substr(0, line.find(" #"));
    if (whole.ends_with('\\')) {
      whole.back() = ' ';
      continue;
    }
    whole.erase(whole.find_last_not_of(' ') + 1);
    if (whole.starts_with("./run ") || whole.starts_with("moco ")) {
      commands.push_back(whole);
    }
    whole.clear();
  }
  return commands;
}

class Commands : public CliTest {
 protected:
  /// The folder looks like a fresh clone in which moco is installed: the examples, ./run, and moco on the path.
  void SetUp() override {
    CliTest::SetUp();
    fs::copy(source_folder() / "examples", work() / "examples");
    fs::create_symlink(MOCO_BINARY, work() / "run");
    fs::create_directory(work() / "bin");
    fs::create_symlink(MOCO_BINARY, work() / "bin" / "moco");
  }

  void expect_all_succeed(const std::string& page, std::size_t at_least) const {
    const auto commands = commands_of(source_folder() / page);
    EXPECT_GE(commands.size(), at_least) << page;
    for (std::string command : commands) {
#if !defined(MOCO_HAVE_CAIRO)
      command = std::regex_replace(command, std::regex("\\.png\\b"), ".svg");
#endif
      write("command", "cd '" + work().string() + "' || exit 99\nPATH=\"$PWD/bin:$PATH\"\n" + command + "\n");
      const std::string script = (work() / "command").string();
      const int state = std::system(("sh '" + script + "' >'" + script + ".out' 2>&1 </dev/null").c_str());
      EXPECT_EQ(state, 0) << page << ": " << command << "\n" << read("command.out");
    }
  }
};

TEST_F(Commands, OfTheReadmeSucceed) {
  expect_all_succeed("README.md", 9);
}

TEST_F(Commands, OfTheExamplesMakeThem) {
  expect_all_succeed("examples/README.md", 3);
  EXPECT_EQ(read("uniform-200.txt"), read("examples/uniform-200.txt"));
  EXPECT_EQ(read("network.graph"), read("examples/network.graph"));
  const auto rows = lines_of(read("cities.csv"));
  const auto cities = lines_of(read("examples/cities.tsp"));
  const auto first = std::ranges::find(cities, "NODE_COORD_SECTION") + 1;
  ASSERT_EQ(rows.size(), 151u) << "with a header";
  ASSERT_EQ(cities.end() - first, 151) << "with EOF";
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto thousandth = [](const std::string& text) { return std::to_string(std::lround(std::stod(text) * 1000)); };
    const std::size_t comma = rows[i].find(',');
    EXPECT_EQ(
        first[static_cast<std::ptrdiff_t>(i) - 1],
        std::to_string(i) + " " + thousandth(rows[i].substr(0, comma)) + " " + thousandth(rows[i].substr(comma + 1)));
  }
}

TEST_F(Commands, OfThePageOnLocalSearchSucceed) {
  expect_all_succeed("docs/local-search.md", 3);
}

}  // namespace
}  // namespace moco::cli_test
