// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_C_FUNCTIONS_IPP
#define INLAY_LOOPS_TEXT_C_FUNCTIONS_IPP

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <inlay/loops/text/c_functions.hpp>

#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/scalar_function.hpp>
#include <inlay/loops/text/half_functions.hpp>
#include <inlay/loops/text/vector_functions.hpp>

namespace inlay::detail {

std::string c_name(std::string_view name) {
    static constexpr std::array<std::string_view, 38> reserved{
        "auto",   "bool", "break",    "case",     "char",     "const", "continue", "default", "do",     "double",
        "else",   "enum", "extern",   "false",    "float",    "for",   "goto",     "if",      "inline", "int",
        "long",   "main", "register", "restrict", "return",   "short", "signed",   "sizeof",  "static", "struct",
        "switch", "true", "typedef",  "union",    "unsigned", "void",  "volatile", "while"};
    static constexpr std::array<std::string_view, 26> functions{
        "NAN",  "INFINITY", "exp",  "log",  "sqrt", "floor", "ceil",  "erf",   "pow",  "sin",  "cos",       "tan",   "tanh",
        "asin", "acos",     "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "fabs", "fmod", "nearbyint", "ldexp", "memcpy"};
    static constexpr std::array<std::string_view, 56> further{
        "alignas",   "alignof",   "and",         "and_eq",           "asm",       "bitand",    "bitor",     "catch",
        "class",     "compl",     "concept",     "constexpr",        "consteval", "constinit", "decltype",  "delete",
        "dim3",      "explicit",  "export",      "friend",           "half",      "mutable",   "namespace", "new",
        "noexcept",  "not",       "not_eq",      "nullptr",          "operator",  "or",        "or_eq",     "private",
        "protected", "public",    "static_cast", "template",         "this",      "throw",     "try",       "typeid",
        "typename",  "using",     "virtual",     "wchar_t",          "xor",       "xor_eq",    "blockDim",  "blockIdx",
        "gridDim",   "threadIdx", "warpSize",    "reinterpret_cast", "co_await",  "co_return", "co_yield",  "requires"};
    const bool is_ours = name.substr(0, 6) == "inlay_" || (!name.empty() && name.front() == '_');
    const auto stands_in = [](const auto& all, std::string_view one) { return std::find(all.begin(), all.end(), one) != all.end(); };
    const bool is_reserved = stands_in(reserved, name) || stands_in(functions, name) || stands_in(further, name) ||
                             (name.size() > 1 && name.back() == 'f' && stands_in(functions, name.substr(0, name.size() - 1)));
    return std::string(is_ours ? "n" : "") + std::string(name) + (is_reserved ? "_" : "");
}

c_functions::c_functions(bool for_vectors, std::string_view linkage) : for_vectors_(for_vectors), linkage_(linkage) {}

std::string c_functions::apply(scalar_function f, element_type e, const std::string& a, const std::string& b) {
    const bool is_real = is_floating(e);
    const std::string suffix = e == element_type::float32 ? "f" : "";
    if (for_vectors_ && e == element_type::float32)
        for (const vector_function& own : vector_functions)
            if (own.function == f) return with_needed(own) + "(" + a + ")";
    switch (f) {
        case scalar_function::add:
            return sum(e, a, "+", b);
        case scalar_function::subtract:
            return sum(e, a, "-", b);
        case scalar_function::multiply:
            return sum(e, a, "*", b);
        case scalar_function::divide:
            return is_real ? "(" + a + " / " + b + ")" : called("divide", e, a + ", " + b);
        case scalar_function::maximum:
            return called("max", e, a + ", " + b);
        case scalar_function::minimum:
            return called("min", e, a + ", " + b);
        case scalar_function::equal:
            return "(" + a + " == " + b + ")";
        case scalar_function::less:
            return "(" + a + " < " + b + ")";
        case scalar_function::less_equal:
            return "(" + a + " <= " + b + ")";
        case scalar_function::logical_and:
            return "(" + a + " && " + b + ")";
        case scalar_function::logical_or:
            return "(" + a + " || " + b + ")";
        case scalar_function::logical_not:
            return "(!" + a + ")";
        case scalar_function::negate:
            return is_real ? "(-" + a + ")" : sum(e, "0", "-", a);
        case scalar_function::absolute:
            return is_real ? "fabs" + suffix + "(" + a + ")" : called("abs", e, a);
        case scalar_function::round:
            return "nearbyint" + suffix + "(" + a + ")";
        case scalar_function::remainder:
            return is_real ? "fmod" + suffix + "(" + a + ", " + b + ")" : called("remainder", e, a + ", " + b);
        case scalar_function::bit_and:
            return bits(e, a + " & " + b);
        case scalar_function::bit_or:
            return bits(e, a + " | " + b);
        case scalar_function::bit_xor:
            return bits(e, a + " ^ " + b);
        case scalar_function::bit_not:
            return bits(e, "~" + a);
        case scalar_function::shift_left:
        case scalar_function::shift_right:
            return called(std::string(name_of(f)), e, a + ", " + b);
        default:
            return std::string(name_of(f)) + suffix + "(" + a + (b.empty() ? "" : ", " + b) + ")";
    }
}

std::string c_functions::cast(element_type from, element_type to, const std::string& a) {
    if (from == to) return a;
    if (is_half(from)) return cast(element_type::float32, to, converted(half_widening(from), a));
    // Whole numbers beyond float32 are rounded once, too.
    if (is_half(to))
        return is_floating(from) ? converted(half_narrowing(from, to), a)
                                 : cast(element_type::float64, to, cast(from, element_type::float64, a));
    if (to == element_type::boolean) return "(" + a + " != 0)";
    if (!is_floating(from) || is_floating(to)) return "((" + std::string(c_type_of(to)) + ")" + a + ")";
    const std::string name = "inlay_" + std::string(name_of(to)) + "_of_" + std::string(name_of(from));
    const std::string bits = std::to_string(size_of(to) * 8);
    const bool is_unsigned = is_unsigned_integer(to);
    const std::string limit = std::string(is_unsigned ? "UINT" : "INT") + bits;
    const std::string high = "ldexp(1.0, " + std::to_string(size_of(to) * 8 - (is_unsigned ? 0 : 1)) + ")";
    define(name, std::string(linkage_) + std::string(c_type_of(to)) + " " + name + "(" + std::string(c_type_of(from)) + " a) {\n" +
                     "    if (!((double)a > " + (is_unsigned ? std::string("0.0") : "-" + high) +
                     ")) return a != a ? 0 : " + (is_unsigned ? "0" : limit + "_MIN") + ";\n    if ((double)a >= " + high + ") return " +
                     limit + "_MAX;\n    return (" + std::string(c_type_of(to)) + ")a;\n}\n");
    return name + "(" + a + ")";
}

std::string c_functions::sum(element_type e, const std::string& a, const std::string& sign, const std::string& b) {
    if (is_floating(e)) return "(" + a + " " + sign + " " + b + ")";
    const std::string wide = size_of(e) == 8 ? "uint64_t" : "uint32_t", type(c_type_of(e));
    return "((" + type + ")((" + wide + ")" + a + " " + sign + " (" + wide + ")" + b + "))";
}

std::string c_functions::bits(element_type e, const std::string& computed) {
    return "((" + std::string(c_type_of(e)) + ")(" + computed + "))";
}

std::string c_functions::called(const std::string& what, element_type e, const std::string& operands) {
    const std::string type(c_type_of(e)), name = "inlay_" + what + "_" + std::string(name_of(e));
    const std::string wide = size_of(e) == 8 ? "uint64_t" : "uint32_t";
    const bool is_unsigned = is_unsigned_integer(e);
    std::string body;
    if (what == "divide")
        body = is_unsigned ? "b == 0 ? 0 : (" + type + ")(a / b)"
                           : "b == 0 ? 0 : b == -1 ? (" + type + ")(0 - (" + wide + ")a) : (" + type + ")(a / b)";
    else if (what == "remainder")
        body = std::string("b == 0") + (is_unsigned ? "" : " || b == -1") + " ? 0 : (" + type + ")(a % b)";
    else if (what == "shift_left" || what == "shift_right")
        body = "b < " + std::to_string(8 * size_of(e)) + " ? (" + type + ")((" + wide + ")a " + (what == "shift_left" ? "<<" : ">>") +
               " b) : 0";
    else if (what == "abs")
        body = is_unsigned ? "a" : "a < 0 ? (" + type + ")(0 - (" + wide + ")a) : a";
    else
        body = std::string("a ") + (what == "max" ? ">" : "<") + " b" + (is_floating(e) ? " || a != a" : "") + " ? a : b";
    define(name, std::string(linkage_) + type + " " + name + "(" + type + " a" + (what == "abs" ? "" : ", " + type + " b") +
                     ") {\n    return " + body + ";\n}\n");
    return name + "(" + operands + ")";
}

std::string c_functions::converted(const half_function& f, const std::string& a) {
    define(f.name, std::string(linkage_) + f.text);
    return f.name + "(" + a + ")";
}

std::string c_functions::with_needed(const vector_function& own) {
    for (const vector_function& other : vector_functions)
        if (other.name == own.needs) define(std::string(other.name), std::string(other.text));
    define(std::string(own.name), std::string(own.text));
    return std::string(own.name);
}

void c_functions::define(const std::string& name, const std::string& definition) {
    if (std::find(defined_.begin(), defined_.end(), name) != defined_.end()) return;
    defined_.push_back(name);
    definitions_.push_back(definition + "\n");
}

}  // namespace inlay::detail

#endif
