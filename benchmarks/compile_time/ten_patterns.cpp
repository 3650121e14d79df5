// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// What the author of a back end compiles: one back end with ten patterns, its predicates, formats, price and code, asked for its candidates
// in a small graph. `run.py` measures how long that takes.
#include <cstdio>

#include <inlay/inlay.hpp>

using namespace inlay;

namespace {

constexpr float rectified(float x) { return x > 0 ? x : 0; }

/// The code of every pattern here: `steps` operations on one element after the other.
struct chain {
    std::vector<std::string_view> steps;
    std::size_t count;

    [[nodiscard]] bool run(const run_arguments& arguments) const {
        auto* out = static_cast<float*>(arguments.results[0]);
        const auto* first = static_cast<const float*>(arguments.inputs[0]);
        for (std::size_t i = 0; i < count; ++i) {
            float value = first[i];
            std::size_t next = 1;
            for (const std::string_view step : steps) {
                if (step == "relu")
                    value = rectified(value);
                else if (step == "neg")
                    value = -value;
                else if (step == "add")
                    value += static_cast<const float*>(arguments.inputs[next++])[i];
                else
                    value *= static_cast<const float*>(arguments.inputs[next++])[i];
            }
            out[i] = value;
        }
        return true;
    }
};

/// Takes chains of elementwise operations on float32.
struct elementwise {
    int threads = 1;

    static constexpr std::string_view kind = "elementwise", refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    using options = option_list<option<"threads", &elementwise::threads, "how many threads a kernel may use">>;
    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    [[nodiscard]] inlay::limits limits() const { return {.nodes = 4, .bytes = 1u << 20}; }

    static constexpr auto patterns() {
        using namespace dsl;
        constexpr auto fits = [](const elementwise&, const auto& match) {
            for (const region_value& v : match.region().values)
                if (v.type->of_tensor.element != element_type::float32) return verdict::no("it has a tensor that is not float32");
            return verdict::yes();
        };
        constexpr auto biased = [](const elementwise& self, const auto& match) {
            if (match.template at<"bias">().type->of_tensor.rank() != 1) return verdict::no("the bias has more than one axis");
            return self.threads > 0 ? verdict::yes() : verdict::no("it may use no threads");
        };
        return pattern_table(composite<"mul_add_relu">(op<"relu">(op<"add">(op<"mul">(any, any), as<"bias">)), biased),
                             composite<"mul_add_neg">(op<"neg">(commutative<"add">(op<"mul">, as<"bias">)), biased),
                             composite<"mul_add">(commutative<"add">(as<"scaled">(op<"mul">(any, constant)), any), fits),
                             composite<"add_relu">(op<"relu">(op<"add">(as<"a">, as<"b">)), fits),
                             composite<"square_relu">(op<"relu">(op<"mul">(as<"x">, as<"x">)), fits),
                             composite<"scale_or_shift">(op<"neg">(op<"mul">(any, constant) | op<"add">(any, constant)), fits),
                             composite<"add">(optional<"relu">(op<"add">), fits), composite<"mul">(op<"mul">(any, rest), fits),
                             composite<"relu">(op<"relu">, fits), composite<"neg">(op<"neg">));
    }

    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const region_view& r) const {
        double elements = 0;
        for (const region_value& v : r.calls()) elements += static_cast<double>(*element_count(static_shape(v.type->of_tensor)));
        return 1e-6 + elements * 1e-9 / threads;
    }
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        chain made{{}, static_cast<std::size_t>(*element_count(static_shape(r.type(r.results[0]))))};
        for (const region_value& v : r.calls()) made.steps.push_back(v.op);
        if (made.steps.empty()) return error{"the region has no call; give it one"};
        return kernel(std::move(made));
    }
};

/// A graph of four numbers a tensor.
struct block {
    std::vector<std::string_view> ops;
    std::vector<std::vector<node_id>> operands;
    node_type vector_type{tensor_type(element_type::float32, {4})};
    attribute_map none{};

    [[nodiscard]] std::size_t size() const { return ops.size(); }
    [[nodiscard]] std::string_view op(node_id n) const { return ops[n]; }
    [[nodiscard]] std::size_t arity(node_id n) const { return operands[n].size(); }
    [[nodiscard]] node_id operand(node_id n, std::size_t i) const { return operands[n][i]; }
    [[nodiscard]] const node_type& type(node_id) const { return vector_type; }
    [[nodiscard]] const attribute_map& attributes(node_id) const { return none; }
    [[nodiscard]] const tensor* constant(node_id) const { return nullptr; }
};
static_assert(attributed_graph<block>);
static_assert(backend<elementwise>);

}  // namespace

int main() {
    const block b{{"x", "w", "b", "mul", "add", "relu"}, {{}, {}, {}, {0, 1}, {3, 2}, {4}}};
    const candidate_set found = enumerate(b, backend_list<elementwise>{});
    for (const candidate& c : found.candidates)
        std::printf("%.*s takes %zu nodes\n", static_cast<int>(c.name.size()), c.name.data(), c.nodes.size());
    for (const refusal& r : found.refusals)
        std::printf("%.*s is refused: %s\n", static_cast<int>(r.composite.size()), r.composite.data(), r.reason.c_str());
}
