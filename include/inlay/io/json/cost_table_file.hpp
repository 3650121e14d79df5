// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_COST_TABLE_FILE_HPP
#define INLAY_IO_JSON_COST_TABLE_FILE_HPP

#include <string>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/cost_table.hpp>

namespace inlay {

/// The cost table that a JSON text holds, version 1 of `docs/costs.md`. The error says which key is wrong, and the nearest known one.
[[nodiscard]] INLAY_FUNCTION outcome<cost_table> read_cost_table(std::string_view text);

/// The table as JSON: `read_cost_table(write_cost_table(t)) == t`, to the last bit of every price.
[[nodiscard]] INLAY_FUNCTION std::string write_cost_table(const cost_table& t);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/json/cost_table_file.ipp>
#endif

#endif
