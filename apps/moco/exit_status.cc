// Errors to exit statuses.
#include "exit_status.h"

#include "moco/error.h"

namespace moco::cli {

int exit_status_of(const std::exception& error) {
  const bool work_failed = dynamic_cast<const IoError*>(&error) != nullptr ||
                           dynamic_cast<const DeviceError*>(&error) != nullptr ||
                           dynamic_cast<const InfeasibleSolution*>(&error) != nullptr;
  return !work_failed && dynamic_cast<const Error*>(&error) != nullptr ? kExitUsage : kExitFailure;
}

}  // namespace moco::cli
