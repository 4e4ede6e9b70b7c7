// Version numbers as text.
#include "moco/version.h"

#define MOCO_TEXT_OF(number) #number
#define MOCO_TEXT(number) MOCO_TEXT_OF(number)

namespace moco {

std::string_view version() {
  return MOCO_TEXT(MOCO_VERSION_MAJOR) "." MOCO_TEXT(MOCO_VERSION_MINOR) "." MOCO_TEXT(MOCO_VERSION_PATCH);
}

}  // namespace moco
