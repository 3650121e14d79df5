// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_KERNEL_TABLE_HPP
#define INLAY_BACKEND_CPU_SIMD_KERNEL_TABLE_HPP

#include <cstddef>
#include <cstdint>

#include <inlay/backend/cpu_simd/instruction_set.hpp>
#include <inlay/core/linkage.hpp>

// What crosses from code that is compiled once into code that is compiled once for each instruction set: plain structs and pointers to
// functions. Offsets and strides count floats.

namespace inlay::simd {

/// What is done to each element of a result before it leaves: `x` is the element, `y` the element of another tensor.
struct step {
    enum class form : std::uint8_t {
        linear,      // alpha x + beta
        relu,        // x, below 0 alpha x
        clip,        // between alpha and beta
        reciprocal,  // alpha / x
        hard_swish,  // x times alpha x + beta, cut to 0 and 1
        elu,         // x, below 0 alpha (e^x - 1)
        sigmoid,
        swish,
        tanh,
        gelu,
        gelu_tanh,
        softplus,
        mish,
        abs,
        square,
        sqrt,
        exp,
        log,
        add,  // x + y, and so on
        multiply,
        maximum,
        minimum,
        subtract,
        divide,
        erf
    };
    /// Where y stands.
    enum class place : std::uint8_t {
        none,
        same,    // at the same offset from `other` as x from the result's beginning
        column,  // `other[column]`: one number for each channel
        number,  // `other[0]`
        block    // `other[i % lanes]`, i counted from the run's first element, which begins a vector
    };

    form what = form::linear;
    place where = place::none;
    float alpha = 0, beta = 0;
    const float* other = nullptr;
};

/// Elements of A that follow one another, times as many rows of packed B.
struct segment {
    /// Which rows of the tile take part: at an image's edge the first or the last row would read beside it.
    enum class part : std::uint32_t { all, but_first, but_last };

