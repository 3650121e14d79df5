// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_PARSE_NEST_HPP
#define INLAY_LOOPS_NEST_PARSE_NEST_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/parse_scalar.hpp>

namespace inlay {

namespace detail {

class nest_parser : protected scalar_parser {
public:
    using scalar_parser::scalar_parser;

    [[nodiscard]] INLAY_FUNCTION outcome<loop_nest> operator()();

protected:
    /// A nest, behind which more may stand.
    [[nodiscard]] INLAY_FUNCTION outcome<loop_nest> nest();
    /// How a loop runs; `before` says what else could stand there.
    [[nodiscard]] INLAY_FUNCTION outcome<loop_kind> kind_of_loop(const std::string& before);

private:
    /// Takes a word that begins a function or a call, and is no buffer of that name.
    [[nodiscard]] bool is_head(std::string_view word) { return !c_.looking_at(std::string(word) + "[") && c_.take_word(word); }

    /// The name of a nest or function, a brace, and its inputs and outputs.
    [[nodiscard]] INLAY_FUNCTION outcome<void> name_and_buffers(const std::string& what);

    /// A function of the nest that is being read.
    [[nodiscard]] INLAY_FUNCTION outcome<void> function(bool is_external);

    /// `mma(a[4*i, 0], c[0, 0], 3*i)`
    [[nodiscard]] INLAY_FUNCTION outcome<statement_id> call();

    /// `along [2, 0 by 3]`, or nothing
    [[nodiscard]] INLAY_FUNCTION outcome<std::vector<window_axis>> along();

    [[nodiscard]] INLAY_FUNCTION outcome<buffer_id> declaration(buffer_scope scope);

    [[nodiscard]] INLAY_FUNCTION bool is_taken(std::string_view name) const;
    /// Statements up to the brace that closes them.
    [[nodiscard]] INLAY_FUNCTION outcome<statement_id> block(std::size_t depth);
    [[nodiscard]] INLAY_FUNCTION outcome<statement_id> braced(std::size_t depth);

    [[nodiscard]] INLAY_FUNCTION outcome<statement_id> statement(std::size_t depth);

    [[nodiscard]] INLAY_FUNCTION outcome<statement_id> loop(std::size_t depth);

    [[nodiscard]] INLAY_FUNCTION outcome<statement_id> assignment();
};

}  // namespace detail

/// A nest from its text, as `to_text` writes it; blanks, ends of lines and comments behind `//` mean nothing. What it gives is sound. The
/// error names the place in the text, or what `check_nest` found.
[[nodiscard]] INLAY_FUNCTION outcome<loop_nest> parse_nest(std::string_view text);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/nest/parse_nest.ipp>
#endif

#endif
