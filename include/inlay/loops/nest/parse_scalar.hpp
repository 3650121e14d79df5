// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_PARSE_SCALAR_HPP
#define INLAY_LOOPS_NEST_PARSE_SCALAR_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_builder.hpp>
#include <inlay/pattern/text/text_cursor.hpp>

namespace inlay::detail {

/// Reads what stands inside the statements of a nest's text: whole numbers, indices, bounds and what is computed of scalars.
class scalar_parser {
public:
    /// `what` the text is, for errors.
    explicit scalar_parser(std::string_view text, std::string what = "loop nest") : c_(text, std::move(what)), made_("") {}

protected:
    /// Deeper texts than anybody writes are refused before they fill the stack.
    static constexpr std::size_t deepest = 200, most_terms = 2000;

    struct named {
        std::string_view name;
        std::uint32_t id = 0;
    };

    [[nodiscard]] INLAY_FUNCTION outcome<std::int64_t> whole_number(std::string_view what);
    [[nodiscard]] INLAY_FUNCTION outcome<std::vector<std::int64_t>> whole_numbers(std::string_view what);

    [[nodiscard]] INLAY_FUNCTION static const named* find(const std::vector<named>& list, std::string_view name);
    [[nodiscard]] INLAY_FUNCTION error unknown(std::string_view what, std::string_view name, const std::vector<named>& list,
                                               std::size_t place) const;

    [[nodiscard]] INLAY_FUNCTION outcome<std::vector<affine>> indices();
    /// `2*i + j - 1`
    [[nodiscard]] INLAY_FUNCTION outcome<affine> index();
    [[nodiscard]] INLAY_FUNCTION outcome<std::vector<affine_bound>> bounds();

    /// `level`: 0 a sum, 1 a product.
    [[nodiscard]] INLAY_FUNCTION outcome<expression_id> expression(int level, std::size_t depth);

    text_cursor c_;
    nest_builder made_;
    std::vector<named> buffers_, variables_;

private:
    [[nodiscard]] INLAY_FUNCTION outcome<std::vector<expression_id>> operands(std::size_t depth);

    [[nodiscard]] INLAY_FUNCTION outcome<expression_id> primary(std::size_t depth);

    [[nodiscard]] INLAY_FUNCTION outcome<expression_id> constant();
};

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/nest/parse_scalar.ipp>
#endif

#endif
