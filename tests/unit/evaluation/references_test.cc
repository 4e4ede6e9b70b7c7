// Reading of references in all their forms, and what is refused.
#include "moco/references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "moco/error.h"
#include "options.h"

namespace moco {
namespace {

using testing::HasSubstr;

InstancePtr tour(const char* name) {
  return std::make_shared<TspInstance>(name, std::vector<Point>{{0, 0}, {3, 0}, {3, 4}}, Metric::euclidean);
}

InstancePtr graph(const char* name) {
  const std::vector<Edge> edges = {{0, 1}, {1, 2}};
  return std::make_shared<GraphInstance>(mis(), name, 3, edges);
}

const std::vector<InstancePtr>& tours() {
  static const std::vector<InstancePtr> instances = {tour("a"), tour("b")};
  return instances;
}

const std::vector<InstancePtr>& graphs() {
  static const std::vector<InstancePtr> instances = {graph("er_0.15_0"), graph("er_0.15_1")};
  return instances;
}

void expect_refused(std::string_view content, const std::vector<InstancePtr>& instances, const std::string& message) {
  try {
    parse_references(content, "file", instances);
    ADD_FAILURE() << "accepted: " << content;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

TEST(References, ValuesInTheOrderOfTheInstances) {
  EXPECT_EQ(parse_references("12.5\n# remark\n\n13\n", "file", tours()), (ReferenceCosts{12.5, 13.0}));
  EXPECT_EQ(parse_references("2\n1\n", "file", graphs()), (ReferenceCosts{-2.0, -1.0}));
}

TEST(References, NamesAndValues) {
  EXPECT_EQ(parse_references("b : 13\na : 12 (EUC_2D)\nother : 7\n", "file", tours()), (ReferenceCosts{12.0, 13.0}));
  EXPECT_EQ(parse_references("b,13\n", "file", tours()), (ReferenceCosts{{}, 13.0})) << "one may be missing";
  EXPECT_EQ(parse_references("a 12\nb 13\n", "file", tours()), (ReferenceCosts{12.0, 13.0}));
}

TEST(References, TablesWithFileNames) {
  EXPECT_EQ(parse_references("er_0.15_1.graph\t3\t2\t2\tsome solver\t0.2\ner_0.15_0.graph\t3\t2\t1\tsome solver\t0.1\n",
                             "file", graphs()),
            (ReferenceCosts{-1.0, -2.0}));
  EXPECT_EQ(
      parse_references("file\tn\tm\tsize\ner_0.15_0.graph\t3\t2\t2\ner_0.15_1.graph\t3\t2\t2\n", "file", graphs()),
      (ReferenceCosts{-2.0, -2.0}));
  EXPECT_EQ(parse_references("er_0.15_0,2\ner_0.15_1,1\n", "file", graphs()), (ReferenceCosts{-2.0, -1.0}))
      << "names with dots are not file names with extensions";
  EXPECT_EQ(parse_references("instance,seconds,cost\nb,1,13\n\"a\",1,12\n", "file", tours()),
            (ReferenceCosts{12.0, 13.0}));
}

TEST(References, JsonLines) {
  EXPECT_EQ(parse_references("{\"instance\":\"b\",\"cost\":13}\n{\"instance\":\"a\",\"cost\":12}\n", "file", tours()),
            (ReferenceCosts{12.0, 13.0}));
  EXPECT_EQ(parse_references("{\"solution\":[0,2]}\n{\"solution\":[1]}\n", "file", graphs()),
            (ReferenceCosts{-2.0, -1.0}));
  EXPECT_EQ(parse_references("{\"instance\":\"er_0.15_1\",\"cost\":-2,\"solution\":[0,2]}\n", "file", graphs()),
            (ReferenceCosts{{}, -2.0}));
}

TEST(References, SolutionFiles) {
  const std::vector<InstancePtr> one = {tour("a")};
  EXPECT_EQ(parse_references("TYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n1\n2\n3\n-1\nEOF\n", "a.tour", one),
            (ReferenceCosts{12.0}));
}

TEST(References, OwnSolutions) {
  auto with = std::make_shared<TspInstance>("c", std::vector<Point>{{0, 0}, {3, 0}, {3, 4}}, Metric::euclidean);
  with->set_reference({{0, 1, 2}});
  EXPECT_EQ(own_references(std::vector<InstancePtr>{with, tour("d")}), (ReferenceCosts{12.0, {}}));
  auto wrong = std::make_shared<TspInstance>("e", std::vector<Point>{{0, 0}, {3, 0}, {3, 4}}, Metric::euclidean);
  wrong->set_reference({{0, 1, 1}});
  EXPECT_THROW(own_references(std::vector<InstancePtr>{wrong}), InputError);
}

TEST(References, WhatIsRefusedNamesTheLine) {
  expect_refused("12\n", tours(), "file: 1 references for 2 instances");
  expect_refused("12\nx\n", tours(), "file:2: reference 'x' is not a number");
  expect_refused("12\n0\n", tours(), "file:2: the reference 0 of b is not a positive cost");
  expect_refused("2\n1.5\n", graphs(), "file:2: the reference 1.5 of er_0.15_1 is not a positive whole size");
  expect_refused("c,1\n", tours(), "no reference is for an instance of the data set, such as a");
  expect_refused("a,1\na,2\n", tours(), "file:2: a second reference for a: 2, after 1");
  expect_refused("er_0.15_0 4 2 2\n", graphs(), "file:1: er_0.15_0 has 4 nodes here and 3 in the data set");
  expect_refused("er_0.15_0 3 9 2\n", graphs(), "file:1: er_0.15_0 has 9 edges here and 2 in the data set");
  expect_refused("a 3 5\n", tours(), "file:1: three columns need a header");
  expect_refused("a,12\nb\n", tours(), "file:2: 1 columns, but column 2 was expected");
  expect_refused("# nothing\n", tours(), "no reference in this file");
  expect_refused("{\"instance\":\"a\"}\n", tours(), "file:1: no number called");
  expect_refused("{\"instance\":\"a\",\"cost\":1}\n{\n", tours(), "file:2: not a line of JSON");
  expect_refused("{\"instance\":\"a\",\"cost\":1}\n{\"cost\":2}\n", tours(),
                 "file:2: some references have a name and others have none");
  expect_refused("{\"solution\":[0,2.5e30]}\n", graphs(), "file:1: 'solution' is not a list of nodes");
  expect_refused("{\"solution\":[0,1]}\n{\"solution\":[0]}\n", graphs(), "file:1: the reference solution of er_0.15_0");
}

}  // namespace
}  // namespace moco
