// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_IMPORT_TEMPORARY_FOLDER_HPP
#define INLAY_TESTS_IMPORT_TEMPORARY_FOLDER_HPP

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace inlay_test {

/// A folder of its own, removed with all that is in it at the end.
class temporary_folder {
public:
    temporary_folder() {
        std::string path = (std::filesystem::temp_directory_path() / "inlay-XXXXXX").string();
        if (::mkdtemp(path.data()) == nullptr) std::abort();
        path_ = path;
    }
    ~temporary_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] friend std::string operator/(const temporary_folder& folder, const std::string& name) {
        return folder.path_ + "/" + name;
    }

private:
    std::string path_;
};

}  // namespace inlay_test

#endif
