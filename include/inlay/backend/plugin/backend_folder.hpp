// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_BACKEND_FOLDER_HPP
#define INLAY_BACKEND_PLUGIN_BACKEND_FOLDER_HPP

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

/// The libraries of a folder, `*.so`, in the order of their names. Folders in it are not looked into. The error is the system's.
[[nodiscard]] inline outcome<std::vector<std::string>> libraries_in(const std::string& folder) {
    DIR* const open = ::opendir(folder.c_str());
    if (open == nullptr) return error{"the folder of back ends " + quoted_text(folder, 400) + " cannot be read: " + std::strerror(errno)};
    std::vector<std::string> all;
    while (const dirent* one = ::readdir(open)) {
        const std::string_view name = one->d_name;
        // A name with a point first is a file that is being written, or nobody's business.
        if (name.ends_with(".so") && !name.starts_with(".") && one->d_type != DT_DIR) all.push_back(folder + "/" + std::string(name));
    }
    ::closedir(open);
    std::sort(all.begin(), all.end());
    return all;
}

/// The folders of a list such as PATH, with colons between; empty names are none.
[[nodiscard]] inline std::vector<std::string> folders_of_path(std::string_view list) {
    std::vector<std::string> all;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(':'), list.size());
        if (end != 0) all.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return all;
}

}  // namespace inlay

#endif
