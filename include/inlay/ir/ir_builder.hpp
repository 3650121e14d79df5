// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_IR_BUILDER_HPP
#define INLAY_IR_IR_BUILDER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/number_hash.hpp>
#include <inlay/ir/block_tree.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// Makes an `ir_module`, node after node, operands first. Names, types and attribute sets that repeat are stored once.
///
/// A function's body is a block: `open_block()`, parameters, nodes, `function(...)`, which closes it. A branch is a block too:
/// `open_block()`, nodes, `close_block()`, then `if_else` outside. Reading a node of a block that is closed and not around the
/// reader, or a node that is not there, is a broken precondition, as is finishing with blocks open.
class ir_builder {
public:
    ir_builder() = default;
    // Modules that it made share its texts, so that no second builder may add to them.
    ir_builder(const ir_builder&) = delete;
    ir_builder& operator=(const ir_builder&) = delete;
    ir_builder(ir_builder&&) = default;
    ir_builder& operator=(ir_builder&&) = default;

    /// A parameter of the open block's function, or a variable for `let` or a match clause.
    node_id input(std::string_view name, const node_type& type) { return add(node_kind::input, {}, 0, name, type); }

    node_id constant(const tensor& value, std::string_view name = {}) {
        m_.constants_.push_back(value);
        return add(node_kind::constant, {}, 0, name, value.type(), {}, static_cast<std::uint32_t>(m_.constants_.size() - 1));
    }

    node_id call(std::string_view op, std::span<const node_id> operands, const attribute_map& attributes = {}, const node_type& type = {},
                 std::string_view name = {}) {
        return add(node_kind::call, operands, text(op), name, type, attributes);
    }
    node_id call(std::string_view op, std::initializer_list<node_id> operands, const attribute_map& attributes = {},
                 const node_type& type = {}, std::string_view name = {}) {
        return call(op, std::span<const node_id>(operands.begin(), operands.size()), attributes, type, name);
    }

    node_id tuple(std::span<const node_id> fields, std::string_view name = {}) {
        std::vector<node_type> types;
        for (const node_id f : fields) types.push_back(m_.type(f));
        return add(node_kind::tuple, fields, 0, name, node_type::tuple(std::move(types)));
    }
    /// The unit value; also what stands for an operand that is left out.
    node_id unit() { return tuple({}); }

    /// Field `index` of a tuple; its type follows from the tuple's where that is known.
    node_id projection(node_id of, std::size_t index, std::string_view name = {}) {
        const node_type& whole = m_.type(of);
        const node_type field = whole.is_tuple() && index < whole.fields.size() ? whole.fields[index] : node_type();
        return add(node_kind::projection, {of}, 0, name, field, {}, static_cast<std::uint32_t>(index));
    }

    /// Opens a block inside the open one and makes it the place of the nodes that follow.
    block_id open_block() {
        m_.block_parent_.push_back(block_);
        block_ = static_cast<block_id>(m_.block_parent_.size() - 1);
        return block_;
    }
    void close_block() { block_ = m_.block_parent_[block_]; }

    /// Closes the open block, as the body of a function with these parameters and this result. A name makes it a function that
    /// `global` may call; functions of the module are named in `finish`.
    node_id function(std::span<const node_id> parameters, node_id result, std::string_view name = {},
                     const attribute_map& attributes = {}) {
        close_block();
        std::vector<node_id> operands(parameters.begin(), parameters.end());
        std::vector<node_type> types;
        for (const node_id p : parameters) types.push_back(m_.type(p));
        const node_type type = node_type::function(std::move(types), m_.type(result));
        operands.push_back(result);
        return add(node_kind::function, operands, text(name), {}, type, attributes);
    }

