// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "cache_paths.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tool {

namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace

std::string default_database() {
    if (std::string own = variable("INLAY_DATABASE"); !own.empty()) return own;
    if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/inlay/costs.sqlite";
    const std::string home = variable("HOME");
    return home.empty() ? "inlay_costs.sqlite" : home + "/.cache/inlay/costs.sqlite";
}

std::string code_folder(const std::string& database) {
    if (const std::string own = code_folder_of_worker(); !own.empty()) return own;
    const std::filesystem::path beside(database.empty() ? default_database() : database);
    const std::string folder = (beside.parent_path() / "code").string();
    ::setenv("INLAY_CODE", folder.c_str(), 0);
    return folder;
}

std::string verdict_folder() { return (std::filesystem::path(default_database()).parent_path() / "backends").string(); }

std::string code_folder_of_worker() { return variable("INLAY_CODE"); }

}  // namespace tool
