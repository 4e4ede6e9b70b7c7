// How many CPUs this process may use.
#pragma once

namespace moco {

/// The CPUs that this process may run on (taskset, cpuset), cut to the CPU time that its control groups allow; at least
/// 1. Threads beyond that only take turns. With several `processes` on the machine, this one's share: a launcher may
/// have given each CPUs of its own, so the affinity is not divided, but the machine and the control groups are.
int usable_cpus(int processes = 1);

}  // namespace moco
