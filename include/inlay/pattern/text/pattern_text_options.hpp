// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TEXT_PATTERN_TEXT_OPTIONS_HPP
#define INLAY_PATTERN_TEXT_PATTERN_TEXT_OPTIONS_HPP

#include <cstddef>
#include <string>

#include <inlay/graph/attribute_use.hpp>

namespace inlay {

/// How operators are written in a pattern's text.
struct pattern_text_options {
    std::string dialect;           // an operator without a dot is of this dialect: `Conv` is `onnx.Conv`; empty: it is what is written
    std::size_t most_depth = 200;  // of nesting
    std::size_t most_terms = 10'000;
    bool builds = false;              // the right side of a rule
    call_check check = nullptr;       // says which operators and attributes there are; null: all
    declared_form form_of = nullptr;  // says what attributes hold; null: what the text says
};

}  // namespace inlay

#endif
