// What the option table becomes for other readers: the man page and the completions of shells.
#include <algorithm>
#include <set>

#include "cli/run_moco.h"

namespace moco::cli_test {
namespace {

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " > /dev/null 2>&1").c_str()) == 0;
}

using WordSet = std::set<std::string>;

class Texts : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    unsetenv("MOCO_MODELS");
    fs::create_directory(work() / "folder");
    write("cities.tsp", "");
    write("two words.tsp", "");
  }

  /// Runs a shell command in the working folder; what it printed. Anything on standard error is a failure.
  std::string shell(const std::string& command) const {
    const std::string whole = "cd '" + work().string() + "' && { " + command + "; } > out 2> err < /dev/null";
    EXPECT_EQ(std::system(whole.c_str()), 0) << command << "\n" << read("err");
    EXPECT_EQ(read("err"), "") << command;
    return read("out");
  }
};

class BashCompletion : public Texts {
 protected:
  /// What is offered for the last of the words.
  WordSet offered(const Words& words) const {
    write("completions", expect_success({"help", "--completion", "bash"}));
    std::string line = MOCO_BINARY;
    for (const std::string& word : words) {
      line += " '" + word + "'";
    }
    write("ask.bash", "source completions\nCOMP_WORDS=(" + line + ")\nCOMP_CWORD=" + std::to_string(words.size()) +
                          "\n_moco\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    WordSet all;
    for (const std::string& word : lines_of(shell("bash --norc ask.bash"))) {
      all.insert(word);
    }
    all.erase("");
    for (const std::string own : {"out", "err", "completions", "ask.bash"}) {
      all.erase(own);
    }
    return all;
  }
};

TEST_F(BashCompletion, Commands) {
  EXPECT_EQ(offered({"c"}), (WordSet{"check", "convert"}));
  EXPECT_EQ(offered({"--"}), (WordSet{"--help", "--version"}));
  EXPECT_EQ(offered({"help", "ch"}), (WordSet{"check"}));
}

TEST_F(BashCompletion, Options) {
  EXPECT_EQ(offered({"solve", "cities.tsp", "--local"}), (WordSet{"--local-search"}));
  EXPECT_EQ(offered({"models", ""}), (WordSet{"--help", "--json", "--names"})) << "there is nothing else";
  EXPECT_EQ(offered({"train", "--cliq"}), (WordSet{"--clique-size", "--cliques"}));
}

TEST_F(BashCompletion, Values) {
  EXPECT_EQ(offered({"solve", "--engine", "c"}), (WordSet{"check", "cpu", "cuda"}));
  EXPECT_EQ(offered({"solve", "--engine", "=", "cu"}), (WordSet{"cuda"})) << "as readline splits --engine=cu";
  EXPECT_EQ(offered({"solve", "--engine", "="}), (WordSet{"auto", "check", "cpu", "cuda"}));
  EXPECT_EQ(offered({"eval", "--problem", "m"}), (WordSet{"mis"}));
  EXPECT_EQ(offered({"generate", "t"}), (WordSet{"tsp"}));
  EXPECT_EQ(offered({"solve", "--local-search", "2"}), (WordSet{"2opt", "2opt+oropt", "2opt+oropt3"}));
  EXPECT_EQ(offered({"solve", "--local-search", "n"}), (WordSet{"none"}));
  EXPECT_EQ(offered({"train", "--preset", "tsp20-"}), (WordSet{"tsp20-smoke"}));
  EXPECT_EQ(offered({"train", "--kind", "clus"}), (WordSet{"clustered"}));
  EXPECT_EQ(offered({"solve", "-K", ""}), WordSet{}) << "a number";
  EXPECT_EQ(offered({"help", "--completion", ""}), (WordSet{"bash", "fish", "zsh"}));
}

TEST_F(BashCompletion, ModelsAndFiles) {
  EXPECT_EQ(offered({"solve", "--model", "a"}), (WordSet{"adam", "ants", "auto"}));
  EXPECT_EQ(offered({"solve", "--model", "max"}), (WordSet{"max-min"}));
  EXPECT_EQ(offered({"solve", "--model", "tsp200"}), (WordSet{"tsp200", "tsp200-2opt"}));
  EXPECT_EQ(offered({"info", "tsp1"}), (WordSet{"tsp100"}));
  EXPECT_EQ(offered({"train", "--from", "mis-s"}), (WordSet{"mis-sat"}));
  EXPECT_EQ(offered({"solve", ""}), (WordSet{"cities.tsp", "folder", "two words.tsp"}));
  EXPECT_EQ(offered({"solve", "-o", "ci"}), (WordSet{"cities.tsp"}));
  EXPECT_EQ(offered({"solve", "--json", "ci"}), (WordSet{"cities.tsp"}));
  EXPECT_EQ(offered({"train", "-o", ""}), (WordSet{"folder"}));
}

TEST_F(Texts, FishCompletion) {
  if (!has_program("fish")) {
    GTEST_SKIP() << "fish is not installed";
  }
  write("moco.fish", expect_success({"help", "--completion", "fish"}));
  const auto offered = [&](const std::string& line) {
    const std::string program = fs::path(MOCO_BINARY).parent_path().string();
    WordSet all;
    for (const std::string& found : lines_of(shell("HOME=$PWD PATH=" + program +
                                                   ":$PATH fish --no-config -c 'source "
                                                   "moco.fish; complete -C \"" +
                                                   line + "\"'"))) {
      all.insert(found.substr(0, found.find('\t')));
    }
    return all;
  };
  EXPECT_EQ(offered("moco c"), (WordSet{"check", "convert"}));
  EXPECT_EQ(offered("moco solve --local"), (WordSet{"--local-search"}));
  EXPECT_EQ(offered("moco solve --engine cu"), (WordSet{"cuda"}));
  EXPECT_EQ(offered("moco solve --model tsp200"), (WordSet{"tsp200", "tsp200-2opt"}));
  EXPECT_EQ(offered("moco generate t"), (WordSet{"tsp"}));
  EXPECT_EQ(offered("moco solve ci"), (WordSet{"cities.tsp"}));
  EXPECT_EQ(offered("moco train -o "), (WordSet{"folder/"}));
}

/// Types into a shell in a terminal of its own, and waits for what it makes of that.
constexpr const char* kZshTerminal = R"(zmodload zsh/zpty
zpty terminal zsh -f -i
zpty -w terminal "PS1='ready> '; fpath=($PWD \$fpath); path=($1 \$path); autoload -Uz compinit; compinit -u -D"
zpty -r -m terminal out '*ready>*ready> *'
zpty -w -n terminal "$2"$'\t'
zpty -r -m terminal out "*$3*"
zpty -d terminal
)";

