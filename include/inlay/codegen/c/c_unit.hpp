// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_UNIT_HPP
#define INLAY_CODEGEN_C_C_UNIT_HPP

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/codegen/c/c_part.hpp>
#include <inlay/core/linkage.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] constexpr bool is_c_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether a C text has a word.
[[nodiscard]] INLAY_FUNCTION bool has_c_word(std::string_view text, std::string_view word);

/// A C text with another word in a word's place.
[[nodiscard]] INLAY_FUNCTION std::string with_c_word(std::string_view text, std::string_view word, std::string_view with);

/// A name in any alphabet as a C word that begins with a letter.
[[nodiscard]] INLAY_FUNCTION std::string as_c_word(std::string_view name);

/// That C word, numbered where it is taken; it is taken then.
[[nodiscard]] INLAY_FUNCTION std::string free_c_word(std::set<std::string>& taken, const std::string& wanted);

/// A name in any alphabet as a member of a structure; it is taken then. A small letter with at most two digits stays as it is. Every other
/// name is cut to 40 bytes, numbered if it is taken, and ends in `_`, as no macro or word of C does: `NULL_`, `a_b_2_`.
[[nodiscard]] INLAY_FUNCTION std::string free_c_member(std::set<std::string>& taken, std::string_view known);

[[nodiscard]] INLAY_FUNCTION std::string in_capitals(std::string_view name);

/// A function without a result, of parameters that end in their names; those that the body does not read are said to be unused.
[[nodiscard]] INLAY_FUNCTION std::string c_function_text(std::string_view name, std::span<const std::string> parameters,
                                                         std::string_view body);

/// A part whose function has another name.
[[nodiscard]] INLAY_FUNCTION c_part renamed(c_part p, std::string_view name);

/// A text inside a comment of C.
[[nodiscard]] INLAY_FUNCTION std::string c_comment(std::string_view text);

}  // namespace detail

/// The functions of one C file: each text once, however many parts have it.
class c_unit {
public:
    /// The name of a part's function in the file: that of an equal one that was added before, else `wanted`, numbered where it is taken.
    /// What it calls is added before it, as `wanted` with the callee's own name behind.
    INLAY_FUNCTION std::string add(const c_part& p, std::string_view wanted);

    /// The headers that parts include.
    [[nodiscard]] const std::vector<c_header>& headers() const { return headers_; }
    /// The files that are compiled beside it.
    [[nodiscard]] const std::vector<c_source>& sources() const { return sources_; }
    /// How many functions parts have.
    [[nodiscard]] std::size_t size() const { return names_.size(); }

    /// All functions with what stands before them: the headers that they need, no others, and what they call.
    [[nodiscard]] INLAY_FUNCTION std::string text() const;

private:
    std::map<std::string, std::string> names_;  // by text
    std::set<std::string> taken_, seen_;
    std::string before_, functions_;
    std::vector<c_header> headers_;
    std::vector<c_source> sources_;
};

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/codegen/c/c_unit.ipp>
#endif

#endif
