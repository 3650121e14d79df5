// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_LINK_HPP
#define INLAY_RUNTIME_LINK_HPP

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/emit/emit_together.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/hosted_kernel.hpp>
#include <inlay/codegen/kernel/own_threads.hpp>
#include <inlay/codegen/kernel/referee_ref.hpp>
#include <inlay/core/guarded.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/runtime/emit_copy.hpp>
#include <inlay/runtime/emitted_kernels.hpp>
#include <inlay/runtime/program_builder.hpp>

namespace inlay {

namespace detail {

/// The kernels of back ends that make code for all their composites at once, by candidate number; without those that are known, and
/// without those of a module that was not made: these are asked for one by one, which shows where the fault is.
template <class List>
[[nodiscard]] std::map<std::size_t, kernel> modules_of(const List& backends, const candidate_set& set, const partitioned& cut,
                                                       const emitted_kernels& known) {
    std::map<std::size_t, kernel> made;
    std::map<backend_id, std::vector<std::size_t>> by_owner;
    for (const part& p : cut.parts)
        for (const std::size_t number : p.composites)
            if (!known.has(set.candidates[number])) by_owner[set.candidates[number].backend].push_back(number);
    for (const auto& [owner, numbers] : by_owner) {
        backends.visit(owner, [&, &candidates = numbers]<class B>(const B& b) {
            if constexpr (emits_together<B>) {
                std::vector<region_view> regions;
                std::vector<std::size_t> of;
                for (const std::size_t number : candidates) {
                    const candidate& c = set.candidates[number];
                    if (emitter_of<B>({c.composite, &c.match->plan, c.view()}) != nullptr) continue;
                    regions.push_back(c.view());
                    of.push_back(number);
                }
                if (of.empty()) return;
                auto kernels = guarded("it", "emitted code", [&] { return emit_regions(b, regions); });
                if (!kernels) return;
                for (std::size_t i = 0; i < of.size(); ++i) made.emplace(of[i], std::move((*kernels)[i]));
            }
        });
    }
    return made;
}

/// The memories other than the CPU's main one that a partition's tensors stand in. The error names a back end that gives tensors in one
/// that nobody who takes part has.
template <class List>
[[nodiscard]] outcome<void> add_memories(const List& backends, const candidate_set& set, const partitioned& cut, program_builder& builder) {
    std::vector<memory_scope> known{memory_scope()};
    for (const part& p : cut.parts)
        for (const std::size_t number : p.composites)
            for (const std::vector<format>* formats : {&set.candidates[number].formats.inputs, &set.candidates[number].formats.results})
                for (const format& f : *formats) {
                    if (std::find(known.begin(), known.end(), f.scope) != known.end()) continue;
                    known.push_back(f.scope);
                    auto source = source_of(backends, f.scope);
                    if (!source)
                        return error{"back end '" + std::string(backends.kind(p.owner)) + "' has tensors that stand as " + to_string(f) +
                                     ", in a memory that no back end that takes part has; name the one that has it"};
                    builder.add_memory(*std::move(source));
                }
    return {};
}

/// Has a candidate's kernel compared with the meaning of its region. The error says that it is wrong.
template <class List>
[[nodiscard]] outcome<kernel_verdict> judge(const List& backends, const candidate& c, const external_kernel& made, referee_ref referee) {
    const region_view region = c.view();
    return backends.visit(c.backend, [&]<class B>(const B& b) -> outcome<kernel_verdict> {
        const std::string version(b.version()), target = target_text(b);
        kernel_case one{&made.code, &region, made.constants, std::string_view(b.kind), version, target, c.name, product_rounding(b)};
        const hosted_border border(region);
        kernel hosted;
        if constexpr (owns_memory<B>)
            if (hosted_border::is_elsewhere(region)) {
                // Where that fails, the referee sees tensors that it cannot read.
                if (auto there = hosted_kernel::make(b, region, made.code)) {
                    hosted = *std::move(there);
                    one.code = &hosted;
                    one.region = &border.region();
                }
            }
        auto verdict = guarded("its kernel", "was checked", [&] { return referee.judge(one); });
        if (!verdict && !version.empty()) return error{"version " + version + ": " + verdict.failure().message};
        return verdict;
    });
}

}  // namespace detail

/// Emits every composite of a partition by its back end and puts kernels and conversions in order: the program, ready to run. Constants
/// that back ends leave outside of their code are the program's, each tensor once however many kernels read it. The graph names its inputs
/// (`g.inputs()`), nodes (`g.name(n)`) and results (`g.result_names()`), as `ir_module` does. `backends` is a `backend_list`; the error
/// says which back end could not emit which node, and why. Conversions between memories are copies of the back ends that have these. A back
/// end that `emits_together` is asked once, for all its composites. What a back end throws while it emits is an error like another.
/// `before`: kernels of the program that was linked before, which are not emitted again; afterwards it has those of this one, and the
/// candidates for which there are none: all are tried, though one is enough for an error. `referee` compares each kernel that was emitted
/// with the meaning of its region; one that is wrong counts as none.
template <attributed_graph G, class List>
[[nodiscard]] outcome<program> link(const G& g, const List& backends, const candidate_set& set, const partitioned& cut,
                                    emitted_kernels& before, referee_ref referee = {}) {
    program_builder builder;
    before.forget_failures();
    std::optional<error> fault;
    if (auto added = detail::add_memories(backends, set, cut, builder); !added) return added.failure();
    std::map<std::size_t, kernel> modules = detail::modules_of(backends, set, cut, before);
    kernel_store kept;
    std::map<const void*, buffer_id> constants;
    std::map<std::pair<node_id, format>, buffer_id> place;
    const std::vector<node_id> results = results_of(g);
    const auto extents_of = [&](node_id n) { return static_shape(static_cast<const node_type&>(g.type(n)).of_tensor); };
    const auto element_of = [&](node_id n) { return static_cast<const node_type&>(g.type(n)).of_tensor.element; };

    for (const node_id n : g.inputs()) {
        if (!static_cast<const node_type&>(g.type(n)).is_static())
            return error{"input " + quoted_text(g.name(n)) + " has the type " + to_string(g.type(n)) +
                         "; bind its extents, since programs are made for fixed shapes"};
        place[{n, plain_format(element_of(n))}] = builder.add_input(std::string(g.name(n)), element_of(n), extents_of(n));
    }

    // A conversion is made right before its first reader, so that what it reads and writes is still in the caches.
    std::map<std::pair<node_id, format>, const conversion*> waiting;
    std::map<const conversion*, emitted_copy> copies;
    for (const conversion& c : cut.conversions) {
        waiting[{c.tensor, c.to}] = &c;
        if (c.from.scope == c.to.scope) continue;
        auto made = emit_copy(backends, extents_of(c.tensor), c.from, c.to);
        if (!made) return error{"the tensor of " + shown_node(g, c.tensor) + " has to change its memory: " + made.failure().message};
        copies.emplace(&c, *std::move(made));
    }
    const auto buffer_of = [&](node_id n, const format& f, std::uint32_t part) {
        const auto known = place.find({n, f});
        if (known != place.end()) return known->second;
        const auto convert = waiting.find({n, f});
        const buffer_id to = builder.add_buffer(extents_of(n), f);
        place[{n, f}] = to;
        if (convert != waiting.end()) {
            step_facts facts;
            facts.part = part;
            facts.number = static_cast<std::uint32_t>(convert->second - cut.conversions.data());
            const auto from = place.find({n, convert->second->from});
            const auto copy = copies.find(convert->second);
            if (from != place.end() && copy != copies.end()) {
                facts.copied = copy->second.bytes;
                builder.add_copy(std::move(copy->second.code), from->second, to, std::move(facts));
            } else if (from != place.end()) {
                builder.add_conversion(from->second, to, std::move(facts));
            }
        }
        return to;
    };

    for (std::size_t p = 0; p < cut.parts.size(); ++p) {
        const part& here = cut.parts[p];
        for (const std::size_t number : here.composites) {
            const candidate& c = set.candidates[number];
            const auto emit = [&]() -> outcome<external_kernel> {
                const auto of_module = modules.find(number);
                if (of_module != modules.end()) return external_kernel{std::move(of_module->second), {}};
                return guarded("it", "emitted code", [&] {
                    return backends.visit(c.backend, [&](const auto& b) {
                        return emit_composite(b, {c.composite, &c.match->plan, c.view()}, kept);
                    });
                });
            };
            auto as_before = before.find(c);
            auto made = as_before ? outcome<external_kernel>(*std::move(as_before)) : emit();
            if (made && referee && !before.is_judged(c))
                if (auto right = detail::judge(backends, c, *made, referee); !right) made = right.failure();
            const std::string kind(backends.kind(c.backend));
            if (!made) {
                before.note_failure({number, made.failure().message});
                if (!fault)
                    fault = error{"back end '" + kind + "' could not emit composite '" + std::string(c.name) + "' at " +
                                  shown_node(g, c.root) + ": " + made.failure().message};
                continue;
            }
            if (!as_before || referee) before.keep(c, *made, static_cast<bool>(referee));
            step_facts facts;
            facts.label = kind + "." + std::string(c.name) + " " + std::string(g.name(c.root));
            facts.backend = kind;
            facts.part = static_cast<std::uint32_t>(p);
            facts.nodes = static_cast<std::uint32_t>(c.nodes.size());
            facts.number = static_cast<std::uint32_t>(number);
            facts.wakes_own_threads = backends.visit(c.backend, [&](const auto& b) { return wakes_own_threads(b, c.name); });
            std::vector<buffer_id> from, to;
            for (std::size_t i = 0; i < c.inputs.size(); ++i) from.push_back(buffer_of(c.inputs[i], c.formats.inputs[i], facts.part));
            for (std::size_t i = 0; i < c.results.size(); ++i) {
                to.push_back(builder.add_buffer(extents_of(c.results[i]), c.formats.results[i]));
                place[{c.results[i], c.formats.results[i]}] = to.back();
            }
            for (const tensor& t : made->constants) {
                const auto [at, fresh] = constants.try_emplace(t.data());
                if (fresh) at->second = builder.add_constant(t);
                from.push_back(at->second);
            }
            builder.add_kernel(std::move(made->code), from, to, std::move(facts));
        }
    }

    if (fault) return *fault;
    std::vector<buffer_id> leaving;
    for (const node_id n : results) {
        const tensor* known = g.constant(n);
        if (known != nullptr)
            leaving.push_back(builder.add_constant(*known));
        else
            leaving.push_back(buffer_of(n, plain_format(element_of(n)), static_cast<std::uint32_t>(cut.parts.size())));
    }
    const std::vector<std::string>& named = g.result_names();
    std::vector<std::string_view> names(named.begin(), named.end());
    builder.set_results(leaving, names.size() == leaving.size() ? names : std::vector<std::string_view>{});
    before.forget_unused();
    return builder.finish();
}

/// The same, by itself.
template <attributed_graph G, class List>
[[nodiscard]] outcome<program> link(const G& g, const List& backends, const candidate_set& set, const partitioned& cut) {
    emitted_kernels none;
    return link(g, backends, set, cut, none);
}

}  // namespace inlay

#endif
