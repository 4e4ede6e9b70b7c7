// SIGINT, SIGTERM and SIGHUP as a flag that the search polls.
#pragma once

namespace moco::cli {

/// From here on the first SIGINT or SIGTERM only sets the flag; the second one ends the program with status 130. SIGHUP
/// sets the flag too, unless it was ignored when the program started (nohup).
void catch_signals();

/// Whether a signal has arrived.
bool signal_arrived();

/// Whether SIGHUP was one: then nobody may be there to read what is printed.
bool terminal_gone();

}  // namespace moco::cli
