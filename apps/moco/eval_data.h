// The data set of `moco eval`: files or a generator, with references.
#pragma once

#include "command_line.h"
#include "moco/evaluate.h"

namespace moco::cli {

/// The data set that the arguments of `moco eval` describe. Throws UsageError or InputError.
DataSet load_data_set(const Arguments& arguments);

}  // namespace moco::cli
