// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// A host compiler's block of operations, seen as a graph where it stands: values are numbered in the order of the block, types are given as
// inlay's, and the result says which operations a library call would replace. The plan is made on the compiler's own data.
//
// Prints:
//   library.scale_and_add covers 2 operations, root %4 = arith.addf
//   scalar.any covers 1 operations, root %5 = arith.maxf
//   3 s, proved
#include <cstdio>
#include <string>

#include <inlay/inlay.hpp>
#include <inlay/pipeline.hpp>

namespace host {
/// What a compiler has: operations that hold their operands, in a list.
struct operation {
    std::string_view name;
    std::vector<std::uint32_t> operands;  // places in the block
};
struct block {
    std::vector<operation> operations;
    std::int64_t length;  // of the vectors that it works on
};
/// The block as a graph: a view that copies no operation.
class block_graph {
public:
    explicit block_graph(const block& b) : block_(b), type_(inlay::tensor_type(inlay::element_type::float32, {b.length})) {}

    [[nodiscard]] std::size_t size() const { return block_.operations.size(); }
    [[nodiscard]] std::string_view op(inlay::node_id n) const { return block_.operations[n].name; }
    [[nodiscard]] std::size_t arity(inlay::node_id n) const { return block_.operations[n].operands.size(); }
    [[nodiscard]] inlay::node_id operand(inlay::node_id n, std::size_t i) const { return block_.operations[n].operands[i]; }
    [[nodiscard]] const inlay::node_type& type(inlay::node_id) const { return type_; }
    [[nodiscard]] const inlay::attribute_map& attributes(inlay::node_id) const { return no_attributes_; }
    [[nodiscard]] const inlay::tensor* constant(inlay::node_id) const { return nullptr; }

private:
    const block& block_;
    inlay::node_type type_;
    inlay::attribute_map no_attributes_;
};
template <bool Library>
struct lowering {
    static constexpr std::string_view kind = Library ? "library" : "scalar", refines = "llvm";
    static constexpr inlay::device_type device = inlay::device_type::cpu;
    using options = inlay::option_list<>;
    static std::string version() { return "1"; }
    [[nodiscard]] inlay::outcome<void> usable() const { return {}; }
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        if constexpr (Library)
            return inlay::pattern_table(inlay::composite<"scale_and_add">(commutative<"arith.addf">(op<"arith.mulf">, any)));
        else
            return inlay::pattern_table(inlay::composite<"any">(any_call));
    }
    [[nodiscard]] std::vector<inlay::border_formats> formats(const inlay::region_view& r) const { return {inlay::plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const inlay::region_view&) const { return Library ? 1.0 : 2.0; }
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const inlay::region_view&) const { return inlay::error{"the host makes the code"}; }
};

struct no_meter {
    auto price(std::span<const inlay::pricing_job> jobs) { return std::vector<inlay::measurement>(jobs.size()); }
};
}  // namespace host

int main() {
    const host::block b{{{"arg", {}}, {"arg", {}}, {"arg", {}}, {"arith.mulf", {0, 1}}, {"arith.addf", {2, 3}}, {"arith.maxf", {4, 0}}}, 8};
    const inlay::backend_list<host::lowering<true>, host::lowering<false>> backends;
    host::no_meter pricing;
    const auto p = inlay::make_plan(host::block_graph(b), backends, pricing, [](const auto&...) { return 0.0; });
    if (!p) return std::fprintf(stderr, "%s\n", p.failure().message.c_str()), 1;
    for (const std::size_t i : p->chosen.chosen) {
        const inlay::candidate& c = p->set.candidates[i];
        const std::string name = std::string(backends.kind(c.backend)) + "." + std::string(c.name);
        std::printf("%s covers %zu operations, root %%%u = %s\n", name.c_str(), c.nodes.size(), c.root, b.operations[c.root].name.data());
    }
    std::printf("%g s, %s\n", *p->chosen.seconds, p->chosen.status == inlay::selection_status::optimal ? "proved" : "not proved");
}
