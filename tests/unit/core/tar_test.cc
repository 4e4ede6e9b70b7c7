// Archives built block by block: names in all forms, and damage.
#include "moco/core/tar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "moco/error.h"

namespace moco {
namespace {

std::string member(const std::string& name, const std::string& content, char type = '0',
                   const std::string& prefix = "") {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  header.replace(124, 11, fmt::format("{:011o}", content.size()));
  header[156] = type;
  header.replace(257, 5, "ustar");
  header.replace(345, prefix.size(), prefix);
  header.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : header) {
    sum += static_cast<unsigned char>(c);
  }
  header.replace(148, 7, fmt::format("{:06o}", sum) + std::string(1, '\0'));
  return header + content + std::string((512 - content.size() % 512) % 512, '\0');
}

const std::string kEnd(1024, '\0');

TEST(Tar, RegularFilesInOrder) {
  const std::string long_content(700, 'x');
  const std::string archive = member("folder/", "", '5') + member("folder/b", long_content) + member("a", "") + kEnd;
  const auto members = tar_members(archive, "x.tar");
  ASSERT_EQ(members.size(), 2u);
  EXPECT_EQ(members[0].name, "folder/b");
  EXPECT_EQ(members[0].content, long_content);
  EXPECT_EQ(members[1].name, "a");
  EXPECT_EQ(members[1].content, "");
  EXPECT_TRUE(tar_members("", "x.tar").empty());
}

TEST(Tar, LongNames) {
  const std::string name(150, 'n');
  EXPECT_EQ(tar_members(member("file", "1", '0', "deep/folder") + kEnd, "x").at(0).name, "deep/folder/file");
  EXPECT_EQ(tar_members(member("././@LongLink", name + '\0', 'L') + member("cut", "1") + kEnd, "x").at(0).name, name);
  const std::string records = "20 mtime=1234567890\n" + fmt::format("{} path={}\n", 4 + 5 + name.size() + 1, name);
  const auto members = tar_members(member("pax", records, 'x') + member("cut", "1") + member("next", "2") + kEnd, "x");
  ASSERT_EQ(members.size(), 2u);
  EXPECT_EQ(members[0].name, name);
  EXPECT_EQ(members[1].name, "next");
}

TEST(Tar, DamageIsReported) {
  const std::string good = member("a", "content") + kEnd;
  std::string flipped = good;
  flipped[0] = 'b';
  EXPECT_THROW(tar_members(flipped, "x"), InputError);
  EXPECT_THROW(tar_members(good.substr(0, 300), "x"), InputError);
  EXPECT_THROW(tar_members(good.substr(0, 515), "x"), InputError);
  EXPECT_THROW(tar_members(std::string(512, 'z'), "x"), InputError);
}

TEST(Tar, NamesOfArchives) {
  for (const char* name : {"a.tar", "a.tar.gz", "a.tgz", "A.TAR", "a.Tar.GZ", "A.TGZ"}) {
    EXPECT_TRUE(is_tar_name(name)) << name;
  }
  for (const char* name : {"a.gz", "tar", "a.graph.gz"}) {
    EXPECT_FALSE(is_tar_name(name)) << name;
  }
}

}  // namespace
}  // namespace moco
