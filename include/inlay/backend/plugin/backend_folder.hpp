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
#include <utility>
#include <vector>

#include <dirent.h>
#include <sys/stat.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

/// Why a file cannot be a library, which is found out without reading it: it is a pipe, a device or a socket, has no end, or is too large.
/// Empty: it may be one.
[[nodiscard]] inline std::string why_no_library(const std::string& file) {
    constexpr off_t most_gigabytes = 1;
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0) return std::string("it cannot be read: ") + std::strerror(errno);
    if (!S_ISREG(facts.st_mode)) return "it is no regular file, and so no library";
    if (facts.st_size > most_gigabytes << 30)
        return "it has " + std::to_string(facts.st_size) + " bytes; a library has at most " + std::to_string(most_gigabytes) + " GiB";
    return {};
}

/// The libraries of a folder, `*.so`, in the order of their names. Folders in it are not looked into. The error is the system's.
[[nodiscard]] inline outcome<std::vector<std::string>> libraries_in(const std::string& folder) {
    DIR* const open = ::opendir(folder.c_str());
    if (open == nullptr) return error{"the folder of back ends " + quoted_text(folder, 400) + " cannot be read: " + std::strerror(errno)};
    std::vector<std::string> all;
    while (const dirent* one = ::readdir(open)) {
        const std::string_view name = one->d_name;
        // A name with a point first is that of a file that is being written, or of a hidden one.
        if (!name.ends_with(".so") || name.starts_with(".")) continue;
        std::string file = folder + "/" + std::string(name);
        struct stat facts {};
        if (::stat(file.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) all.push_back(std::move(file));
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
