// Reading and writing of whole files: gzip, damage, atomicity, links, pipes and devices.
#include "moco/core/files.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "moco/error.h"

namespace moco {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("moco-files-{}-{}", ::getpid(),
                                                      ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  fs::path at(std::string_view name) const { return folder_ / name; }

  void put(std::string_view name, std::string_view content) const {
    std::ofstream(at(name), std::ios::binary) << content;
  }

  std::string raw(std::string_view name) const {
    std::ostringstream content;
    content << std::ifstream(at(name), std::ios::binary).rdbuf();
    return content.str();
  }

  /// Names of everything in the folder.
  std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path folder_;
};

template <typename Wanted, typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Wanted& error) {
    return error.what();
  }
  return "nothing thrown";
}

std::string noise(std::size_t size) {
  std::string bytes;
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < size; ++i) {
    state = state * 1664525u + 1013904223u;
    bytes += static_cast<char>(state >> 24);
  }
  return bytes;
}

TEST_F(Files, ReadsWhatIsThere) {
  for (const std::string& content : {std::string(), std::string("a"), std::string("\0b\n", 3), noise(700'000)}) {
    put("f", content);
    EXPECT_EQ(read_file(at("f")), content);
    put("f.gz", gzip(content));
    EXPECT_EQ(read_file(at("f.gz")), content);
    put("named_otherwise", gzip(content));
    EXPECT_EQ(read_file(at("named_otherwise")), content);
  }
}

TEST_F(Files, SaysWhyItCannotRead) {
  EXPECT_EQ(message_of<IoError>([&] { read_file(at("missing")); }),
            fmt::format("cannot read '{}': No such file or directory", at("missing").string()));
  EXPECT_EQ(message_of<IoError>([&] { read_file(folder_); }),
            fmt::format("cannot read '{}': Is a directory", folder_.string()));
  if (::geteuid() != 0) {
    put("secret", "x");
    fs::permissions(at("secret"), fs::perms::none);
    EXPECT_THAT(message_of<IoError>([&] { read_file(at("secret")); }), HasSubstr("Permission denied"));
  }
}

TEST_F(Files, ReadsPipes) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  const std::string content = noise(300'000);
  std::thread writer([&] { put("pipe", content); });
  EXPECT_EQ(read_file(at("pipe")), content);
  writer.join();
}

TEST_F(Files, ReadsSeveralGzipMembersAndPadding) {
  put("f.gz", gzip("one ") + gzip("") + gzip("two") + std::string(512, '\0'));
  EXPECT_EQ(read_file(at("f.gz")), "one two");
}

TEST_F(Files, ReportsDamagedGzip) {
  const std::string content = noise(100'000);
  const std::string packed = gzip(content);
  for (const std::size_t size :
       {std::size_t{2}, std::size_t{9}, std::size_t{20}, packed.size() / 2, packed.size() - 1}) {
    EXPECT_THAT(message_of<InputError>([&] { gunzip(packed.substr(0, size), "f", 1 << 20); }),
                StartsWith("f: gzip data end early"))
        << size;
  }
  std::string flipped = packed;
  flipped[packed.size() - 6] = static_cast<char>(flipped[packed.size() - 6] ^ 1);  // the checksum
  EXPECT_THAT(message_of<InputError>([&] { gunzip(flipped, "f"); }), StartsWith("f: gzip data are damaged"));
  EXPECT_EQ(message_of<InputError>([&] { gunzip(packed + "tail", "f"); }),
            "f: gzip data are followed by something else");
}

TEST_F(Files, RefusesGzipBombs) {
  const std::string bomb = gzip(std::string(std::size_t{8} << 20, 'x'));
  EXPECT_LT(bomb.size(), 20'000u);
  put("bomb.gz", bomb);
  EXPECT_EQ(message_of<InputError>([&] { read_file(at("bomb.gz"), 1 << 20); }),
            fmt::format("{}: gzip data unfold to more than 1048576 bytes, which is the most that is read",
                        at("bomb.gz").string()));
  EXPECT_EQ(read_file(at("bomb.gz"), 8 << 20).size(), std::size_t{8} << 20);
}

TEST_F(Files, RefusesWhatIsTooLongOrNeverEnds) {
  put("f", std::string(101, 'x'));
  EXPECT_EQ(read_file(at("f"), 101).size(), 101u);
  EXPECT_EQ(message_of<InputError>([&] { read_file(at("f"), 100); }),
            fmt::format("{}: longer than 100 bytes, which is the most that is read", at("f").string()));
  EXPECT_EQ(message_of<InputError>([] { read_file("/dev/zero", 1 << 20); }),
            "/dev/zero: longer than 1048576 bytes, which is the most that is read from a pipe or device");
  EXPECT_GT(most_input_bytes(), 0u);
  EXPECT_LE(most_input_bytes(), std::uint64_t{8} << 30);
}

/// A limit on the size of files kills the program in the middle of its work, as any signal might.
TEST_F(Files, LeavesNothingBehindWhenKilled) {
  const int unnamed = open(at("").c_str(), O_WRONLY | O_TMPFILE, 0600);
  if (unnamed < 0) {
    GTEST_SKIP() << "this file system has no files without a name";
  }
  close(unnamed);
  put("f", "old");
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none{0, 0};
    const rlimit small{1 << 16, 1 << 16};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &small);
    write_file(at("f"), std::string(1 << 18, 'x'));
    _exit(0);
  }
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  ASSERT_TRUE(WIFSIGNALED(state));
  EXPECT_EQ(raw("f"), "old");
  EXPECT_THAT(listing(), ElementsAre("f"));
}

TEST_F(Files, WritesPlainAndCompressed) {
  const std::string content = noise(400'000) + std::string(400'000, ' ');
  write_file(at("f"), content);
  EXPECT_EQ(raw("f"), content);
  write_file(at("f.gz"), content);
  EXPECT_TRUE(is_gzip(raw("f.gz")));
  EXPECT_EQ(read_file(at("f.gz")), content);
  EXPECT_EQ(raw("f.gz"), gzip(content));
  EXPECT_THAT(listing(), ElementsAre("f", "f.gz"));
}

TEST_F(Files, AddsToTheEnd) {
  for (const std::string name : {"plain.txt", "packed.txt.gz"}) {
    const auto file = at(name);
    write_file(file, "one\n");
    append_file(file, "two\n");
    append_file(file, "three\n");
    EXPECT_EQ(read_file(file), "one\ntwo\nthree\n") << name;
  }
  EXPECT_THROW(append_file(at("none.txt"), "x"), IoError);
}

TEST_F(Files, ReplacesAndKeepsPermissions) {
  put("f", "old");
  fs::permissions(at("f"), fs::perms::owner_read | fs::perms::owner_write);
  write_file(at("f"), "new");
  EXPECT_EQ(raw("f"), "new");
  EXPECT_EQ(fs::status(at("f")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_THAT(listing(), ElementsAre("f"));
}

TEST_F(Files, LeavesTheOldContentToWhoHasItOpen) {
  put("f", "old");
  std::ifstream reader(at("f"));
  write_file(at("f"), "new");
  std::string word;
  reader >> word;
  EXPECT_EQ(word, "old");
}

TEST_F(Files, FollowsSymbolicLinks) {
  fs::create_directory(at("sub"));
  put("sub/target", "old");
  fs::create_symlink("sub/target", at("link"));
  write_file(at("link"), "new");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(raw("sub/target"), "new");
  fs::create_symlink("sub/fresh", at("dangling"));
  write_file(at("dangling"), "made");
  EXPECT_TRUE(fs::is_symlink(at("dangling")));
  EXPECT_EQ(raw("sub/fresh"), "made");
  fs::create_symlink("loop", at("loop"));
  EXPECT_THROW(write_file(at("loop"), "x"), IoError);
}

TEST_F(Files, SaysWhyItCannotWriteAndLeavesNothingBehind) {
  EXPECT_EQ(message_of<IoError>([&] { write_file(folder_, "x"); }),
            fmt::format("cannot write '{}': Is a directory", folder_.string()));
  EXPECT_THAT(message_of<IoError>([&] { write_file(at("no/such/folder"), "x"); }),
              HasSubstr("No such file or directory"));
  if (::geteuid() != 0) {
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_THAT(message_of<IoError>([&] { write_file(at("f"), "x"); }), HasSubstr("Permission denied"));
    fs::permissions(folder_, fs::perms::owner_all);
  }
  EXPECT_TRUE(listing().empty());
}

TEST_F(Files, WritesStraightToPipesAndDevices) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  const std::string content = noise(300'000);
  std::string received;
  std::thread reader([&] { received = raw("pipe"); });
  write_file(at("pipe"), content);
  reader.join();
  EXPECT_EQ(received, content);
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
  write_file("/dev/null", content);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT(message_of<IoError>([&] { write_file("/dev/full", content); }), HasSubstr("No space left on device"));
}

TEST_F(Files, WritesToOpenDescriptors) {
  const int descriptor = ::open(at("f").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(descriptor, 0);
  write_file(fmt::format("/dev/fd/{}", descriptor), "one ");
  write_file(fmt::format("/proc/self/fd/{}", descriptor), "two");
  ::close(descriptor);
  EXPECT_EQ(raw("f"), "one two");
}

}  // namespace
}  // namespace moco
