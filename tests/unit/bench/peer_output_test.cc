// Lines as the programs print them.
#include "peer_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace moco {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PeerOutput, OfMoco) {
  EXPECT_THAT(moments_of_moco("instance,seconds,cost\n\"a,b\",0.010,812.5\ncities,1.250,801\n"),
              ElementsAre(TourMoment{0.01, 812.5}, TourMoment{1.25, 801.0}));
  EXPECT_THAT(moments_of_moco(""), IsEmpty());
  EXPECT_THAT(moments_of_moco("cities  n 5\n,\n"), IsEmpty());
}

TEST(PeerOutput, OfGaps) {
  EXPECT_THAT(moments_of_gaps("n=1000 knn 0.01s greedy 0.00s gap 16.00%\n"
                              "local opt mode 1: 0.31s total 1.5s gap 5.000% (check 6.000%) revwork/n 254\n"
                              "  t=2s kicks/n=0.09 gap 4.000%\n"
                              "end t=40.0s kicks/n=5.13 kicks/s=13289 gap -1.000% check -1.000%\n"
                              "valid 1\n",
                              1000.0),
              ElementsAre(TourMoment{1.5, 1050.0}, TourMoment{2.0, 1040.0}, TourMoment{40.0, 990.0}));
}

TEST(PeerOutput, OfLkh) {
  EXPECT_THAT(moments_of_lkh("Preprocessing time = 0.05 sec.\n"
                             "* 1: Cost = 7600, Gap = 0.769%, Time = 0.02 sec. <\n"
                             "* 3: Cost = 7542, Gap = 0.000%, Time = 0.11 sec. =\n"
                             "Run 1: Cost = 7542, Gap = 0.000%, Time = 0.20 sec. =\n"),
              ElementsAre(TourMoment{0.02, 7600.0}, TourMoment{0.11, 7542.0}, TourMoment{0.20, 7542.0}));
}

}  // namespace
}  // namespace moco
