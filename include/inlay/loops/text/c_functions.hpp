// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_C_FUNCTIONS_HPP
#define INLAY_LOOPS_TEXT_C_FUNCTIONS_HPP

#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/scalar_function.hpp>
#include <inlay/loops/text/half_functions.hpp>
#include <inlay/loops/text/vector_functions.hpp>

namespace inlay::detail {

/// The C type of an element; empty for those that C99 has no arithmetic on.
[[nodiscard]] constexpr std::string_view c_type_of(element_type e) {
    switch (e) {
        case element_type::float32:
            return "float";
        case element_type::float64:
            return "double";
        case element_type::int8:
            return "int8_t";
        case element_type::int16:
            return "int16_t";
        case element_type::int32:
            return "int32_t";
        case element_type::int64:
            return "int64_t";
        case element_type::uint8:
            return "uint8_t";
        case element_type::uint16:
            return "uint16_t";
        case element_type::uint32:
            return "uint32_t";
        case element_type::uint64:
            return "uint64_t";
        case element_type::boolean:
            return "bool";
        default:
            return {};
    }
}

/// The C type that elements are kept and moved as: that of arithmetic, and 16 bits for half precision. Empty for texts and complex numbers.
[[nodiscard]] constexpr std::string_view c_storage_of(element_type e) { return is_half(e) ? "uint16_t" : c_type_of(e); }

/// A name of a nest as C has it: C's own words, and what includes may define or expressions call, get an underscore. So do words of C++ and
/// of CUDA, which get the same text.
[[nodiscard]] INLAY_FUNCTION std::string c_name(std::string_view name);

/// What expressions call in C beside its library, each once, in the order in which it is first needed.
class c_functions {
public:
    /// `for_vectors`: some functions of float32 are ours, of which compilers make vectors, where C's library has calls.
    /// `linkage`: what stands before each of their definitions.
    INLAY_FUNCTION explicit c_functions(bool for_vectors = false, std::string_view linkage = "static inline ");

    /// A function of operands of an element type, as an expression.
    [[nodiscard]] INLAY_FUNCTION std::string apply(scalar_function f, element_type e, const std::string& a, const std::string& b);

    /// A value of one element type as another; of half precision by its bits, rounded to even where it is narrowed.
    [[nodiscard]] INLAY_FUNCTION std::string cast(element_type from, element_type to, const std::string& a);

    /// Their definitions, a function each.
    [[nodiscard]] const std::vector<std::string>& definitions() const { return definitions_; }

private:
    /// Whole numbers wrap, as unsigned ones do in C.
    [[nodiscard]] INLAY_FUNCTION static std::string sum(element_type e, const std::string& a, const std::string& sign,
                                                        const std::string& b);

    /// C computes bits of narrow numbers as those of int.
    [[nodiscard]] INLAY_FUNCTION static std::string bits(element_type e, const std::string& computed);

    [[nodiscard]] INLAY_FUNCTION std::string called(const std::string& what, element_type e, const std::string& operands);

    [[nodiscard]] INLAY_FUNCTION std::string converted(const half_function& f, const std::string& a);

    [[nodiscard]] INLAY_FUNCTION std::string with_needed(const vector_function& own);

    INLAY_FUNCTION void define(const std::string& name, const std::string& definition);

    bool for_vectors_ = false;
    std::string_view linkage_;
    std::vector<std::string> defined_, definitions_;
};

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/text/c_functions.ipp>
#endif

#endif
