// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUTLASS_CUTLASS_HEADERS_HPP
#define INLAY_BACKEND_CUTLASS_CUTLASS_HEADERS_HPP

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

#include <inlay/codegen/compile/code_cache.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay::detail {

/// Which CUTLASS some headers are.
struct cutlass_release {
    int major = 0, minor = 0, patch = 0;

    [[nodiscard]] std::string text() const { return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch); }
    friend bool operator==(const cutlass_release&, const cutlass_release&) = default;
};

/// The headers of NVIDIA's CUTLASS. `opened_once` finds them once for a process.
struct cutlass_headers {
    std::string folder;  // that with the folder `cutlass`
    cutlass_release release;

    /// Where `sh examples/install.sh cuda` puts them, below the folder in which it was called.
    static constexpr const char* fetched = "build/cutlass";

    /// Those of that folder, or of its folder `include`; where none is named those of the one in the variable CUTLASS_HOME, else those that
    /// were fetched. Error: there are none.
    [[nodiscard]] static outcome<cutlass_headers> open(const std::string& given) {
        std::string folder = given;
        if (const char* const named = std::getenv("CUTLASS_HOME"); folder.empty() && named != nullptr) folder = named;
        if (folder.empty()) folder = fetched;
        for (const std::string& place : {folder + "/include", folder}) {
            const std::string text = bytes_of_file(place + "/cutlass/version.h");
            cutlass_headers made{
                place, {number_behind(text, "CUTLASS_MAJOR"), number_behind(text, "CUTLASS_MINOR"), number_behind(text, "CUTLASS_PATCH")}};
            if (made.release.major > 0) return made;
        }
        return error{"there are no headers of NVIDIA's CUTLASS in " + quoted_text(folder, 400) +
                     "; name their folder by the option -cutlass or in the variable CUTLASS_HOME, or have 'sh examples/install.sh cuda' "
                     "fetch them"};
    }

private:
    /// The number that a text defines a name as; 0 where it does not.
    [[nodiscard]] static int number_behind(std::string_view text, std::string_view name) {
        const std::string line = "#define " + std::string(name) + " ";
        const std::size_t at = text.find(line);
        int made = 0;
        if (at == std::string_view::npos) return made;
        for (const char c : text.substr(at + line.size(), 4)) {
            if (c < '0' || c > '9') break;
            made = 10 * made + (c - '0');
        }
        return made;
    }
};

}  // namespace inlay::detail

#endif