TEST_F(Texts, ZshCompletion) {
  if (!has_program("zsh")) {
    GTEST_SKIP() << "zsh is not installed";
  }
  write("_moco", expect_success({"help", "--completion", "zsh"}));
  write("ask.zsh", kZshTerminal);
  shell("zsh -n _moco");
  const auto expect_completed = [&](const std::string& typed, const std::string& result) {
    const std::string program = fs::path(MOCO_BINARY).parent_path().string();
    shell("timeout 60 zsh -f ask.zsh '" + program + "' '" + typed + "' '" + result + "'");
  };
  expect_completed("moco conv", "convert");
  expect_completed("moco solve --local-s", "--local-search");
  expect_completed("moco solve --engine cu", "cuda");
  expect_completed("moco solve --model tsp1", "tsp100");
  expect_completed("moco generate t", "tsp");
  expect_completed("moco solve ci", "cities.tsp");
  expect_completed("moco train -o fo", "folder");
}

TEST_F(Texts, ManPage) {
  if (!has_program("groff")) {
    GTEST_SKIP() << "groff is not installed";
  }
  write("moco.1", expect_success({"help", "--man"}));
  const std::string page = shell("groff -k -ww -man -Tutf8 -P-c moco.1 | sed 's/.\\x08//g'");
  for (const std::string piece : {"moco - graph combinatorial", "MOCO SOLVE", "--local-search auto|none|NAME",
                                  "MOCO_MODELS", "share/moco/models"}) {
    EXPECT_NE(page.find(piece), std::string::npos) << piece;
  }
  EXPECT_EQ(page.find('\\'), std::string::npos) << "an escape that groff does not know";
}

TEST_F(Texts, HelpSaysOneThing) {
  expect_error({"help", "--man", "solve"}, 2, "moco: help: one thing at a time (see 'moco help --help')");
  expect_error({"help", "--completion", "tcsh"}, 2, "moco: --completion must be one of bash, zsh, fish, not 'tcsh'");
  EXPECT_EQ(expect_success({"help"}), expect_success({"--help"}));
}

}  // namespace
}  // namespace moco::cli_test
