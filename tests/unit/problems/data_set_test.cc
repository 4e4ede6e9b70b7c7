// Folders as data sets: what is an instance, what is passed over and what is refused.
#include "moco/data_set.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "moco/error.h"
#include "temporary_folder.h"

namespace moco {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DataSetFolder : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) const { spill(folder_.path() / name, content); }
  std::string path() const { return folder_.path().string(); }

  std::vector<InstancePtr> read(const ReadOptions& options = {}) {
    warnings_.clear();
    return read_data_set({path()}, options, &warnings_);
  }

  void expect_refused(const std::string& message) {
    try {
      read();
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }

  TemporaryFolder folder_;
  std::vector<std::string> warnings_;
};

TEST_F(DataSetFolder, StrayFilesArePassedOverWithOneWarning) {
  write("a.graph", "2 1\n2\n1\n");
  write("b.graph", "3 0\n\n\n\n");
  write(".DS_Store", std::string("\0\0\0\1Bud1", 8));
  EXPECT_EQ(read().size(), 2u);
  EXPECT_THAT(warnings_, IsEmpty()) << "hidden files are no news";
  write("README", "Graphs of the\nlast experiment, 3 of them\n");
  write("notes.txt", "two words\n");
  EXPECT_EQ(read().size(), 2u);
  EXPECT_THAT(warnings_, ElementsAre(path() + ": passed over README, notes.txt: not an instance"));
  write("picture.png", "\x89PNG\r\n\x1a\n, and so on");
  write("results.json", "{\"a\": 1}\n");
  write("sizes.txt", "2\n3\n");
  EXPECT_EQ(read().size(), 2u);
  EXPECT_THAT(warnings_,
              ElementsAre(path() + ": passed over README, notes.txt, picture.png and 2 more: not an instance"));
}

TEST_F(DataSetFolder, ALinkToItselfIsNoInstance) {
  write("a.graph", "2 1\n2\n1\n");
  std::filesystem::create_symlink("circle", folder_.path() / "circle");
  EXPECT_EQ(read().size(), 1u);
}

TEST_F(DataSetFolder, ToursBesideTheirInstances) {
  write("a.tsp",
        "NAME : a\nTYPE : TSP\nDIMENSION : 2\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 5 1\nEOF\n");
  write("a.opt.tour", "NAME : a\nTYPE : TOUR\nDIMENSION : 2\nTOUR_SECTION\n1\n2\n-1\nEOF\n");
  EXPECT_EQ(read().size(), 1u);
  EXPECT_THAT(warnings_, ElementsAre(path() + ": passed over a.opt.tour: not an instance"));
}

TEST_F(DataSetFolder, FilesThatClaimToBeInstancesMustBe) {
  write("a.graph", "2 1\n2\n1\n");
  write("b.graph", "oops\n");
  expect_refused("b.graph:1: ");
  std::filesystem::remove(folder_.path() / "b.graph");
  write("c", "0 1\n1 x\n");
  expect_refused("c:2: ");
}

TEST_F(DataSetFolder, AFormatAppliesToAllFiles) {
  write("a", "0 1\n");
  write("b", "some more words than two or three\n");
  EXPECT_EQ(read().size(), 1u);
  EXPECT_THROW(read({.format = InstanceFormat::edge_list, .problem = ""}), InputError);
}

TEST_F(DataSetFolder, WithoutInstancesItIsRefused) {
  expect_refused(path() + ": no instance found");
  write("README", "nothing here\n");
  expect_refused(path() + ": no instance found, only README");
}

}  // namespace
}  // namespace moco
