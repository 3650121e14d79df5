// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_OUTLINE_HPP
#define INLAY_PARTITION_OUTLINE_HPP

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/partition/partition.hpp>

namespace inlay {

/// The operator of an explicit conversion: its operand's values in another format, which its attributes `from` and `to` name as text. It
/// changes no value; what it changes is where and how they lie.
inline constexpr std::string_view conversion_op = "inlay.convert";

/// How parts become functions.
struct outline_options {
    std::string_view prefix = "inlay";  // names begin with it
    bool bind_constants = true;         // constants stand in the composites that read them; else main hands them to the parts
};

/// A rewritable graph that has a main function, and whose builder makes functions and calls of functions: what `outline` needs.
///
/// Requires, for `g` of type `const G`:  `g.main()`  `g.parameters(f)`  `g.result(f)`  `g.name(n)`  `g.result_names()`, and of its builder
/// `input(name, type)`  `open_block()`  `function(parameters, result, name, attributes)`  `global(name, type)`
/// `apply(callee_and_arguments)` `tuple(fields)`  `projection(tuple, index)`  `declare(function)`  `name_results(names)`  `so_far()`.
/// Models: `ir_module`.
template <class G>
concept outlinable_graph = rewritable_graph<G> &&
    requires(typename G::builder& b, const G& g, node_id n, std::span<const node_id> nodes, std::string_view name,
             const attribute_map& attributes, const node_type& type, std::vector<std::string> names) {
    { g.main() } -> std::convertible_to<node_id>;
    { g.parameters(n) } -> std::convertible_to<std::span<const node_id>>;
    { g.result(n) } -> std::convertible_to<node_id>;
    { g.name(n) } -> std::convertible_to<std::string_view>;
    { g.result_names() } -> std::convertible_to<std::vector<std::string>>;
    { b.input(name, type) } -> std::convertible_to<node_id>;
    b.open_block();
    { b.function(nodes, n, name, attributes) } -> std::convertible_to<node_id>;
    { b.global(name, type) } -> std::convertible_to<node_id>;
    { b.apply(nodes) } -> std::convertible_to<node_id>;
    { b.tuple(nodes) } -> std::convertible_to<node_id>;
    { b.projection(n, std::size_t{}) } -> std::convertible_to<node_id>;
    b.declare(n);
    b.name_results(names);
    { b.so_far().type(n) } -> std::convertible_to<const node_type&>;
};

namespace detail {

/// Builds the outlined graph part after part, then main.
template <outlinable_graph G, class KindOf>
class outliner {
public:
    outliner(const G& g, const candidate_set& set, const partitioned& cut, KindOf& backend_kind, const outline_options& options)
        : g_(g), set_(set), cut_(cut), backend_kind_(backend_kind), options_(options) {}

    outcome<G> run() {
        for (const node_id n : set_.to_cover)
            for (std::size_t i = 0; i < g_.arity(n); ++i)
                if (const node_kind k = g_.kind(g_.operand(n, i)); !is_value(g_.operand(n, i)))
                    return error{shown_node(g_, n) + " (" + quoted_text(g_.op(n)) + ") reads " +
                                 (k == node_kind::function ? std::string("a function") : shown_node(g_, g_.operand(n, i))) +
                                 " as a value, which no part can take along; partition programs without control flow"};
        find_values();
        for (std::size_t p = 0; p < cut_.parts.size(); ++p) make_part(p);
        make_main();
        return builder_.finish();
    }

private:
    using value = std::pair<node_id, format>;  // a tensor as it stands in one format
    struct made_part {
        std::string name;
        node_type type;
        std::vector<value> inputs, results;
    };
    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

    [[nodiscard]] bool is_value(node_id n) const {
        const node_kind k = g_.kind(n);
        return k == node_kind::input || k == node_kind::constant || k == node_kind::call || k == node_kind::projection ||
               (k == node_kind::tuple && g_.arity(n) == 0);
    }
    [[nodiscard]] static value plain(const G& g, node_id n) {
        const node_type& type = g.type(n);
        return {n, plain_format(type.of_tensor.element)};
    }