    node_id apply(std::span<const node_id> callee_and_arguments, const node_type& type = {}, std::string_view name = {}) {
        const node_type& callee = m_.type(callee_and_arguments.front());
        const node_type result =
            type.kind == node_type::form::unknown && callee.kind == node_type::form::function ? callee.fields.back() : type;
        return add(node_kind::apply, callee_and_arguments, 0, name, result);
    }
    node_id let(node_id variable, node_id value, node_id body) {
        return add(node_kind::let, {variable, value, body}, 0, {}, node_type(m_.type(body)));
    }
    node_id if_else(node_id condition, node_id then_result, node_id else_result, std::string_view name = {}) {
        return add(node_kind::if_else, {condition, then_result, else_result}, 0, name, node_type(m_.type(then_result)));
    }
    node_id global(std::string_view name, const node_type& type) { return add(node_kind::global, {}, text(name), {}, type); }

    /// A constructor of a data type applied to operands.
    node_id construct(std::string_view constructor, std::span<const node_id> operands, const node_type& type = {}) {
        return add(node_kind::construct, operands, text(constructor), {}, type);
    }
    /// A value with a place: `body` is there if `on_body`, and the annotation itself is if `on_result`. Neither: it may be copied here.
    node_id on_device(node_id body, const placement& there, bool on_result, bool on_body = true) {
        attribute_map attributes;
        if (on_result) attributes.set("constrain_result", std::int64_t{1});
        if (!on_body) attributes.set("constrain_body", std::int64_t{0});
        const node_id made = add(node_kind::call, {body}, text("on_device"), {}, node_type(m_.type(body)), attributes);
        set_where(made, there);
        return made;
    }
    /// A value copied from one place to another.
    node_id device_copy(node_id value, const placement& from, const placement& to) {
        const node_id made = add(node_kind::call, {value}, text("device_copy"), {}, node_type(m_.type(value)), {}, stored_placement(from));
        set_where(made, to);
        return made;
    }

    /// A node of any kind, for the kinds that have no function of their own here.
    node_id add(node_kind kind, std::span<const node_id> operands, std::uint32_t symbol, std::string_view name, const node_type& type,
                const attribute_map& attributes = {}, std::uint32_t payload = 0) {
        return add_stored(kind, operands, symbol, text(name), stored_type(type), stored_attributes(attributes), payload);
    }
    node_id add(node_kind kind, std::initializer_list<node_id> operands, std::uint32_t symbol, std::string_view name, const node_type& type,
                const attribute_map& attributes = {}, std::uint32_t payload = 0) {
        return add(kind, std::span<const node_id>(operands.begin(), operands.size()), symbol, name, type, attributes, payload);
    }

    /// Node n of an old module on new operands, in the open block: kind, operator, name, origins, attributes and value stay.
    node_id copy(const ir_module& from, node_id n, std::span<const node_id> operands) {
        std::uint32_t payload = from.payload_[n];
        if (from.kind(n) == node_kind::constant) {
            m_.constants_.push_back(*from.constant(n));
            payload = static_cast<std::uint32_t>(m_.constants_.size() - 1);
        }
        if (from.kind(n) == node_kind::call && payload != 0) payload = stored_placement(from.placements_[payload]);
        const bool known = &from == source_;
        const node_id made =
            known ? add_stored(from.kind(n), operands, copied_text(from.symbol_[n]), copied_text(from.name_[n]),
                               copied(copied_types_, from.type_[n], [&] { return stored_type(from.type(n)); }),
                               copied(copied_attributes_, from.attributes_[n], [&] { return stored_attributes(from.attributes(n)); }),
                               payload)
                  : add(from.kind(n), operands, text(from.symbol(n)), from.name(n), from.type(n), from.attributes(n), payload);
        if (!from.origins(n).empty()) set_origins(made, from.origins(n));
        m_.placement_[made] = 0;
        if (const std::uint32_t there = from.placement_[n]; there != 0)
            m_.placement_[made] = known ? copied(copied_placements_, there, [&] { return stored_placement(from.placements_[there]); })
                                        : stored_placement(from.placements_[there]);
        if (from.position(n).is_known()) set_position(made, from.position(n));
        return made;
    }
    /// Says that most of what follows is copied from this module, which outlives that: what its nodes share is then looked up once.
    void copy_from(const ir_module& from) {
        source_ = &from;
        copied_texts_.assign(from.strings_.size(), not_copied);
        copied_types_.assign(from.types_.size(), not_copied);
        copied_attributes_.assign(from.attribute_sets_.size(), not_copied);
        copied_placements_.assign(from.placements_.size(), not_copied);
        m_.data_types_ = from.data_types_;
        make_room_for(from.size());
        m_.operands_.reserve(from.operands_.size());
    }

