// Errors to exit statuses, for those that no command can be made to meet in a test.
#include "exit_status.h"

#include <new>

#include <gtest/gtest.h>

#include "moco/error.h"

namespace moco::cli {
namespace {

TEST(ExitStatus, OneForWorkThatFails) {
  EXPECT_EQ(exit_status_of(IoError("the disk is full")), 1);
  EXPECT_EQ(exit_status_of(DeviceError("an illegal address")), 1);
  EXPECT_EQ(exit_status_of(InfeasibleSolution("a city is visited twice")), 1);
  EXPECT_EQ(exit_status_of(std::bad_alloc()), 1);
  EXPECT_EQ(exit_status_of(std::runtime_error("anything else")), 1);
}

TEST(ExitStatus, TwoForRequestsThatCannotBeMet) {
  EXPECT_EQ(exit_status_of(OptionError("no such engine")), 2);
  EXPECT_EQ(exit_status_of(InputError("a.tsp", 3, "not a number")), 2);
  EXPECT_EQ(exit_status_of(ResourceError("needs 100 GiB")), 2);
}

}  // namespace
}  // namespace moco::cli
