// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_EMIT_C_PROGRAM_HPP
#define INLAY_CODEGEN_C_EMIT_C_PROGRAM_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/codegen/c/c_array.hpp>
#include <inlay/codegen/c/c_conversion.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/c/c_program.hpp>
#include <inlay/codegen/c/c_unit.hpp>
#include <inlay/codegen/c/part_of_region.hpp>
#include <inlay/codegen/emit/emit_failure.hpp>
#include <inlay/core/guarded.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

namespace detail {

/// What a function of a region is called: the names of its first operators.
[[nodiscard]] INLAY_FUNCTION std::string c_name_of_region(const region_view& r);

/// A function that copies bytes.
[[nodiscard]] INLAY_FUNCTION c_part c_copy();

/// Puts a program together: its tensors, when each is alive, and the calls that make them. It becomes a program of its own, or a function
/// that another one calls.
class c_program_maker {
public:
    using tensor_number = std::size_t;

    /// Of a program.
    c_program_maker(std::string name, c_weights weights) { made_.name = std::move(name), made_.weights = weights; }
    /// Of a function.
    c_program_maker() : is_function_(true) {}

    [[nodiscard]] INLAY_FUNCTION tensor_number add_input(c_tensor t);
    [[nodiscard]] INLAY_FUNCTION tensor_number add_constant(const tensor& t);
    [[nodiscard]] INLAY_FUNCTION tensor_number add(std::size_t bytes);
    /// A call of a part: what it reads, and what it gives. Views have no place of their own.
    INLAY_FUNCTION void call(const c_part& p, const std::string& function, std::vector<tensor_number> from,
                             const std::vector<tensor_number>& to, std::string comment);
    /// A result of the program. What is an input, a constant, or a result already, is copied.
    INLAY_FUNCTION void add_result(c_tensor t, tensor_number from);

    /// The program. Precondition: it was made to be one.
    [[nodiscard]] INLAY_FUNCTION c_program finish();
    /// The function, of that name. Precondition: it was made to be one.
    [[nodiscard]] INLAY_FUNCTION c_part finish_function(std::string name);

private:
    enum class place : std::uint8_t { input, result, constant, arena };
    struct held {
        place where = place::arena;
        std::size_t number = 0;  // of its kind; in the arena, the byte at which it begins
        std::size_t bytes = 0;
        std::size_t first = 0, last = 0;  // steps
    };
    struct step {
        std::string function;
        std::vector<tensor_number> reads, gives;
        std::string comment;
    };

    void use(tensor_number t) { tensors_[t].last = std::max(tensors_[t].last, steps_.size()); }
    /// What a part's function is called from now on.
    [[nodiscard]] INLAY_FUNCTION std::string name_for(const c_part& p, const std::string& function);
    /// Gives all tensors their places and writes the calls.
    INLAY_FUNCTION void write_calls();

    [[nodiscard]] INLAY_FUNCTION std::string text_of(tensor_number t) const;

