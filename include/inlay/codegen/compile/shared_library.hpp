// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_COMPILE_SHARED_LIBRARY_HPP
#define INLAY_CODEGEN_COMPILE_SHARED_LIBRARY_HPP

#include <string>

#include <dlfcn.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/core/shared_handle.hpp>

namespace inlay {

/// Code that was loaded into this process. It stays as long as one of its copies does, and so must they whose functions are called.
class shared_library {
public:
    shared_library() = default;

    /// Loads a file, whose path has a slash. `for_good`: it stays to the end of the process, as code does that has started threads. The
    /// error is the system's. Precondition: the file is whole; a torn one may end the process.
    [[nodiscard]] static outcome<shared_library> open(const std::string& path, bool for_good = false) {
        void* const code = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | (for_good ? RTLD_NODELETE : 0));
        if (code != nullptr) return shared_library(code);
        const char* const why = dlerror();
        return error{"a shared library cannot be loaded: " + escaped_text(why != nullptr ? why : "no reason is given", 400)};
    }

    /// The function of that name, which has C linkage; null where there is none. Precondition: it is of that type.
    template <class Function>
    [[nodiscard]] Function* function(const std::string& name) const {
        return owned_ ? reinterpret_cast<Function*>(dlsym(owned_->code, name.c_str())) : nullptr;
    }
    explicit operator bool() const { return static_cast<bool>(owned_); }

private:
    struct loaded : owner_count {
        void* code = nullptr;

        static void release(loaded* l) {
            dlclose(l->code);
            delete l;
        }
    };

    explicit shared_library(void* code) : owned_(new loaded) { owned_->code = code; }

    shared_handle<loaded> owned_;
};

}  // namespace inlay

#endif
