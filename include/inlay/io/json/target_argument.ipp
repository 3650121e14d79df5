// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_TARGET_ARGUMENT_IPP
#define INLAY_IO_JSON_TARGET_ARGUMENT_IPP

#include <string>
#include <vector>

#include <inlay/io/json/target_argument.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/target_json.hpp>
#include <inlay/io/read_file.hpp>
#include <inlay/target/read_target.hpp>
#include <inlay/target/target_instance.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

outcome<std::vector<target_instance>> read_target_argument(const std::string& argument, const target_schemas& known) {
    const bool is_file = argument.ends_with(".json");
    std::string text = argument;
    if (is_file) {
        auto content = read_file(argument, longest_target_text);
        if (!content) return content.failure();
        text = *std::move(content);
    }
    auto read = read_targets(text, known);
    const std::string where = is_file ? quoted_text(argument, 400) + ": " : "";
    if (!read) return error{where + read.failure().message};
    if (read->empty()) return error{where + "the list " + quoted_text(text, 40) + " names no target; name at least one, or leave it out"};
    return read;
}

}  // namespace inlay

#endif
