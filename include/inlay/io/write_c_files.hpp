// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_WRITE_C_FILES_HPP
#define INLAY_IO_WRITE_C_FILES_HPP

#include <filesystem>  // a leaf: only programs that write their code include it
#include <span>
#include <string>
#include <system_error>

#include <inlay/codegen/c/c_files.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/write_file.hpp>

namespace inlay {

/// Writes the files of a program in C below a folder, which is made where it is not there. Files of these names are replaced, others stay.
/// The error names the file or folder and the system's reason.
[[nodiscard]] inline outcome<void> write_c_files(const std::string& folder, std::span<const c_file> files) {
    for (const c_file& f : files) {
        const std::filesystem::path path = std::filesystem::path(folder) / f.path;
        std::error_code fault;
        std::filesystem::create_directories(path.parent_path(), fault);
        if (fault) return error{"the folder " + quoted_text(path.parent_path().string(), 400) + " cannot be made: " + fault.message()};
        if (auto written = write_file(path.string(), f.content); !written) return written;
    }
    return {};
}

}  // namespace inlay

#endif
