// Has the system refuse every new thread, as one that has reached its limit does: their stacks would not fit into the
// address space.
#pragma once

#include <cstddef>
#include <stdexcept>

#include <pthread.h>

namespace moco {

class RefusedThreads {
 public:
  RefusedThreads() {
    pthread_attr_t huge;
    if (pthread_getattr_default_np(&usual_) != 0 || pthread_attr_init(&huge) != 0 ||
        pthread_attr_setstacksize(&huge, std::size_t{1} << 50) != 0 || pthread_setattr_default_np(&huge) != 0) {
      throw std::runtime_error("cannot change the size of stacks");
    }
    pthread_attr_destroy(&huge);
  }
  ~RefusedThreads() {
    pthread_setattr_default_np(&usual_);
    pthread_attr_destroy(&usual_);
  }
  RefusedThreads(const RefusedThreads&) = delete;
  RefusedThreads& operator=(const RefusedThreads&) = delete;

 private:
  pthread_attr_t usual_;
};

}  // namespace moco
