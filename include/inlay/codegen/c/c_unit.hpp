// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_UNIT_HPP
#define INLAY_CODEGEN_C_C_UNIT_HPP

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/c/c_part.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] constexpr bool is_c_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether a C text has a word.
[[nodiscard]] inline bool has_c_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_c_letter(text[at - 1])) && (end == text.size() || !is_c_letter(text[end]))) return true;
    }
    return false;
}

/// A C text with another word in a word's place.
[[nodiscard]] inline std::string with_c_word(std::string_view text, std::string_view word, std::string_view with) {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_c_letter(text[end])) ++end;
        const std::string_view one = text.substr(at, end - at);
        made += one == word ? with : one;
        if (end < text.size()) made += text[end++];
        at = end;
    }
    return made;
}

/// A name in any alphabet as a C word that begins with a letter.
[[nodiscard]] inline std::string as_c_word(std::string_view name) {
    std::string made;
    for (const char c : name) made += is_c_letter(c) ? c : '_';
    if (made.empty() || (made.front() >= '0' && made.front() <= '9') || made.front() == '_') made.insert(0, "n");
    return made;
}

/// That C word, numbered where it is taken; it is taken then.
[[nodiscard]] inline std::string free_c_word(std::set<std::string>& taken, const std::string& wanted) {
    std::string name = wanted;
    for (std::size_t n = 2; !taken.insert(name).second; ++n) name = wanted + "_" + std::to_string(n);
    return name;
}

[[nodiscard]] inline std::string in_capitals(std::string_view name) {
    std::string made;
    for (const char c : name) made += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return made;
}

/// A text inside a comment of C.
[[nodiscard]] inline std::string c_comment(std::string_view text) {
    std::string made = escaped_text(text, 80);
    for (std::size_t at = 0; (at = made.find("*/", at)) != std::string::npos;) made.replace(at, 2, "* /");
    for (std::size_t at = 0; (at = made.find("/*", at)) != std::string::npos;) made.replace(at, 2, "/ *");
    return made;
}

}  // namespace detail

/// The functions of one C file: each text once, however many parts have it.
class c_unit {
public:
    /// The name of a part's function in the file: that of an equal one that was added before, else `wanted`, numbered where it is taken.
    std::string add(const c_part& p, std::string_view wanted) {
        const auto [known, is_new] = names_.try_emplace(detail::with_c_word(p.text, p.name, "this_part"));
        if (!is_new) return known->second;
        std::string name = detail::free_c_word(taken_, detail::as_c_word(wanted));
        for (const std::string& one : p.needs)
            if (seen_.insert(one).second) before_ += one;
        for (const c_header& one : p.headers)
            if (std::find(headers_.begin(), headers_.end(), one) == headers_.end()) headers_.push_back(one);
        for (const c_source& one : p.sources)
            if (std::find(sources_.begin(), sources_.end(), one) == sources_.end()) sources_.push_back(one);
        functions_ += (functions_.empty() ? "" : "\n") + detail::with_c_word(p.text, p.name, name);
        return known->second = std::move(name);
    }

    /// The headers that parts include.
    [[nodiscard]] const std::vector<c_header>& headers() const { return headers_; }
    /// The files that are compiled beside it.
    [[nodiscard]] const std::vector<c_source>& sources() const { return sources_; }
    /// How many functions parts have.
    [[nodiscard]] std::size_t size() const { return names_.size(); }

    /// All functions with what stands before them: the headers that they need, no others, and what they call.
    [[nodiscard]] std::string text() const {
        constexpr std::string_view of_math[] = {"NAN",  "INFINITY", "exp",   "log",   "sqrt",  "floor",     "ceil", "erf",  "pow",
                                                "sin",  "cos",      "tan",   "tanh",  "asin",  "acos",      "atan", "sinh", "cosh",
                                                "fabs", "fmod",     "asinh", "acosh", "atanh", "nearbyint", "ldexp"};
        const std::string all = before_ + (before_.empty() ? "" : "\n") + functions_;
        bool needs_math = false;
        for (const std::string_view word : of_math)
            needs_math = needs_math || detail::has_c_word(all, word) || detail::has_c_word(all, std::string(word) + "f");
        return std::string(needs_math ? "#include <math.h>\n" : "") + "#include <stdbool.h>\n#include <stdint.h>\n\n" + all;
    }

private:
    std::map<std::string, std::string> names_;  // by text
    std::set<std::string> taken_, seen_;
    std::string before_, functions_;
    std::vector<c_header> headers_;
    std::vector<c_source> sources_;
};

}  // namespace inlay

#endif