    /// Where each tensor is made and in which format, which conversions stand inside a part, and what is read outside of it.
    void find_values() {
        maker_.assign(g_.size(), nobody);
        for (std::size_t p = 0; p < cut_.parts.size(); ++p)
            for (const std::size_t c : cut_.parts[p].composites) {
                const candidate& k = set_.candidates[c];
                for (const node_id n : k.nodes) maker_[n] = p;
            }
        for (const conversion& c : cut_.conversions) conversions_.emplace(value{c.tensor, c.to}, c.from);
        // A conversion stands in the part that makes the tensor if that part reads it, else in main.
        for (std::size_t p = 0; p < cut_.parts.size(); ++p)
            for_each_read(p, [&](const value& v) {
                if (maker_[v.first] == p && conversions_.contains(v)) inside_.insert(v);
            });
        for (std::size_t p = 0; p < cut_.parts.size(); ++p)
            for_each_read(p, [&](const value& v) {
                if (maker_[v.first] != p) read_outside(v);
            });
        for (const node_id n : results_of(g_))
            if (maker_[n] != nobody) read_outside(plain(g_, n));
    }
    void read_outside(const value& v) {
        if (maker_[v.first] == nobody) return;
        if (!conversions_.contains(v) || inside_.contains(v))
            leaves_.insert(v);
        else
            leaves_.insert({v.first, conversions_.at(v)});
    }
    template <class F>
    void for_each_read(std::size_t p, F&& use) const {
        for (const std::size_t c : cut_.parts[p].composites) {
            const candidate& k = set_.candidates[c];
            for (std::size_t i = 0; i < k.inputs.size(); ++i) use(value{k.inputs[i], k.formats.inputs[i]});
            if (in_force<"partition.outline.constants">() && !options_.bind_constants)
                for (const node_id n : constants_of(k)) use(plain(g_, n));
        }
    }
    /// The constants that a composite reads, in the order in which it does.
    [[nodiscard]] std::vector<node_id> constants_of(const candidate& k) const {
        std::vector<node_id> found;
        for (const node_id n : k.nodes)
            for (std::size_t i = 0; i < g_.arity(n); ++i)
                if (const node_id o = g_.operand(n, i); g_.kind(o) == node_kind::constant)
                    if (std::find(found.begin(), found.end(), o) == found.end()) found.push_back(o);
        return found;
    }

    node_id convert(node_id from, const value& to) {
        attribute_map how;
        how.set("from", to_string(conversions_.at(to)));
        how.set("to", to_string(to.second));
        const node_id operands[] = {from};
        return builder_.call(conversion_op, operands, how, g_.type(to.first));
    }

    /// The one node, or a tuple of several.
    node_id together(std::span<const node_id> nodes) { return nodes.size() == 1 ? nodes.front() : builder_.tuple(nodes); }

    /// What a call of a function gives, one node per result.
    std::vector<node_id> fields_of(node_id called, std::size_t count) {
        if (count == 1) return {called};
        std::vector<node_id> fields;
        for (std::size_t i = 0; i < count; ++i) fields.push_back(builder_.projection(called, i));
        return fields;
    }

    /// A composite as a function of what it reads, called on it.
    void make_composite(const candidate& k, std::map<value, node_id>& here) {
        builder_.open_block();
        std::map<node_id, node_id> inside;
        std::vector<node_id> parameters, arguments{no_node};
        const auto take = [&](const value& v) {
            arguments.push_back(here.at(v));
            parameters.push_back(builder_.input(g_.name(v.first), g_.type(v.first)));
            inside.emplace(v.first, parameters.back());
        };
        for (std::size_t i = 0; i < k.inputs.size(); ++i) take({k.inputs[i], k.formats.inputs[i]});
        if (!options_.bind_constants)
            for (const node_id n : constants_of(k)) take(plain(g_, n));
        std::string pattern;
        for (const node_id n : k.nodes) {
            std::vector<node_id> operands;
            for (std::size_t i = 0; i < g_.arity(n); ++i) {
                const node_id o = g_.operand(n, i);
                auto at = inside.find(o);
                if (at == inside.end()) at = inside.emplace(o, builder_.copy(g_, o, {})).first;
                operands.push_back(at->second);
            }
            inside.emplace(n, builder_.copy(g_, n, operands));
            if (g_.kind(n) == node_kind::call) pattern += std::string(g_.op(n)) + "_";
        }
        std::vector<node_id> results;
        for (const node_id n : k.results) results.push_back(inside.at(n));
        attribute_map attributes;
        attributes.set("Composite", std::string(backend_kind_(k.backend)) + "." + std::string(k.name));
        attributes.set("PartitionedFromPattern", pattern);
        arguments.front() = builder_.function(parameters, together(results), {}, attributes);
        const std::vector<node_id> fields = fields_of(builder_.apply(arguments), k.results.size());
        for (std::size_t i = 0; i < k.results.size(); ++i) {
            here.emplace(value{k.results[i], k.formats.results[i]}, fields[i]);
            for (const value& v : inside_)
                if (v.first == k.results[i]) here.emplace(v, convert(fields[i], v));
        }
    }