    bool is_function_ = false;
    c_program made_;
    c_unit unit_;                  // of a program
    std::vector<c_part> callees_;  // of a function
    std::set<std::string> callee_names_;
    std::vector<held> tensors_;
    std::vector<step> steps_;
    std::vector<std::pair<tensor_number, std::size_t>> copies_;
    std::map<const void*, tensor_number> constants_;
    std::set<std::string> input_names_, result_names_;
};

/// The code of all candidates of a plan, by number. Arguments and errors as of `emit_c_program`.
template <attributed_graph G, class List>
[[nodiscard]] outcome<std::map<std::size_t, c_part>> c_parts_of(const G& g, const List& backends, const candidate_set& set,
                                                                const partitioned& cut, std::vector<emit_failure>* failures) {
    std::map<std::size_t, c_part> codes;
    outcome<void> all_have_code;
    for (const part& p : cut.parts)
        for (const std::size_t number : p.composites) {
            const candidate& c = set.candidates[number];
            bool leaves = true;
            auto code = backends.visit(c.backend, [&]<class B>(const B& b) -> outcome<c_part> {
                if constexpr (emits_c_of_jobs<B>)
                    return guarded("it", "made C", [&] { return b.emit_c(composite_job{c.composite, &c.match->plan, c.view()}, "part"); });
                else if constexpr (leaves_as_c<B>)
                    return guarded("it", "made C", [&] { return part_of_region(b, c.view()); });
                leaves = false;
                return error{"its code does not leave as C"};
            });
            if (code) {
                codes.emplace(number, *std::move(code));
                continue;
            }
            if (leaves && failures != nullptr) failures->push_back({number, code.failure().message});
            if (all_have_code)
                all_have_code = error{"back end '" + std::string(backends.kind(c.backend)) + "' has no C for composite '" +
                                      std::string(c.name) + "' at " + shown_node(g, c.root) + ": " + code.failure().message};
        }
    if (!all_have_code) return all_have_code.failure();
    return codes;
}

/// Has a maker put a planned graph together of the code of its candidates.
template <attributed_graph G, class List>
[[nodiscard]] outcome<void> put_together(const G& g, const List& backends, const candidate_set& set, const partitioned& cut,
                                         const std::map<std::size_t, c_part>& codes, c_program_maker& maker) {
    const auto extents_of = [&](node_id n) { return static_shape(static_cast<const node_type&>(g.type(n)).of_tensor); };
    const auto element_of = [&](node_id n) { return static_cast<const node_type&>(g.type(n)).of_tensor.element; };
    const auto port = [&](node_id n, std::string known) {
        return c_tensor{{}, std::move(known), element_of(n), extents_of(n), stored_bytes(extents_of(n), plain_format(element_of(n)))};
    };
    std::map<std::pair<node_id, format>, std::size_t> known;
    for (const node_id n : g.inputs()) {
        if (!static_cast<const node_type&>(g.type(n)).is_static())
            return error{"input " + quoted_text(g.name(n)) + " has the type " + to_string(g.type(n)) +
                         "; bind its extents, since programs are made for fixed shapes"};
        if (stored_c_type(element_of(n)).empty())
            return error{"input " + quoted_text(g.name(n)) + " has elements of type " + std::string(name_of(element_of(n))) +
                         ", which C does not keep"};
        known[{n, plain_format(element_of(n))}] = maker.add_input(port(n, std::string(g.name(n))));
    }
    std::map<std::pair<node_id, format>, const conversion*> waiting;
    for (const conversion& c : cut.conversions) waiting[{c.tensor, c.to}] = &c;
    const auto tensor_of = [&](node_id n, const format& f) -> outcome<std::size_t> {
        const auto at = known.find({n, f});
        if (at != known.end()) return at->second;
        const auto convert = waiting.find({n, f});
        if (convert == waiting.end()) return error{"the tensor of " + shown_node(g, n) + " is nowhere made as " + to_string(f)};
        const conversion& how = *convert->second;
        const auto part = c_conversion(extents_of(n), how.from, how.to, "convert");
        if (!part) return error{"the tensor of " + shown_node(g, n) + " has to change its layout: " + part.failure().message};
        const auto from = known.find({n, how.from});
        if (from == known.end()) return error{"the tensor of " + shown_node(g, n) + " is nowhere made as " + to_string(how.from)};
        const std::size_t to = maker.add(stored_bytes(extents_of(n), f));
        maker.call(*part, "_convert", {from->second}, {to}, {});
        known[{n, f}] = to;
        return to;
    };
    for (const part& here : cut.parts) {
        for (const std::size_t number : here.composites) {
            const candidate& c = set.candidates[number];
            const std::string kind(backends.kind(c.backend));
            const c_part& code = codes.at(number);
            std::vector<std::size_t> from, to;
            for (std::size_t i = 0; i < c.inputs.size(); ++i) {
                const auto t = tensor_of(c.inputs[i], c.formats.inputs[i]);
                if (!t) return t.failure();
                from.push_back(*t);
            }
            for (const c_view& v : code.views)
                if (v.input >= static_cast<std::int32_t>(from.size()))
                    return error{"back end '" + kind + "' makes a result of " + shown_node(g, c.root) + " a view of input " +
                                 std::to_string(v.input) + ", of which it has " + std::to_string(from.size())};
            for (std::size_t i = 0; i < c.results.size(); ++i) {
                const std::int32_t view = i < code.views.size() ? code.views[i].input : -1;
                to.push_back(view >= 0 ? from[static_cast<std::size_t>(view)]
                                       : maker.add(stored_bytes(extents_of(c.results[i]), c.formats.results[i])));
                known[{c.results[i], c.formats.results[i]}] = to.back();
            }
            maker.call(code, c_name_of_region(c.view()), std::move(from), to,
                       std::string(g.name(c.root)) + (g.name(c.root).empty() ? "on " : " on ") + kind);
        }
    }
    const std::vector<node_id> results = results_of(g);
    const std::vector<std::string>& names = g.result_names();
    for (std::size_t i = 0; i < results.size(); ++i) {
        const node_id n = results[i];
        const tensor* constant = g.constant(n);
        const auto from =
            constant != nullptr ? outcome<std::size_t>(maker.add_constant(*constant)) : tensor_of(n, plain_format(element_of(n)));
        if (!from) return from.failure();
        std::string name(names.size() == results.size() ? std::string_view(names[i]) : std::string_view(g.name(n)));
        maker.add_result(port(n, name.empty() ? "result" : std::move(name)), *from);
    }
    return {};
}

}  // namespace detail

