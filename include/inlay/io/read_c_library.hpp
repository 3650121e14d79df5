// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_READ_C_LIBRARY_HPP
#define INLAY_IO_READ_C_LIBRARY_HPP

#include <string>
#include <utility>
#include <vector>

#include <inlay/codegen/c/c_library.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/io/read_file.hpp>

namespace inlay {

/// A library in C that stands in a folder: the headers and sources of these names. How nests call it is for the caller to add. The error
/// names a file that cannot be read.
[[nodiscard]] inline outcome<c_library> read_c_library(const std::string& folder, const std::vector<std::string>& headers,
                                                       const std::vector<std::string>& sources) {
    c_library made;
    for (const std::string& name : headers) {
        auto text = read_file(folder + "/" + name);
        if (!text) return text.failure();
        made.headers.push_back({name, *std::move(text)});
    }
    for (const std::string& name : sources) {
        auto text = read_file(folder + "/" + name);
        if (!text) return text.failure();
        made.sources.push_back({name, *std::move(text)});
    }
    return made;
}

}  // namespace inlay

#endif