    /// What is made next, but for copies, is where that node of another module is, until something else is said.
    void place_new_nodes_like(const ir_module& from, node_id n) {
        const std::uint32_t there = from.placement_[n];
        if (there == 0)
            place_of_new_ = 0;
        else if (&from == source_)
            place_of_new_ = copied(copied_placements_, there, [&] { return stored_placement(from.placements_[there]); });
        else
            place_of_new_ = stored_placement(from.placements_[there]);
    }
    void set_name(node_id n, std::string_view name) { m_.name_[n] = text(name); }
    void set_type(node_id n, const node_type& type) { m_.type_[n] = stored_type(type); }
    void set_where(node_id n, const placement& there) { m_.placement_[n] = stored_placement(there); }
    void set_position(node_id n, source_position at) {
        if (m_.positions_.size() <= n) m_.positions_.resize(std::max<std::size_t>(std::size_t{n} + 1, m_.block_.size()));
        m_.positions_[n] = at;
    }
    void set_origins(node_id n, std::vector<std::string> origins) {
        m_.origin_sets_.push_back(std::move(origins));
        m_.origins_[n] = static_cast<std::uint32_t>(m_.origin_sets_.size() - 1);
    }

    /// Declares a function node, made in block 0, to be one of the module's.
    void declare(node_id function) { m_.functions_.push_back(function); }
    void declare(data_type type) { m_.data_types_.push_back(std::move(type)); }
    void name_results(std::vector<std::string> names) { m_.result_names_ = std::move(names); }

    /// What has been made so far, to be read while building.
    [[nodiscard]] const ir_module& so_far() const { return m_; }

    /// Opens and closes blocks until the open ones stand for these of another module, outermost first: what is made next stands there. A
    /// block that was left is not opened again.
    void stand_in(std::span<const block_id> path) {
        std::size_t shared = 0;
        while (shared < standing_.size() && shared < path.size() && standing_[shared] == path[shared]) ++shared;
        for (; standing_.size() > shared; standing_.pop_back()) close_block();
        for (; standing_.size() < path.size(); standing_.push_back(path[standing_.size()])) open_block();
    }
    /// The same for the blocks around and with block b of a module that is built anew.
    void go_to(const ir_module& from, block_id b) {
        if (b == (standing_.empty() ? 0 : standing_.back())) return;
        path_.clear();
        for (; b != 0; b = from.parent(b)) path_.push_back(b);
        std::reverse(path_.begin(), path_.end());
        stand_in(path_);
    }

    /// The module, as a module that was built anew: its functions are declared and its results keep their names. `made`: what stands for
    /// each of its nodes, `no_node` where nothing does.
    [[nodiscard]] ir_module finish_as(const ir_module& from, std::span<const node_id> made) {
        for (const node_id f : from.functions()) declare(made[f]);
        m_.data_types_ = from.data_types_;
        std::vector<std::string> names = from.result_names();
        if (names.empty() && !from.functions().empty()) {
            // Results that are known by their nodes' names keep them, though the nodes may be others now.
            bool all_named = true, other = false;
            for (const node_id r : from.results()) {
                names.emplace_back(from.name(r));
                all_named = all_named && !names.back().empty();
                other = other || made[r] == no_node || m_.name(made[r]) != names.back();
            }
            if (!all_named || !other) names.clear();
        }
        name_results(std::move(names));
        return finish();
    }