    std::ptrdiff_t a = 0;     // from the tile's beginning in A
    std::ptrdiff_t b = 0;     // from the panel's beginning in B, in rows of B
    std::uint32_t depth = 0;  // how many elements
    part rows = part::all;
};

/// What a kernel does to results before they leave it.
struct following_steps {
    const step* steps = nullptr;
    std::size_t step_count = 0;
    const float* c_begin = nullptr;  // of the whole result: `step::place::same` counts from here
    std::size_t column = 0;          // of the first result: `step::place::column` counts from here
};
/// The same behind a range.
struct range_and_steps : following_steps {
    float low = 0, high = 0;
};

/// How many columns of the last vectors exist.
struct stored_columns {
    std::size_t columns = 0;
    bool fills = false;  // whether the rest is stored as zeros, or not at all
};

/// Where the sums of a tile of a product go: `c[r][j] = steps(clip(add[r][j] + bias[j] + sum))`, r below the tile's rows, j below its
/// vectors' columns.
struct tile_results : stored_columns, range_and_steps {
    const float* bias = nullptr;  // vectors * lanes, aligned; null: none
    const float* add = nullptr;   // a tensor in the order of the result, from the tile's beginning; null: none
    float* c = nullptr;
    std::ptrdiff_t c_row = 0;
    std::ptrdiff_t c_vector[4] = {};  // of each vector of columns from c
};

/// A tile whose sums go over segments and k of `a[r][k] * b[k][j]`. Row r of A begins at `a + r * a_row`.
struct tile_job : tile_results {
    const float* a = nullptr;
    const float* b = nullptr;  // depth x (vectors * lanes), aligned to a vector
    const segment* segments = nullptr;
    std::size_t segment_count = 0;
    std::ptrdiff_t a_row = 0;
    /// What is wanted next, fetched into the second cache meanwhile: `ahead_floats` for each k; null: nothing.
    const float* ahead = nullptr;
    static constexpr std::size_t ahead_floats = 8;
};

/// The same over all k below `depth`, B rounded to bfloat16. Two numbers that follow one another in depth are one word, the first in its
/// lower half; where the depth is odd, the last upper half is zero. A is either as it stands or rounded to such words too.
struct bf16_tile_job : tile_results {
    const float* a = nullptr;              // for `kernel_table::bf16_weights`
    const std::uint32_t* pairs = nullptr;  // for `kernel_table::bf16_pairs`
    const std::uint32_t* b = nullptr;      // words of depth x (vectors * lanes), aligned to a vector
    std::size_t depth = 0;
    std::ptrdiff_t a_row = 0;  // in floats or in words
};

/// Numbers side by side, rounded to words of two bfloat16 each: the nearest, halves to even.
struct rounding_job {
    const float* x = nullptr;
    std::uint32_t* y = nullptr;
    std::size_t count = 0;
};

/// Words of A that follow one another, times as many rows of packed B.
struct word_run {
    std::ptrdiff_t a = 0;     // from the tile's beginning in A, in words
    std::uint32_t count = 0;  // how many words
};

/// A tile of a product of whole numbers. A word of A and one of B hold two numbers of 16 bits each, or four of 8 bits, those of A unsigned
/// then; their products are summed in 32 bits, which wrap, over the words of all runs. The sums become bytes: `y[r][j] =
/// cut(round((start[j] + sum) * scale[j]) + zero)`, in float32, halves to even.
struct byte_tile_job {
    const std::uint32_t* a = nullptr;
    std::ptrdiff_t a_row = 0;          // in words
    const std::uint32_t* b = nullptr;  // words of all runs x (vectors * lanes), aligned to a vector
    const word_run* runs = nullptr;
    std::size_t run_count = 0;
    const std::int32_t* start = nullptr;  // vectors * lanes
    const float* scale = nullptr;         // likewise; finite
    float zero = 0, low = 0, high = 0;    // whole numbers; `low` is below 0 where bytes are signed
    std::uint8_t* y = nullptr;
    std::ptrdiff_t y_row = 0;
    std::size_t columns = 0;  // of the last vectors that exist
};

/// Bytes side by side as numbers of 16 bits, less a zero point.
struct widening_job {
    const std::uint8_t* x = nullptr;
    std::int16_t* y = nullptr;
    std::size_t count = 0;
    bool is_signed = false;
    std::int16_t zero = 0;
};

/// Bytes with one scale and zero point.
struct byte_operand {
    const std::uint8_t* at = nullptr;
    bool is_signed = false;
    std::int32_t zero = 0;
    float scale = 1;
};
/// Two tensors of bytes as numbers, element by element: their sum, difference or product, cut to a range, as bytes again; in float32, as
/// the operators' definitions have it. Scales are such that no number is NaN.
struct byte_combination_job {
    enum class form : std::uint8_t { add, subtract, multiply };

