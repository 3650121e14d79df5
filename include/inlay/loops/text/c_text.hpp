// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_C_TEXT_HPP
#define INLAY_LOOPS_TEXT_C_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/text/c_functions.hpp>

namespace inlay {

/// A nest as a function in C99.
struct c_function {
    std::string text;                 // with its includes and what it calls
    std::string alone;                // without these
    std::vector<std::string> needs;   // what it calls: definitions and declarations, each of which stands before it once
    std::string declaration;          // without a semicolon
    std::size_t workspace_bytes = 0;  // that the caller gives as the last argument, aligned to 64; without any there is no such argument
};

/// How a printer writes calls of a function of the nest. In the text, `$0` is a pointer to the first element of the first window, `$0.1`
/// the stride of its axis 1, in elements, `$0#1` that axis's extent, and the numbers of the call stand behind the windows: `$3`, where
/// there are three.
struct printed_call {
    std::string name;    // of the function
    std::string text;    // `sgemm_4x4($0, $0.0, $1, $1.0, $2, $2.0)`
    std::string before;  // what has to stand before the nest's own function: an include, a declaration
    // In CUDA C++:
    int threads = 1;  // a warp's 32 or a warpgroup's 128, all of a block's along x, run it together, where no loop is bound to them
    std::size_t core_matrices = 0;   // of so many windows, the first: shared, and each row is 8 elements right behind the last row's
    std::string behind_writes = {};  // what each thread runs behind all it wrote, before the barrier that stands before it then
};

namespace detail {

/// What C and C++ write differently.
struct c_dialect {
    std::string_view includes = "#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n\n";
    std::string_view linkage = "";  // before a function that others call
    std::string_view alone = "restrict";
    std::string_view own = "static ";    // before a function that a nest's calls
    std::string_view index = "int64_t";  // the type of a loop's number
    std::string_view language = "C99";
    bool cuts_loops = true;  // into pieces in which bounds hold throughout, or nowhere
};

/// A function that no compiler may rewrite to masked loads. gcc 12.2 loads by the mask of other rounds where it does so for two elements
/// of a round whose number has 64 bits (`-O3 -mavx2`). Other functions of the file stay as the flags say.
[[nodiscard]] INLAY_FUNCTION std::string without_masked_loads(std::string_view function);

class c_printer : protected nest_writer {
public:
    INLAY_FUNCTION c_printer(const loop_nest& n, std::span<const printed_call> calls, c_dialect dialect = {});
    virtual ~c_printer() = default;

    [[nodiscard]] INLAY_FUNCTION outcome<c_function> operator()();

protected:
    struct printed_function {
        std::string takes, body;
        bool has_conditional_loads = false;
    };

    /// The function without what has to stand before it.
    [[nodiscard]] INLAY_FUNCTION outcome<c_function> function_alone(std::string_view further_parameters = {});
    [[nodiscard]] INLAY_FUNCTION std::string text_before() const;
    /// Goes on with what another printer has needed so far, for one text of several functions.
    INLAY_FUNCTION void go_on_from(c_printer& earlier);

    /// Rounds of an unrolled loop that are written out.
    static constexpr std::int64_t most_unrolled = 64;
    static constexpr std::size_t alignment = 64;

    /// The type that elements are kept and moved as; empty where there is none.
    [[nodiscard]] virtual std::string_view scalar_type(element_type e) const { return c_storage_of(e); }
    /// Whether functions of such elements are printed.
    [[nodiscard]] virtual bool computes_with(element_type e) const { return !c_type_of(e).empty(); }
    /// A function of operands of an element type, and a value as another type.
    [[nodiscard]] INLAY_FUNCTION virtual std::string applied(scalar_function f, element_type e, const std::string& a, const std::string& b);
    [[nodiscard]] INLAY_FUNCTION virtual std::string converted(element_type from, element_type to, const std::string& a);
    /// Whether a call of that name that is printed now may be written so.
    [[nodiscard]] virtual bool is_taken(const printed_call&, const nest_statement&) const { return true; }
    /// Has a printer of this one's kind write the meaning of a function that the nest calls.
    [[nodiscard]] INLAY_FUNCTION virtual outcome<printed_function> meaning_printed(const loop_nest& function);
    [[nodiscard]] INLAY_FUNCTION outcome<printed_function> meaning_by(c_printer& inside);

    [[nodiscard]] INLAY_FUNCTION outcome<void> has_types(const loop_nest& n) const;

    /// The buffers that it is given; `unused` gets a line for each that it does not use.
    [[nodiscard]] INLAY_FUNCTION std::string parameters_text(std::string& unused) const;
    [[nodiscard]] INLAY_FUNCTION std::string pointer(const nest_buffer& b, bool is_input) const;

    /// A whole number that the statements behind it may use.
    INLAY_FUNCTION void declare_index(std::size_t depth, const std::string& name, const std::string& value);
    void line(std::size_t depth, const std::string& what) { body_ += std::string(depth * 4, ' ') + what + "\n"; }

    [[nodiscard]] INLAY_FUNCTION virtual outcome<void> statement(statement_id id, std::size_t depth);
    [[nodiscard]] INLAY_FUNCTION outcome<void> braced(const std::string& head, const nest_statement& s, std::size_t depth);

