// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PORTABLE_C_WRITTEN_CALL_HPP
#define INLAY_BACKEND_PORTABLE_C_WRITTEN_CALL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/c/c_array.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/loops/lower/half_precision.hpp>
#include <inlay/loops/text/c_functions.hpp>

namespace inlay::portable {

/// Lines of C, each as deep as the braces that it stands in.
class c_lines {
public:
    c_lines& line(const std::string& text) {
        text_ += std::string(4 * depth_, ' ') + text + "\n";
        return *this;
    }
    c_lines& open(const std::string& head) {
        line(head + " {");
        ++depth_;
        return *this;
    }
    /// A loop over 0 to less than `count`.
    c_lines& loop(const std::string& variable, std::int64_t count) {
        return open("for (int64_t " + variable + " = 0; " + variable + " < " + std::to_string(count) + "; ++" + variable + ")");
    }
    c_lines& close(std::size_t count = 1) {
        for (; count != 0; --count) {
            --depth_;
            line("}");
        }
        return *this;
    }
    [[nodiscard]] std::string take() && { return std::move(text_); }

private:
    std::string text_;
    std::size_t depth_ = 1;
};

/// A call whose code is written in C as it stands, and not lowered to loops: the call as type rules see it, with the names of the
/// function's parameters.
struct written_call {
    call_view call;
    std::vector<std::string> operands;      // empty for one that is left out
    std::vector<std::string> results;       // empty for one that nobody reads
    std::vector<const tensor_type*> types;  // of the results

    [[nodiscard]] std::vector<std::int64_t> extents(std::size_t operand) const { return static_shape(call.type(operand)); }
    [[nodiscard]] std::vector<std::int64_t> result_extents(std::size_t i = 0) const { return static_shape(*types[i]); }
    /// The C type of an operand's elements.
    [[nodiscard]] std::string c_type(std::size_t operand) const { return std::string(stored_c_type(call.type(operand).element)); }
};

/// Elements of one type as C computes with them: of half precision in float32, whose bits are converted where they are read and written.
class computed_elements {
public:
    explicit computed_elements(element_type kept) : kept_(kept), computed_(inlay::detail::computed_as(kept)) {}

    [[nodiscard]] element_type element() const { return computed_; }
    [[nodiscard]] std::string type() const { return std::string(detail::c_type_of(computed_)); }
    [[nodiscard]] std::string read(const std::string& stored) { return functions_.cast(kept_, computed_, stored); }
    [[nodiscard]] std::string stored(const std::string& computed) { return functions_.cast(computed_, kept_, computed); }
    /// The conversions that were asked for.
    [[nodiscard]] const std::vector<std::string>& needs() const { return functions_.definitions(); }

private:
    element_type kept_, computed_;
    detail::c_functions functions_;
};

/// The body of the function, and what it calls.
struct written_body {
    std::string text;
    std::vector<std::string> needs;
    std::size_t workspace_bytes = 0;  // of `workspace`, which the text may name then
};

/// How calls of one operator are written. The error says what of it has no code.
struct written_entry {
    std::string_view op;  // with dialect
    outcome<written_body> (*write)(const written_call& call);
    std::size_t least_outputs = 1;  // calls of fewer are not written
};

}  // namespace inlay::portable

#endif
