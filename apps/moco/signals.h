// SIGINT and SIGTERM as a flag that the search polls.
#pragma once

namespace moco::cli {

/// From here on the first SIGINT or SIGTERM only sets the flag; the second one ends the program with status 130.
void catch_signals();

/// Whether a signal has arrived.
bool signal_arrived();

}  // namespace moco::cli