    /// The module. Precondition: no block is open, and at least one function is declared, main last.
    [[nodiscard]] ir_module finish() {
        make_room(m_.size());
        return std::move(m_);
    }

    /// The module where no block was opened: each node is put into the innermost block that has all its uses, as functions, branches and
    /// clauses make them, nodes are renumbered for that, and what no declared function needs is left out. Linear in the module, times the
    /// logarithm of how deep blocks are nested.
    [[nodiscard]] ir_module finish_in_blocks() {
        make_room(m_.size());
        return in_blocks(std::move(m_));
    }

private:
    static constexpr std::uint32_t not_copied = 0xFFFF'FFFFu;

    [[nodiscard]] static ir_module in_blocks(ir_module flat);

    node_id add_stored(node_kind kind, std::span<const node_id> operands, std::uint32_t symbol, std::uint32_t name, std::uint32_t type,
                       std::uint32_t attributes, std::uint32_t payload) {
        const std::size_t n = m_.kind_.size();
        if (n == m_.block_.size()) make_room_for(2 * n + 16);
        for (const node_id o : operands) m_.operands_.push_back(o);
        m_.operand_begin_.push_back(static_cast<std::uint32_t>(m_.operands_.size()));
        m_.kind_.push_back(kind);
        m_.symbol_[n] = symbol;
        m_.name_[n] = name;
        m_.type_[n] = type;
        m_.attributes_[n] = attributes;
        m_.origins_[n] = 0;
        m_.payload_[n] = payload;
        m_.placement_[n] = place_of_new_;
        m_.block_[n] = block_;
        return static_cast<node_id>(n);
    }
    /// While a module is built its columns are longer than it has nodes, so that a node goes into all of them at once.
    void make_room(std::size_t nodes) {
        for (auto* column : {&m_.symbol_, &m_.name_, &m_.type_, &m_.attributes_, &m_.origins_, &m_.payload_, &m_.placement_})
            column->resize(nodes);
        m_.block_.resize(nodes);
        if (m_.positions_.size() > nodes) m_.positions_.resize(nodes);
    }
    void make_room_for(std::size_t nodes) {
        if (nodes > m_.block_.size()) make_room(nodes);
        m_.kind_.reserve(nodes);
        m_.operand_begin_.reserve(nodes + 1);
    }
    /// The unknown type is the first of all, and no attributes are the first set of attributes.
    std::uint32_t stored_type(const node_type& type) {
        if (type.kind == node_type::form::unknown) return 0;
        return stored(m_.types_, type_hash_, hash_of(type), type, [&](std::uint32_t at) { return m_.types_[at] == type; });
    }
    /// Programs name few places, so they are looked through; the last one first, since neighbours are often in one place.
    std::uint32_t stored_placement(const placement& there) {
        if (there == m_.placements_[last_placement_]) return last_placement_;
        const auto at = std::find(m_.placements_.begin(), m_.placements_.end(), there);
        last_placement_ = static_cast<std::uint32_t>(at - m_.placements_.begin());
        if (at == m_.placements_.end()) m_.placements_.push_back(there);
        return last_placement_;
    }
    std::uint32_t stored_attributes(const attribute_map& attributes) {
        if (attributes.empty()) return 0;
        const digest content = content_of(attributes);
        const auto low = static_cast<std::uint32_t>(content.low);
        const std::uint32_t at = stored(m_.attribute_sets_, attribute_hash_, low, attributes,
                                        [&](std::uint32_t set) { return attribute_contents_[set] == content; });
        attribute_contents_.resize(m_.attribute_sets_.size());
        attribute_contents_[at] = content;
        return at;
    }
    /// The number here of what has a number in the module that is copied.
    template <class Store>
    static std::uint32_t copied(std::vector<std::uint32_t>& numbers, std::uint32_t there, Store&& store) {
        if (numbers[there] == not_copied) numbers[there] = store();
        return numbers[there];
    }
    std::uint32_t copied_text(std::uint32_t there) {
        return copied(copied_texts_, there, [&] { return text(source_->strings_[there]); });
    }
    std::uint32_t text(std::string_view s) {
        if (s.empty()) return 0;
        const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>()(s));
        const auto fresh = static_cast<std::uint32_t>(m_.strings_.size());
        const std::uint32_t at = text_hash_.find_or_add(hash, fresh, [&](std::uint32_t known) { return m_.strings_[known] == s; });
        if (at != number_hash::none) return at;
        if (!m_.texts_) m_.texts_ = shared_handle<ir_module::text_store>(new ir_module::text_store);
        m_.strings_.push_back(m_.texts_->all.emplace_back(s));
        return fresh;
    }
    /// The place in a list of what is like this value, which is put there where nothing is.
    template <class T, class Same>
    static std::uint32_t stored(std::vector<T>& list, number_hash& hash, std::uint32_t hash_of_value, const T& value, Same&& same) {
        const auto fresh = static_cast<std::uint32_t>(list.size());
        const std::uint32_t at = hash.find_or_add(hash_of_value, fresh, same);
        if (at != number_hash::none) return at;
        list.push_back(value);
        return fresh;
    }

    ir_module m_;
    block_id block_ = 0;
    std::uint32_t place_of_new_ = 0;
    const ir_module* source_ = nullptr;
    std::vector<std::uint32_t> copied_texts_, copied_types_, copied_attributes_, copied_placements_;  // by number in the source
    std::uint32_t last_placement_ = 0;
    std::vector<block_id> standing_, path_;  // the blocks of another module that the open ones stand for
    number_hash text_hash_, type_hash_, attribute_hash_;
    std::vector<digest> attribute_contents_;  // by number of the set
};

