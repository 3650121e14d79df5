// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_CACHE_PATHS_HPP
#define INLAY_EXAMPLES_INLAY_CACHE_PATHS_HPP

#include <string>

namespace tool {

/// The file in which prices are kept where the call names none: $INLAY_DATABASE, else `inlay/costs.sqlite` in the user's cache folder.
[[nodiscard]] std::string default_database();

/// The folder in which compiled loops are kept: $INLAY_CODE, else `code` beside the database. The processes that measure find it in that
/// variable.
[[nodiscard]] std::string code_folder(const std::string& database);
/// The same as this process was told; empty: nowhere.
[[nodiscard]] std::string code_folder_of_worker();

/// The folder in which it is kept which libraries of back ends can be loaded without harm: `backends` beside the database.
[[nodiscard]] std::string verdict_folder();

}  // namespace tool

#endif
