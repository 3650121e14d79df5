// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_FOUND_FUNCTIONS_HPP
#define INLAY_BACKEND_CUDA_FOUND_FUNCTIONS_HPP

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <dlfcn.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay::detail {

/// A library of NVIDIA's whose functions are looked up by name. It stays loaded to the end of the process.
class found_functions {
public:
    /// The first that is there of some names, as the system's loader looks for them. `what` names the library. Error: none is installed.
    [[nodiscard]] static outcome<found_functions> open(std::string_view what, std::span<const char* const> names) {
        std::string tried;
        for (const char* name : names) {
            if (void* const code = load(name)) return found_functions(what, name, code);
            tried += (tried.empty() ? "" : ", ") + std::string(name);
        }
        return error{std::string(what) + " is not installed (" + tried + ")"};
    }
    /// The same; where `file`, what the option -library says, is not empty, that one alone. Error: as above, or the loader's words on the
    /// file.
    [[nodiscard]] static outcome<found_functions> open(std::string_view what, std::span<const char* const> names, const std::string& file) {
        if (file.empty()) {
            auto found = open(what, names);
            return found ? found : error{found.failure().message + "; option -library names its file"};
        }
        if (void* const code = load(file.c_str())) return found_functions(what, file, code);
        const char* const why = dlerror();
        return error{std::string(what) + " cannot be loaded from " + quoted_text(file, 400) + ": " +
                     escaped_text(why != nullptr ? why : "no reason is given", 400)};
    }

    /// Has `f` be the function of that name.
    template <class Function>
    void find(Function*& f, const char* name) {
        f = reinterpret_cast<Function*>(dlsym(code_, name));
        if (f == nullptr && missing_.empty()) missing_ = name;
    }
    /// Error: one that was looked for is not there.
    [[nodiscard]] outcome<void> check() const {
        if (missing_.empty()) return {};
        return error{what_ + " (" + escaped_text(name_, 400) + ") has no function " + missing_ + "; install a newer one"};
    }

private:
    found_functions(std::string_view what, std::string name, void* code) : what_(what), name_(std::move(name)), code_(code) {}
    static void* load(const char* name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

    std::string what_, name_, missing_;
    void* code_ = nullptr;
};

}  // namespace inlay::detail

#endif
