// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/patterns.hpp>

#include <set>
#include <string>
#include <type_traits>

#include <inlay/candidate/composite_entry.hpp>
#include <inlay/pattern/match/match.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

#include "region_of.hpp"

using namespace reference_test;

namespace {

struct no_backend {
    [[nodiscard]] static std::size_t most_threads() { return 1; }
};

/// Knows Relu and nothing else.
struct relu_alone {
    static outcome<std::vector<tensor>> evaluate(const call_view&, std::span<const tensor> operands) {
        return std::vector<tensor>{operands[0]};
    }
    static constexpr op_definition definition{"onnx.Relu", op_kind::elementwise, nullptr, evaluate, nullptr};
    static const op_definition* find(std::string_view name) { return name == definition.name ? &definition : nullptr; }
};
using all_composites = decltype(on_eigen::composites<relu_alone>());

/// What the predicates here read of a match.
struct seen {
    region_view all;
    [[nodiscard]] const region_view& region() const { return all; }
};

/// Whether a predicate takes the region of these nodes.
template <class Predicate>
bool takes(const ir_module& m, const user_lists& users, const std::vector<node_id>& nodes) {
    const class region r(m, users, m.results(), nodes);
    return inlay::detail::entry_of<no_backend, Predicate, seen>::read(no_backend{}, seen{r.view()}).has_value();
}

/// The composites that take a match rooted at a node, with the number of nodes that each covers.
std::multiset<std::pair<std::string, std::size_t>> taken(const ir_module& m, node_id root) {
    const user_lists users(m);
    std::multiset<std::pair<std::string, std::size_t>> found;
    all_composites::for_each([&](auto c, std::size_t) {
        using type = decltype(c);
        for_each_match(typename type::pattern_type{}, m, users, root, [&](auto&& hit) {
            if (takes<typename type::predicate_type>(m, users, hit.nodes)) found.emplace(std::string(type::name), hit.nodes.size());
            return false;
        });
    });
    return found;
}

}  // namespace

TEST_CASE("a call alone is taken by its own composite, and by its meaning only where there is no kernel") {
    small_program p;
    const node_id in = p.input(float_type({2, 3}));
    const node_id end = p.call("onnx.Relu", {in}, float_type({2, 3}));
    CHECK(taken(p.finish({end}), end) == std::multiset<std::pair<std::string, std::size_t>>{{"relu", 1}});
    small_program q;
    const node_id wide = q.input(type_of<double>({2, 3}));
    const node_id last = q.call("onnx.Relu", {wide}, type_of<double>({2, 3}));
    CHECK(taken(q.finish({last}), last) == std::multiset<std::pair<std::string, std::size_t>>{{"interpreted", 1}});
    small_program r;
    const node_id start = r.input(float_type({2}));
    const node_id unknown = r.call("mine.Unheard", {start}, float_type({2}));
    CHECK(taken(r.finish({unknown}), unknown).empty());
}

TEST_CASE("a residual block offers every composite that ends at its Relu, and no more where a middle is read outside") {
    const tensor w = seeded(1).floats({4, 4, 1, 1}), v = seeded(2).floats({4}, 0.5f, 1);
    const tensor_type type = float_type({1, 4, 5, 5});
    for (const bool read : {false, true}) {
        small_program p;
        const node_id in = p.input(type);
        const node_id conv = p.call("onnx.Conv", {in, p.constant(w)}, type);
        const node_id c = p.constant(v);
        const node_id norm = p.call("onnx.BatchNormalization", {conv, c, c, c, c}, type);
        const node_id sum = p.call("onnx.Sum", {norm, in}, type);
        const node_id end = p.call("onnx.Relu", {sum}, type);
        const auto found = read ? taken(p.finish({end, norm}), end) : taken(p.finish({end}), end);
        CHECK(found.count({"relu", 1}) == 1);
        CHECK(found.count({"conv_add_relu", 4}) == (read ? 0 : 1));
        CHECK(found.size() == (read ? 1 : 2));
    }
}

TEST_CASE("functions that are written out are found at their last call") {
    const tensor_type type = float_type({2, 8}), narrow = float_type({2, 1});
    small_program p;
    const node_id in = p.input(type);
    const node_id inner = p.call("onnx.Div", {in, p.constant(1.41421356f)}, type);
    const node_id one = p.call("onnx.Add", {p.call("onnx.Erf", {inner}, type), p.constant(1.0f)}, type);
    const node_id gelu = p.call("onnx.Mul", {p.call("onnx.Mul", {in, one}, type), p.constant(0.5f)}, type);
    const auto mean = [&](node_id v) {
        return p.call("onnx.ReduceMean", {v, p.constant(tensor::of<std::int64_t>({1}, shape64{-1}))}, narrow);
    };
    const node_id d = p.call("onnx.Sub", {gelu, mean(gelu)}, type);
    const node_id root = p.call(
        "onnx.Sqrt", {p.call("onnx.Add", {mean(p.call("onnx.Pow", {d, p.constant(2.0f)}, type)), p.constant(1e-5f)}, narrow)}, narrow);
    const node_id scale = p.constant(seeded(3).floats({8}));
    const node_id norm = p.call("onnx.Add", {p.call("onnx.Mul", {p.call("onnx.Div", {d, root}, type), scale}, type), scale}, type);
    const ir_module m = p.finish({norm});
    CHECK(taken(m, gelu).count({"written_gelu", 5}) == 1);
    CHECK(taken(m, norm).count({"written_layer_norm", 9}) == 1);
}

TEST_CASE("every composite has a name of its own, and prints its pattern") {
    std::set<std::string> names;
    all_composites::for_each([&](auto c, std::size_t) {
        CHECK(names.insert(std::string(decltype(c)::name)).second);
        CHECK(!inlay::to_text(inlay::view_of(typename decltype(c)::pattern_type{})).empty());
    });
    CHECK(names.size() == all_composites::size);
    CHECK(names.count("interpreted") == 1);
}

TEST_CASE("each operator with a kernel has one composite of its own, called by the operator's words") {
    std::set<std::string> names;
    std::size_t own = 0;
    all_composites::for_each([&](auto c, std::size_t) {
        using type = decltype(c);
        CHECK(names.insert(std::string(type::name)).second);
        own += std::is_same_v<typename type::predicate_type, on_eigen::takes_own> ? 1 : 0;
    });
    CHECK(own == std::size(on_eigen::unary_operators) + std::size(on_eigen::binary_operators) + std::size(on_eigen::movement_operators) +
                     std::size(on_eigen::convolution_operators) + std::size(on_eigen::linear_operators) +
                     std::size(on_eigen::pooling_operators) + std::size(on_eigen::normalization_operators) +
                     std::size(on_eigen::softmax_operators) + std::size(on_eigen::reduction_operators) +
                     std::size(on_eigen::resize_operators) + std::size(on_eigen::transposed_convolution_operators) +
                     std::size(on_eigen::cast_operators));
    for (const char* name : {"prelu", "lrn", "matmul", "leaky_relu", "reduce_l1", "depth_to_space", "less_or_equal"})
        CHECK(names.count(name) == 1);
}