/// A planned graph as a program in C99: the parts of its back ends in order, the changes of layout between them, and a place in one arena
/// for each tensor that is neither the caller's nor a constant. It takes and gives row-major tensors. Arguments as of `link`. The
/// error names a back end whose code cannot leave as C, or the node that has none. `failures`: all candidates of which back ends
/// that leave as C made none; a plan without them may have it.
template <attributed_graph G, class List>
[[nodiscard]] outcome<c_program> emit_c_program(const G& g, const List& backends, const candidate_set& set, const partitioned& cut,
                                                const c_program_options& options = {}, std::vector<emit_failure>* failures = nullptr) {
    constexpr std::size_t most_embedded = std::size_t{16} << 20;
    const auto codes = detail::c_parts_of(g, backends, set, cut, failures);
    if (!codes) return codes.failure();
    std::map<const void*, std::size_t> constant_bytes;
    for (const auto& [number, code] : *codes)
        for (const tensor& t : code.constants) constant_bytes[t.data()] = t.bytes();
    std::size_t all_bytes = 0;
    for (const auto& [data, bytes] : constant_bytes) all_bytes += bytes;
    detail::c_program_maker maker(detail::c_name(detail::as_c_word(options.name)),
                                  options.weights.value_or(all_bytes < most_embedded ? c_weights::embedded : c_weights::in_file));
    if (auto made = detail::put_together(g, backends, set, cut, *codes, maker); !made) return made.failure();
    return maker.finish();
}

/// The same as one function that others call, inputs, constants, results and workspace in this order; a result is no view.
template <attributed_graph G, class List>
[[nodiscard]] outcome<c_part> emit_c_function(const G& g, const List& backends, const candidate_set& set, const partitioned& cut,
                                              std::string name, std::vector<emit_failure>* failures = nullptr) {
    const auto codes = detail::c_parts_of(g, backends, set, cut, failures);
    if (!codes) return codes.failure();
    detail::c_program_maker maker;
    if (auto made = detail::put_together(g, backends, set, cut, *codes, maker); !made) return made.failure();
    return maker.finish_function(std::move(name));
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/codegen/c/emit_c_program.ipp>
#endif

#endif