    form function = form::add;
    byte_operand a, b;
    float low = 0, high = 0;
    float y_scale = 1, y_zero = 0;
    bool y_signed = false;
    std::uint8_t* y = nullptr;
    std::size_t count = 0;
};

/// Bytes that become others one by one: `y[i] = becomes[x[i]]`.
struct byte_table_job {
    const std::uint8_t* becomes = nullptr;  // 256
    const std::uint8_t* x = nullptr;
    std::uint8_t* y = nullptr;
    std::size_t count = 0;
};

/// The part of a window that stands in an image whose channels lie side by side, for places of the result side by side of which it is the
/// same.
struct byte_window {
    const std::uint8_t* x = nullptr;
    std::ptrdiff_t row = 0, column = 0;  // from one place of the window to the next, in bytes
    std::size_t rows = 0, columns = 0;
    std::ptrdiff_t x_place = 0;  // from the window of one place to the next, in bytes
    std::uint8_t* y = nullptr;   // places x channels
    std::size_t places = 0, channels = 0;
    bool is_signed = false;  // the bytes of x
};
/// The largest bytes, channel by channel; rows and columns are 1 at least.
struct byte_maximum_job : byte_window {};
/// The means of numbers that bytes stand for, channel by channel, as bytes again: numbers are float32, their sums float64, the mean
/// float32, as the operators' definitions have it. Rows and columns are 1 at least. Scales are such that no number is NaN.
struct byte_mean_job : byte_window {
    std::int32_t x_zero = 0;
    float x_scale = 1, y_scale = 1, y_zero = 0;
    bool y_signed = false;
    double counted = 1;  // by how much a sum is divided
};
/// Each channel's own sum of `(x - x_zero) * weight`, which becomes a byte as the sums of a tile do. Weights, starts and scales are there
/// for whole vectors of channels.
struct byte_depthwise_job : byte_window {
    std::int32_t x_zero = 0;
    const std::int32_t* weights = nullptr;             // numbers of 16 bits, the upper halves 0; at the first place that stands inside
    std::ptrdiff_t weight_row = 0, weight_column = 0;  // from one place of the window to the next
    const std::int32_t* start = nullptr;
    const float* scale = nullptr;
    float zero = 0, low = 0, high = 0;
};

/// A row of windows over each channel by itself, a vector of channels at a time.
struct row_of_windows : stored_columns {
    const float* x = nullptr;               // the row of the input where the window's first row stands, at its first place; may lie outside
    std::ptrdiff_t x_row = 0, x_place = 0;  // between rows of the window, between places
    float* y = nullptr;
    std::ptrdiff_t y_place = 0;
    std::size_t rows_begin = 0, rows_end = 0;  // of the window that lie inside
    std::size_t window_columns = 0;
    std::size_t stride = 1, dilation = 1;
    std::size_t places = 0;     // of the result
    std::ptrdiff_t before = 0;  // places by which the window of the first result begins before the row
    std::size_t width = 0;      // of the input row, in places
};

/// Each channel's own sum over its windows.
struct depthwise_job : row_of_windows, range_and_steps {
    const float* weights = nullptr;  // window rows x window columns x lanes
    const float* bias = nullptr;     // lanes
};

/// The largest or the mean of windows.
struct pool_job : row_of_windows {
    bool average = false;
    std::size_t counted = 0;  // by how many places a sum is divided; 0: by those inside
};

/// Winograd's transforms of squares of 4 x 4 or 2 x 2 results of a 3 x 3 window (Lavin and Gray, 2016), one vector of channels at a time.
struct winograd_in_job {
    const float* x = nullptr;  // the square's first place; may lie outside
    std::ptrdiff_t x_row = 0, x_place = 0;
    std::size_t row_begin = 0, row_end = 0, place_begin = 0, place_end = 0;  // of the 6 x 6 or 4 x 4 places, those inside
    float* v = nullptr;                                                      // of the first of 36 or 16 matrices, at the square's row
    std::ptrdiff_t v_matrix = 0;
};
struct winograd_out_job : stored_columns, range_and_steps {
    const float* m = nullptr;
    std::ptrdiff_t m_matrix = 0;
    const float* bias = nullptr;  // a vector of channels
    const float* add = nullptr;
    float* y = nullptr;
    std::ptrdiff_t y_row = 0, y_place = 0;
    std::size_t rows = 0, places = 0;  // of the results, those inside
};

/// A row of a resized image: each place the sum of `rows` times `terms` places of the image, weighted, `count` floats alike.
struct resize_job {
    const float* x[16] = {};  // rows of the image that take part
    float row_weight[16] = {};
    std::size_t rows = 0;
    const std::ptrdiff_t* at = nullptr;  // places x terms: from the beginning of a row
    const float* weight = nullptr;       // likewise
    std::size_t terms = 1;
    float* y = nullptr;
    std::ptrdiff_t y_place = 0;
    std::size_t places = 0, count = 0;
};

/// Elements side by side through a list of steps: from `x` to `y`, `count` of them. A `same` operand counts from `c_begin` with `y`, a
/// `column` operand from `column`; `x` and `y` may be equal.
struct chain_job : following_steps {
    const float* x = nullptr;
    float* y = nullptr;
    std::size_t count = 0;
};

/// A row through softmax, or through normalisation by its mean and deviation: `count` elements.
struct row_job {
    const float* x = nullptr;
    float* y = nullptr;
    std::size_t count = 0;
    const float* scale = nullptr;  // of layer normalisation, per element; null: none
    const float* shift = nullptr;
    float epsilon = 0;  // of layer normalisation
};

/// A block of a row of scores on its way through softmax, with no more known of the row than the blocks before (Milakov and Gimelshein,
/// Online normalizer calculation for softmax, 2018). x becomes e^(x + add - m), where m is the largest score up to here; what was summed
/// with a smaller m is multiplied by e^(that - m).
struct running_softmax_job {
    float* x = nullptr;
    const float* add = nullptr;  // likewise `count` elements; null: none
    std::size_t count = 0;
    float* largest = nullptr;  // of the blocks before; minus infinity before the first
    float* sum = nullptr;      // of what their scores became; 0 before the first
    float* result = nullptr;   // the row of sums of values, each times what its score became
    std::size_t columns = 0;   // of `result`; 0: nothing stands there yet
};

/// Tiles of products with B rounded to bfloat16.
struct bf16_tiles {
    std::size_t rows[4] = {};                         // the most rows of a tile of 1 to 4 vectors
    void (*tiles[4][16])(const bf16_tile_job&) = {};  // by vectors - 1 and rows - 1
};

/// Tiles of products of whole numbers.
struct byte_tiles {
    std::size_t rows[4] = {};                         // the most rows of a tile of 1 to 4 vectors; 0: there are none so wide
    void (*tiles[4][16])(const byte_tile_job&) = {};  // by vectors - 1 and rows - 1
};

/// Kernels of one instruction set.
struct kernel_table {
    instruction_set set = instruction_set::scalar;
    std::size_t lanes = 1;                  // floats of a vector
    std::size_t rows[4] = {};               // the most rows of a tile of 1 to 4 vectors
    void (*tiles[4][16])(const tile_job&);  // by vectors - 1 and rows - 1
    bf16_tiles bf16_weights;                // few rows, A as it stands
    bf16_tiles bf16_pairs;                  // by dot products of pairs, where `processor_has_bf16_pairs`; no rows where the set has none
    void (*round_pairs)(const rounding_job&) = nullptr;  // likewise
    byte_tiles byte_pairs;                               // words of two numbers of 16 bits
    byte_tiles byte_quads;  // of four of 8 bits, where `processor_has_byte_quads`; no rows where the set has none
    void (*widen)(const widening_job&);
    void (*combine_bytes)(const byte_combination_job&);
    void (*look_up_bytes)(const byte_table_job&);
    void (*maximum_of_bytes)(const byte_maximum_job&);
    void (*mean_of_bytes)(const byte_mean_job&);
    void (*depthwise_of_bytes)(const byte_depthwise_job&);
    void (*depthwise)(const depthwise_job&);
    void (*pool)(const pool_job&);
    void (*winograd_in[2])(const winograd_in_job&);  // of squares of 2 x 2 and of 4 x 4 results
    void (*winograd_out[2])(const winograd_out_job&);
    void (*resize)(const resize_job&);
    void (*chain)(const chain_job&);
    void (*softmax)(const row_job&);
    void (*running_softmax)(const running_softmax_job&);
    void (*normalise)(const row_job&);
    double (*peak)(std::size_t rounds);  // runs fused multiply-adds in registers alone; gives how many floating operations that were
};

/// The kernels of an instruction set; null where this build has none of it. That the processor has the instructions is the caller's to ask.
INLAY_LAZY_FUNCTION [[nodiscard]] const kernel_table* kernels_for(instruction_set set);

}  // namespace inlay::simd

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/backend/cpu_simd/kernel_table.ipp>
#endif

#endif