    void make_part(std::size_t p) {
        made_part part;
        const std::string kind(backend_kind_(cut_.parts[p].owner));
        part.name = std::string(options_.prefix) + "_" + kind + "_main_" + std::to_string(p);
        std::set<value> seen;
        for_each_read(p, [&](const value& v) {
            if (maker_[v.first] != p && seen.insert(v).second) part.inputs.push_back(v);
        });
        for (const value& v : leaves_)
            if (maker_[v.first] == p) part.results.push_back(v);
        builder_.open_block();
        std::map<value, node_id> here;
        std::vector<node_id> parameters, results;
        for (const value& v : part.inputs) {
            // One tensor may come in two formats.
            std::string name(g_.name(v.first));
            if (v.second.order != layout::plain() && !name.empty()) name += "." + to_string(v.second.order);
            parameters.push_back(builder_.input(name, g_.type(v.first)));
            here.emplace(v, parameters.back());
        }
        for (const std::size_t c : cut_.parts[p].composites) make_composite(set_.candidates[c], here);
        for (const value& v : part.results) results.push_back(here.at(v));
        attribute_map attributes;
        attributes.set("Compiler", kind);
        attributes.set("Inline", std::int64_t{1});
        attributes.set("Primitive", std::int64_t{1});
        attributes.set("global_symbol", part.name);
        const node_id made = builder_.function(parameters, together(results), part.name, attributes);
        builder_.declare(made);
        part.type = builder_.so_far().type(made);
        parts_.push_back(std::move(part));
    }

    void make_main() {
        const node_id main = g_.main();
        builder_.open_block();
        std::map<value, node_id> here;
        std::vector<node_id> parameters;
        for (const node_id n : g_.parameters(main)) {
            parameters.push_back(builder_.input(g_.name(n), g_.type(n)));
            if (const node_type& type = g_.type(n); type.is_tensor()) here.emplace(plain(g_, n), parameters.back());
        }
        const auto get = [&](const value& v) {
            if (const auto at = here.find(v); at != here.end()) return at->second;
            if (g_.kind(v.first) == node_kind::constant) return here.emplace(v, builder_.copy(g_, v.first, {})).first->second;
            return here.emplace(v, convert(here.at({v.first, conversions_.at(v)}), v)).first->second;
        };
        for (const made_part& part : parts_) {
            std::vector<node_id> arguments{no_node};
            for (const value& v : part.inputs) arguments.push_back(get(v));
            arguments.front() = builder_.global(part.name, part.type);
            const std::vector<node_id> fields = fields_of(builder_.apply(arguments), part.results.size());
            for (std::size_t i = 0; i < fields.size(); ++i) here.emplace(part.results[i], fields[i]);
        }
        std::vector<node_id> results;
        for (const node_id n : results_of(g_)) results.push_back(get(plain(g_, n)));
        const bool is_tuple = g_.kind(g_.result(main)) == node_kind::tuple;
        const node_id result = is_tuple ? builder_.tuple(results) : results.front();
        builder_.declare(builder_.function(parameters, result, g_.symbol(main), g_.attributes(main)));
        builder_.name_results(g_.result_names());
    }

    const G& g_;
    const candidate_set& set_;
    const partitioned& cut_;
    KindOf& backend_kind_;
    const outline_options& options_;
    typename G::builder builder_;
    std::vector<std::size_t> maker_;       // the part that makes a node
    std::map<value, format> conversions_;  // what is converted, and from which format
    std::set<value> inside_, leaves_;      // conversions that stand in the part that makes the tensor; what parts give to others
    std::vector<made_part> parts_;
};

}  // namespace detail

/// A partitioned graph as a graph of functions, as Relay's PartitionGraph leaves it: each part is a function of its own, with its back
/// end's kind as `Compiler` and with `Primitive`, `Inline` and `global_symbol`; inside it each chosen candidate is a function with
/// `Composite` (kind and composite's name) and `PartitionedFromPattern`; main calls the parts in the order in which they run. Every
/// conversion of the cut is one call of `conversion_op`: in main, or in the part that both makes and reads the tensor.
/// `backend_kind(backend_id)` gives a back end's kind; a part's function is called PREFIX_KIND_main_NUMBER.
///
/// Precondition: the cut keeps the laws that `verify` checks. Error: a node reads a function or another value that no part can take
/// along. The outlined graph means what the original means. O((nodes + borders) log nodes).
template <outlinable_graph G, class KindOf>
[[nodiscard]] outcome<G> outline(const G& g, const candidate_set& set, const partitioned& cut, KindOf&& backend_kind,
                                 const outline_options& options = {}) {
    return detail::outliner<G, std::remove_reference_t<KindOf>>(g, set, cut, backend_kind, options).run();
}

}  // namespace inlay

#endif