    [[nodiscard]] INLAY_FUNCTION std::string loop_head(const std::string& v, std::int64_t first, std::int64_t end,
                                                       std::int64_t step = 1) const;
    /// A loop whose rounds may run at one time.
    [[nodiscard]] INLAY_FUNCTION outcome<void> concurrent_loop(const std::string& pragma, const nest_statement& s, std::size_t depth);
    [[nodiscard]] INLAY_FUNCTION virtual outcome<void> vector_loop(const nest_statement& s, std::size_t depth);

    [[nodiscard]] INLAY_FUNCTION virtual outcome<void> loop(const nest_statement& s, std::size_t depth);
    /// A loop as pieces, one after the other: in each of them the bounds that follow this loop alone hold for all rounds, or for none.
    [[nodiscard]] INLAY_FUNCTION outcome<void> loop_in_pieces(const std::string& pragma, const nest_statement& s, std::size_t depth);
    /// Where the pieces of a loop end, the last one's included. One end if there would be too many, or too much text in them.
    [[nodiscard]] INLAY_FUNCTION std::vector<std::int64_t> ends_of_pieces(const nest_statement& s) const;
    /// Those bounds that not all rounds fulfil that are printed now; nothing if no round fulfils one of them.
    [[nodiscard]] INLAY_FUNCTION std::optional<std::vector<affine_bound>> open_bounds(const std::vector<affine_bound>& all) const;
    [[nodiscard]] INLAY_FUNCTION bool has_load(expression_id id) const;

    [[nodiscard]] INLAY_FUNCTION outcome<void> call(const nest_statement& s, std::size_t depth);
    /// A text with what is given in the place of `$0`, `$0.1`, `$0#1` and so on.
    [[nodiscard]] INLAY_FUNCTION static outcome<std::string> filled(const std::string& text, const std::vector<std::string>& given,
                                                                    const std::vector<std::vector<std::int64_t>>& strides,
                                                                    const std::vector<std::vector<std::int64_t>>& extents);
    /// Text that stands before the function, once.
    INLAY_FUNCTION void need(const std::string& text);
    /// The C function that computes what a function means for windows of these strides.
    [[nodiscard]] INLAY_FUNCTION outcome<std::string> meaning_of(const loop_nest& f, const std::vector<std::vector<std::int64_t>>& strides);

    [[nodiscard]] INLAY_FUNCTION virtual outcome<void> allocate(const nest_statement& s, std::size_t depth);

    /// How many elements behind the buffer's first one.
    [[nodiscard]] INLAY_FUNCTION affine offset(buffer_id b, const std::vector<affine>& indices) const;
    [[nodiscard]] INLAY_FUNCTION virtual std::string place(buffer_id b, const std::vector<affine>& indices);
    [[nodiscard]] INLAY_FUNCTION std::string index(const affine& a) const;
    [[nodiscard]] INLAY_FUNCTION virtual std::string bounds(const std::vector<affine_bound>& all) const;
    /// Negative ones in brackets, so that they can stand behind any sign.
    [[nodiscard]] INLAY_FUNCTION static std::string whole_constant(std::int64_t i);

    [[nodiscard]] INLAY_FUNCTION static std::string constant(const nest_expression& e);
    /// A number of half precision as the bits that it is kept as.
    [[nodiscard]] INLAY_FUNCTION static std::string half_constant(const nest_expression& e);

    [[nodiscard]] INLAY_FUNCTION virtual std::string expression(expression_id id);

    struct printed_meaning {
        const loop_nest* of;
        std::vector<std::vector<std::int64_t>> strides;
        std::string name;
    };

    std::span<const printed_call> calls_;
    c_dialect dialect_;
    std::vector<char> is_used_;
    c_functions functions_;
    std::vector<printed_meaning> meanings_;
    std::vector<std::string> before_;  // functions that calls need, or their declarations
    c_function made_;
    std::string body_;
    std::size_t open_bytes_ = 0;
    bool is_parallel_ = false;
    bool has_conditional_loads_ = false;
    std::vector<std::optional<std::pair<std::int64_t, std::int64_t>>> rounds_;  // by variable, the first and the last one if they are known
    std::size_t pieces_ = 1;                                                    // of the loops around, multiplied
};

}  // namespace detail

/// A nest as C99: a function that takes a pointer for each input, for each output, and to its workspace where it has scratch buffers.
/// It computes what `run_nest` does, where the compiler does not fuse products and sums (`-ffp-contract=off`) nor reorders sums, up to what
/// the C library's functions differ from correctly rounded ones. Parallel and vector loops carry OpenMP's pragmas. Functions that the nest
/// calls are called as `calls` says; one that it does not know is printed as what it means. An external function that it does not know is
/// called by its name, with a pointer and the strides for each window, then the numbers. Half precision is kept as 16 bits and cast to
/// what is computed with. The error says what C99 does not have, or why the nest is not sound.
[[nodiscard]] INLAY_FUNCTION outcome<c_function> to_c(const loop_nest& n, std::span<const printed_call> calls = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/text/c_text.ipp>
#endif

#endif
