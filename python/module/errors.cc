// The library's errors as the Python exceptions of moco._errors.
#include "moco/error.h"
#include "module.h"

namespace moco::python {

namespace {

void raise(const char* name, const char* what) {
  PyErr_SetString(py::module_::import("moco._errors").attr(name).ptr(), what);
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) {
        std::rethrow_exception(thrown);
      }
    } catch (const InputError& error) {
      raise("InputError", error.what());
    } catch (const OptionError& error) {
      raise("OptionError", error.what());
    } catch (const IoError& error) {
      raise("FileError", error.what());
    } catch (const ResourceError& error) {
      raise("ResourceError", error.what());
    } catch (const InfeasibleSolution& error) {
      raise("InfeasibleSolution", error.what());
    } catch (const DeviceError& error) {
      raise("DeviceError", error.what());
    } catch (const Error& error) {
      raise("Error", error.what());
    }
  });
}

}  // namespace moco::python
