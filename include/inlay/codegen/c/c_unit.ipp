// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_UNIT_IPP
#define INLAY_CODEGEN_C_C_UNIT_IPP

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/codegen/c/c_unit.hpp>

#include <inlay/codegen/c/c_part.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

namespace detail {

bool has_c_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_c_letter(text[at - 1])) && (end == text.size() || !is_c_letter(text[end]))) return true;
    }
    return false;
}

std::string with_c_word(std::string_view text, std::string_view word, std::string_view with) {
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

std::string as_c_word(std::string_view name) {
    std::string made;
    for (const char c : name) made += is_c_letter(c) ? c : '_';
    if (made.empty() || (made.front() >= '0' && made.front() <= '9') || made.front() == '_') made.insert(0, "n");
    return made;
}

std::string free_c_word(std::set<std::string>& taken, const std::string& wanted) {
    std::string name = wanted;
    for (std::size_t n = 2; !taken.insert(name).second; ++n) name = wanted + "_" + std::to_string(n);
    return name;
}

std::string free_c_member(std::set<std::string>& taken, std::string_view known) {
    constexpr std::size_t longest = 40;
    const bool is_letter = !known.empty() && known.size() <= 3 && known.front() >= 'a' && known.front() <= 'z' &&
                           std::all_of(known.begin() + 1, known.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_letter) return free_c_word(taken, std::string(known));
    const std::string word = as_c_word(known.substr(0, longest));
    std::string name = word + "_";
    for (std::size_t n = 2; !taken.insert(name).second; ++n) name = word + "_" + std::to_string(n) + "_";
    return name;
}

std::string in_capitals(std::string_view name) {
    std::string made;
    for (const char c : name) made += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return made;
}

std::string c_function_text(std::string_view name, std::span<const std::string> parameters, std::string_view body) {
    std::string takes, unused;
    for (const std::string& p : parameters) {
        takes += (takes.empty() ? "" : ", ") + p;
        const std::string own = p.substr(p.rfind(' ') + 1);
        if (!has_c_word(body, own)) unused += "    (void)" + own + ";\n";
    }
    std::string text("static void ");
    return text.append(name) + "(" + (takes.empty() ? "void" : takes) + ") {\n" + unused + std::string(body) + "}\n";
}

c_part renamed(c_part p, std::string_view name) {
    p.text = with_c_word(p.text, p.name, name);
    p.name = std::string(name);
    return p;
}

std::string c_comment(std::string_view text) {
    std::string made = escaped_text(text, 80);
    for (std::size_t at = 0; (at = made.find("*/", at)) != std::string::npos;) made.replace(at, 2, "* /");
    for (std::size_t at = 0; (at = made.find("/*", at)) != std::string::npos;) made.replace(at, 2, "/ *");
    return made;
}

}  // namespace detail

std::string c_unit::add(const c_part& p, std::string_view wanted) {
    std::string text = p.text;
    for (const c_part& callee : p.callees) text = detail::with_c_word(text, callee.name, add(callee, std::string(wanted) + callee.name));
    const auto [known, is_new] = names_.try_emplace(detail::with_c_word(text, p.name, "this_part"));
    if (!is_new) return known->second;
    std::string name = detail::free_c_word(taken_, detail::as_c_word(wanted));
    for (const std::string& one : p.needs)
        if (seen_.insert(one).second) before_ += one;
    for (const c_header& one : p.headers)
        if (std::find(headers_.begin(), headers_.end(), one) == headers_.end()) headers_.push_back(one);
    for (const c_source& one : p.sources)
        if (std::find(sources_.begin(), sources_.end(), one) == sources_.end()) sources_.push_back(one);
    functions_ += (functions_.empty() ? "" : "\n") + detail::with_c_word(text, p.name, name);
    return known->second = std::move(name);
}

std::string c_unit::text() const {
    constexpr std::string_view of_math[] = {"NAN",  "INFINITY", "exp",   "log",   "sqrt",  "floor",     "ceil",  "erf",   "pow",
                                            "sin",  "cos",      "tan",   "tanh",  "asin",  "acos",      "atan",  "sinh",  "cosh",
                                            "fabs", "fmod",     "asinh", "acosh", "atanh", "nearbyint", "ldexp", "log1p", "expm1",
                                            "exp2", "log2",     "fmin",  "fmax",  "round", "trunc",     "rint",  "cbrt",  "hypot"};
    const std::string all = before_ + (before_.empty() ? "" : "\n") + functions_;
    bool needs_math = false;
    for (const std::string_view word : of_math)
        needs_math = needs_math || detail::has_c_word(all, word) || detail::has_c_word(all, std::string(word) + "f");
    return std::string(needs_math ? "#include <math.h>\n" : "") + "#include <stdbool.h>\n#include <stdint.h>\n\n" + all;
}

}  // namespace inlay

#endif