static_assert(rewritable_graph<ir_module>);

inline ir_module ir_builder::in_blocks(ir_module flat) {
    const block_tree tree(flat);
    std::vector<node_id> now(flat.size(), no_node);
    ir_module m;
    m.strings_ = std::move(flat.strings_);
    m.texts_ = std::move(flat.texts_);
    m.types_ = std::move(flat.types_);
    m.attribute_sets_ = std::move(flat.attribute_sets_);
    m.origin_sets_ = std::move(flat.origin_sets_);
    m.constants_ = std::move(flat.constants_);
    m.placements_ = std::move(flat.placements_);
    m.data_types_ = std::move(flat.data_types_);
    m.result_names_ = std::move(flat.result_names_);
    m.block_parent_ = tree.parents();
    m.kind_.reserve(tree.order().size());
    m.operand_begin_.reserve(tree.order().size() + 1);
    m.operands_.reserve(flat.operands_.size());
    for (const node_id n : tree.order()) {
        now[n] = static_cast<node_id>(m.kind_.size());
        m.kind_.push_back(flat.kind_[n]);
        for (const node_id o : flat.operands(n)) m.operands_.push_back(now[o]);
        m.operand_begin_.push_back(static_cast<std::uint32_t>(m.operands_.size()));
        m.block_.push_back(tree.block(n));
    }
    const auto moved = [&](const auto& from, auto& to) {
        to.resize(tree.order().size());
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[tree.order()[i]];
    };
    moved(flat.symbol_, m.symbol_);
    moved(flat.name_, m.name_);
    moved(flat.type_, m.type_);
    moved(flat.attributes_, m.attributes_);
    moved(flat.origins_, m.origins_);
    moved(flat.payload_, m.payload_);
    moved(flat.placement_, m.placement_);
    if (!flat.positions_.empty()) {
        flat.positions_.resize(flat.size());
        moved(flat.positions_, m.positions_);
    }
    for (const node_id f : flat.functions_) m.functions_.push_back(now[f]);
    return m;
}

}  // namespace inlay

#endif
