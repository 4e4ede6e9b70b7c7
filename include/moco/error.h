// Typed errors. The library never prints and never exits: it throws one of these, and each message says in one line
// what is wrong and where. Besides them only std::bad_alloc leaves it, and whatever a caller's own function throws.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace moco {

/// Base of everything this library throws.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file or stream that cannot be read as what it claims to be: "FILE:LINE: what is wrong, and with which value".
class InputError : public Error {
 public:
  /// `line` is 1-based; 0 means that no particular line is to blame.
  InputError(std::string_view file, std::int64_t line, std::string_view what);
  /// Same for a problem of the file as a whole.
  InputError(std::string_view file, std::string_view what) : InputError(file, 0, what) {}
};

/// An option or argument outside its documented range.
class OptionError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be opened, read, written or renamed (the message carries the system's reason).
class IoError : public Error {
 public:
  using Error::Error;
};

/// The work does not fit: memory or device limits, named in the message.
class ResourceError : public Error {
 public:
  using Error::Error;
};

/// A solution found by a search that the checker refused: a fault of the program and never a result.
class InfeasibleSolution : public Error {
 public:
  using Error::Error;
};

/// A device that failed at work it should have been able to do.
class DeviceError : public Error {
 public:
  using Error::Error;
};

}  // namespace moco
