// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_TARGET_ARGUMENT_HPP
#define INLAY_IO_JSON_TARGET_ARGUMENT_HPP

#include <string>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/target/target_instance.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

/// The targets of one argument of a command line: a target text, JSON, or the name of a file of JSON, which ends in `.json`. At least one;
/// the error begins with the file's name where there is one.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<target_instance>> read_target_argument(const std::string& argument,
                                                                                        const target_schemas& known);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/json/target_argument.ipp>
#endif

#endif
