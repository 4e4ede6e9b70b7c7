// The exit statuses of the program; docs/cli.md says what they mean.
#pragma once

#include <exception>

namespace moco::cli {

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;

/// The status with which the program ends after an error: 2 when the request could not be met, 1 when the work failed.
int exit_status_of(const std::exception& error);

}  // namespace moco::cli
