// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_OPERATOR_NAME_HPP
#define INLAY_IO_ONNX_OPERATOR_NAME_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace inlay {

/// An operator as ONNX names it: `onnx.Conv` is Conv of the domain `ai.onnx`, `com.microsoft.Gelu` Gelu of `com.microsoft`.
/// `old_form` is the version of a form that has no newer equivalent: `v8` of `onnx.Scan.v8`.
struct operator_name {
    std::string domain;
    std::string op;
    std::string old_form;

    friend bool operator==(const operator_name&, const operator_name&) = default;
};

/// The parts of an operator's name in a program; the domain is empty where the name has no dialect.
[[nodiscard]] inline operator_name operator_name_of(std::string_view whole) {
    operator_name name;
    if (whole.substr(0, 5) == "onnx.") {
        name.domain = "ai.onnx";
        name.op = whole.substr(5);
        const auto dot = name.op.rfind(".v");
        if (dot == std::string::npos || dot + 2 == name.op.size() || name.op.find_first_not_of("0123456789", dot + 2) != std::string::npos)
            return name;
        name.old_form = name.op.substr(dot + 1);
        name.op.resize(dot);
        return name;
    }
    const auto dot = whole.rfind('.');
    name.op = whole.substr(dot == std::string_view::npos ? 0 : dot + 1);
    if (dot != std::string_view::npos) name.domain = whole.substr(0, dot);
    return name;
}

}  // namespace inlay

#endif
