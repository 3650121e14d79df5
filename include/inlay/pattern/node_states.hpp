// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_NODE_STATES_HPP
#define INLAY_PATTERN_NODE_STATES_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/sorted_list.hpp>
#include <inlay/pattern/interned_lists.hpp>
#include <inlay/pattern/same_question.hpp>
#include <inlay/pattern/sub_pattern.hpp>

namespace inlay {

/// The sub-patterns that hold at a node, as far as patterns or users of the node ask: a number. 0 stands for a node that has none yet.
using state_id = std::uint32_t;

/// Goes from a node's letter and its operands' states to its own state, operand by operand, and numbers all that it meets on the way:
///
/// - operator: a node kind and a name, as far as patterns name it;
/// - head: an operator and a number of operands, as far as patterns tell them apart;
/// - letter: a head, and which of the guards that matter there hold;
/// - row: a letter, and what the operands so far have left of each sub-pattern that waits for operands;
/// - class: what of an operand's state matters at a place (the projection) of a letter.
///
/// Everything is made on first use and kept, so that a step is worked out once. Numbers depend on the order of use, what they stand for does
/// not.
class node_states {
public:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;
    static constexpr std::uint32_t tail = 0xFFFF'FFFFu;
    /// Stands for states beyond the most that are numbered: every pattern may match. Who uses this class truncates all patterns before that.
    static constexpr state_id any_state = 1;
    static constexpr state_id most_states = 0xFFFF;

    /// Neighbouring places of a letter at which operands are asked for the same: one place, or many that only unordered nodes look at.
    struct segment {
        std::uint32_t from, to;   // behind the last place; `tail`: as many as there are
        std::uint32_t projection;
        bool from_end;            // of open functions: `from` places before the end

        [[nodiscard]] bool is_long() const { return !from_end && to - from > 1; }
    };
    struct letter {
        std::uint32_t head = 0, start = 0;
        std::vector<std::uint32_t> guards;    // that hold
        std::vector<sub_pattern_id> sure;     // nodes that hold whatever the operands are
        std::vector<sub_pattern_id> waiting;  // nodes that may hold
        std::vector<segment> segments;
    };

    explicit node_states(const sub_pattern_view& from)
        : forms_(from.forms.begin(), from.forms.end()),
          links_(from.links.begin(), from.links.end()),
          names_(from.names.begin(), from.names.end()),
          patterns_(from.patterns.begin(), from.patterns.end()) {
        std::size_t room = 16;
        while (room < 2 * names_.size()) room *= 2;
        name_slots_.assign(room, none);
        for (std::uint32_t i = 0; i < names_.size(); ++i) name_slots_[name_place(names_[i])] = i;
        const std::uint32_t nothing[] = {none};
        states_.number_of(nothing);  // 0: no state yet
        accepted_.emplace_back();
        const std::uint32_t whatever[] = {none, none};
        states_.number_of(whatever);
        accepted_.emplace_back();
        for (std::uint32_t p = 0; p < patterns_.size(); ++p) accepted_.back().push_back(2 * p);
        begin();
    }

    [[nodiscard]] std::span<const reduced_pattern> patterns() const { return {patterns_.data(), patterns_.size()}; }
    [[nodiscard]] std::size_t operators() const { return 16 * (names_.size() + 1); }

    /// Whether patterns tell nodes of this kind apart by name.
    [[nodiscard]] bool asks_name(node_kind kind) const { return named_kinds_[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] std::uint32_t operator_of(node_kind kind, std::string_view name) const {
        const auto of_kind = static_cast<std::uint32_t>(kind) * static_cast<std::uint32_t>(names_.size() + 1);
        if (!asks_name(kind)) return of_kind;
        const std::uint32_t found = name_slots_[name_place(name)];
        return found == none ? of_kind : of_kind + 1 + found;
    }
    /// The number of operands from which on patterns tell no difference.
    [[nodiscard]] std::uint32_t arity_bound(std::uint32_t op) {
        prepare(op);
        return operators_[op].arity_bound;
    }

    [[nodiscard]] std::uint32_t head_of(std::uint32_t op, std::uint32_t arity) {
        const std::uint32_t bound = arity_bound(op);
        const std::uint32_t key[] = {op, arity < bound ? arity : bound};
        const std::uint32_t number = head_keys_.number_of(key);
        if (number == head_guards_.size()) head_guards_.push_back(guards_that_matter(op, key[1]));
        return number;
    }
    /// The guards that matter at a head, ascending.
    [[nodiscard]] std::span<const std::uint32_t> guards_of(std::uint32_t head) const { return all(head_guards_[head]); }

    /// The letter of a node of this head at which these of its guards hold, ascending.
    [[nodiscard]] std::uint32_t letter_of(std::uint32_t head, std::span<const std::uint32_t> guards) {
        scratch_.assign(1, head);
        scratch_.insert(scratch_.end(), guards.begin(), guards.end());
        const std::uint32_t number = letter_keys_.number_of(all(scratch_));
        if (number == letters_.size()) letters_.push_back(written(head, guards));
        return number;
    }
    [[nodiscard]] const letter& at(std::uint32_t number) const { return letters_[number]; }
    [[nodiscard]] std::uint32_t letters() const { return static_cast<std::uint32_t>(letters_.size()); }

    /// The class of a state at a projection; `column_of` numbers a projection's classes from 1.
    [[nodiscard]] std::uint32_t class_of(std::uint32_t projection, state_id s) {
        std::vector<std::uint32_t>& known = classes_of_[projection];
        if (s >= known.size()) known.resize(states_.size(), none);
        if (known[s] == none) known[s] = new_class(projection, s);
        return known[s];
    }
    [[nodiscard]] std::uint32_t column_of(std::uint32_t of_class) const { return columns_[of_class]; }

    /// The row behind one operand more of that class. In a long segment it stays there until it is told to `leave`.
    [[nodiscard]] std::uint32_t step(std::uint32_t row, std::uint32_t of_class) {
        const std::uint32_t key[] = {row, of_class};
        const std::uint32_t number = step_keys_.number_of(key);
        if (number == steps_.size()) steps_.push_back(new_step(row, of_class));
        return steps_[number];
    }
    [[nodiscard]] std::uint32_t leave(std::uint32_t row) {
        scratch_.assign(rows_[row].begin(), rows_[row].end());
        ++scratch_[1];
        return new_row();
    }
    /// What is asked for at the place that a row, which is not finished, waits for.
    [[nodiscard]] std::uint32_t projection_behind(std::uint32_t row) const {
        const std::span<const std::uint32_t> content = rows_[row];
        const std::vector<segment>& segments = letters_[content[0]].segments;
        return content[1] < segments.size() ? segments[content[1]].projection : none;
    }
    /// The state of a node when all operands have been looked at.
    [[nodiscard]] state_id finish(std::uint32_t row) {
        if (row_states_[row] == 0) row_states_[row] = new_state(row);
        return row_states_[row];
    }

    /// The class of a node at a projection from what holds there: `is_held(s)` for each sub-pattern that is asked for; `none` where that
    /// is 2 for one, which stands for unknown.
    template <class IsHeld>
    [[nodiscard]] std::uint32_t class_from(std::uint32_t projection, IsHeld&& is_held) {
        std::vector<std::uint32_t> list(1, projection);
        for (const sub_pattern_id s : projection_keys_[projection]) {
            const int held = is_held(s);
            if (held > 1) return none;
            if (held == 1) list.push_back(s);
        }
        return class_number(projection, all(list));
    }

    /// The state of a node: `class_at(projection, i)` is the class of operand i. 0 where one is `none`.
    template <class ClassAt>
    [[nodiscard]] state_id fold(std::uint32_t number, std::uint32_t arity, ClassAt&& class_at) {
        std::uint32_t row = letters_[number].start;
        for (std::size_t k = 0; k < letters_[number].segments.size(); ++k) {
            const segment s = letters_[number].segments[k];
            const std::uint32_t first = s.from_end ? arity - s.from : s.from;
            const std::uint32_t last = s.from_end ? first + 1 : s.to < arity ? s.to : arity;
            for (std::uint32_t i = first; i < last; ++i) {
                const std::uint32_t operand = class_at(s.projection, i);
                if (operand == none) return 0;
                row = step(row, operand);
            }
            if (s.is_long()) row = leave(row);
        }
        return finish(row);
    }

    /// The sub-patterns, of which truncating makes more.
    [[nodiscard]] std::span<const sub_pattern> forms() const { return {forms_.data(), forms_.size()}; }
    [[nodiscard]] std::span<const std::uint32_t> links() const { return all(links_); }
    [[nodiscard]] std::span<const std::string_view> names() const { return {names_.data(), names_.size()}; }

    [[nodiscard]] std::uint32_t states() const { return states_.size(); }
    /// Which patterns may match at a node in this state, ascending: the pattern's number times 2, and 1 if it matches for certain.
    [[nodiscard]] std::span<const std::uint32_t> accepted(state_id s) const { return all(accepted_[s]); }
    /// Whether states tell if a sub-pattern holds: those that stand below nodes, and roots. Not of states from before patterns were truncated.
    [[nodiscard]] bool is_asked_for(sub_pattern_id s) const { return holds_item(visible_, s); }
    /// The sub-patterns that hold in a state, of those that are asked for, ascending; behind them, beyond all numbers, may stand a mark.
    [[nodiscard]] std::span<const std::uint32_t> holding(state_id s) const { return states_[s]; }

    /// What is kept but for states, and of states, in numbers.
    [[nodiscard]] std::size_t weight() const {
        return head_keys_.weight() + letter_keys_.weight() + class_keys_.weight() + rows_.weight() + step_keys_.weight() + segment_count_;
    }
    [[nodiscard]] std::size_t state_weight() const { return states_.weight() + accepted_count_; }

    /// How many sub-patterns of the kind `node` hang on a pattern.
    [[nodiscard]] std::size_t nodes_of(std::uint32_t pattern) const {
        std::size_t count = 0;
        for (const sub_pattern_id s : reachable({patterns_[pattern].root})) count += forms_[s].kind == form::node;
        return count;
    }

    /// From now on these patterns are taken to match wherever their root alone would: all that they ask of operands and guards is dropped.
    /// States stay what they are; operators, heads, letters, rows and classes have new numbers.
    void truncate(std::span<const std::uint32_t> patterns) {
        truncated_.clear();
        ++round_;
        for (const std::uint32_t p : patterns) patterns_[p] = {without_operands(patterns_[p].root), false};
        begin();
    }

private:
    using form = sub_pattern::form;

    struct operator_atoms {
        bool ready = false;
        std::uint32_t arity_bound = 0;
        std::vector<sub_pattern_id> nodes;
    };

    static std::span<const std::uint32_t> all(const std::vector<std::uint32_t>& list) { return {list.data(), list.size()}; }
    [[nodiscard]] std::span<const std::uint32_t> children(sub_pattern_id s) const { return {links_.data() + forms_[s].first, forms_[s].count}; }

    [[nodiscard]] std::size_t name_place(std::string_view name) const {
        std::size_t at = detail::mixed(0, name) & (name_slots_.size() - 1);
        while (name_slots_[at] != none && names_[name_slots_[at]] != name) at = (at + 1) & (name_slots_.size() - 1);
        return at;
    }

    /// All that the sub-patterns hang on, with them, each once.
    [[nodiscard]] std::vector<sub_pattern_id> reachable(std::vector<sub_pattern_id> list) const {
        std::vector<char> seen(forms_.size());
        for (const sub_pattern_id s : list) seen[s] = 1;
        for (std::size_t i = 0; i < list.size(); ++i)
            for (const sub_pattern_id c : children(list[i]))
                if (seen[c] == 0) {
                    seen[c] = 1;
                    list.push_back(c);
                }
        return list;
    }

    /// Sets up all that hangs on the patterns' roots.
    void begin() {
        std::vector<sub_pattern_id> roots;
        for (const reduced_pattern& p : patterns_) roots.push_back(p.root);
        sort_unique(roots);
        const std::vector<sub_pattern_id> live = reachable(roots);

        visible_ = roots;
        operators_.assign(operators(), {});
        for (std::size_t k = 0; k < 16; ++k) {
            named_kinds_[k] = false;
            nameless_[k].clear();
        }
        for (const sub_pattern_id s : live) {
            const sub_pattern& f = forms_[s];
            if (f.kind != form::node) continue;
            for (const sub_pattern_id c : children(s)) visible_.push_back(c);
            const auto kind = static_cast<std::size_t>(f.node);
            if (f.names == 0) nameless_[kind].push_back(s);
            if (f.names != 0) named_kinds_[kind] = true;
            for (std::uint32_t i = 0; i < f.names; ++i) operators_[kind * (names_.size() + 1) + 1 + links_[f.first_name + i]].nodes.push_back(s);
        }
        sort_unique(visible_);
        std::size_t kept = 0;
        for (const sub_pattern_id s : visible_)
            if (s > sub_pattern_view::never) visible_[kept++] = s;
        visible_.resize(kept);
        set_order();

        patterns_at_.assign(forms_.size(), {});
        always_.clear();
        for (std::uint32_t p = 0; p < patterns_.size(); ++p) {
            const std::uint32_t entry = 2 * p + (patterns_[p].exact ? 1 : 0);
            if (patterns_[p].root == sub_pattern_view::always)
                always_.push_back(entry);
            else if (patterns_[p].root != sub_pattern_view::never)
                patterns_at_[patterns_[p].root].push_back(entry);
        }
        value_.assign(forms_.size(), 0);
        for (interned_lists* list : {&head_keys_, &letter_keys_, &class_keys_, &rows_, &step_keys_, &projection_keys_}) list->clear();
        head_guards_.clear();
        letters_.clear();
        classes_of_.clear();
        columns_.clear();
        class_counts_.clear();
        steps_.clear();
        row_states_.clear();
        segment_count_ = 0;
    }

    /// Brings what hangs on the same node into an order in which each stands behind what it hangs on.
    void set_order() {
        order_.clear();
        std::vector<char> seen(forms_.size());
        std::vector<std::pair<sub_pattern_id, std::uint32_t>> path;
        for (const sub_pattern_id s : visible_) {
            if (seen[s] == 0) path.push_back({s, 0});
            seen[s] = 1;
            while (!path.empty()) {
                const auto [at, next] = path.back();
                if (forms_[at].kind != form::node && next < forms_[at].count) {
                    ++path.back().second;
                    const sub_pattern_id c = children(at)[next];
                    if (seen[c] == 0) path.push_back({c, 0});
                    seen[c] = 1;
                } else {
                    order_.push_back(at);
                    path.pop_back();
                }
            }
        }
    }

    void prepare(std::uint32_t op) {
        operator_atoms& atoms = operators_[op];
        if (atoms.ready) return;
        atoms.ready = true;
        const std::vector<sub_pattern_id>& nameless = nameless_[op / (names_.size() + 1)];
        atoms.nodes.insert(atoms.nodes.end(), nameless.begin(), nameless.end());
        sort_unique(atoms.nodes);
        for (const sub_pattern_id s : atoms.nodes) {
            const sub_pattern& f = forms_[s];
            if (f.arity >= atoms.arity_bound) atoms.arity_bound = f.arity + 1;
            if (f.unordered && f.most <= 8 && f.most > atoms.arity_bound) atoms.arity_bound = f.most;
        }
    }
    [[nodiscard]] bool takes_arity(const sub_pattern& f, std::uint32_t arity) const { return f.open ? arity >= f.arity : arity == f.arity; }

    /// Which guards may decide about what is asked for, where these nodes alone may hold.
    [[nodiscard]] std::vector<std::uint32_t> guards_that_matter(std::uint32_t op, std::uint32_t arity) {
        enum : char { no, yes, maybe };
        std::vector<char> value(forms_.size(), no);
        for (const sub_pattern_id s : operators_[op].nodes)
            if (takes_arity(forms_[s], arity)) value[s] = forms_[s].count == 0 ? yes : maybe;
        for (const sub_pattern_id s : order_) {
            const form kind = forms_[s].kind;
            if (kind == form::node) continue;
            bool some_maybe = kind == form::guard, some_no = false, some_yes = false;
            for (const sub_pattern_id c : children(s)) {
                some_maybe = some_maybe || value[c] == maybe;
                some_no = some_no || value[c] == no;
                some_yes = some_yes || value[c] == yes;
            }
            const bool is_no = (kind == form::both && some_no) || (kind == form::no && some_yes);
            const bool is_yes = (kind == form::either && some_yes) || (kind == form::no && some_no);
            value[s] = is_no ? no : is_yes ? yes : some_maybe ? maybe : kind == form::either || (kind == form::loop && some_no) ? no : yes;
        }
        std::vector<char> asked(forms_.size());
        for (const sub_pattern_id s : visible_) asked[s] = value[s] == maybe;
        std::vector<std::uint32_t> guards;
        for (std::size_t i = order_.size(); i-- > 0;) {
            const sub_pattern_id s = order_[i];
            if (asked[s] == 0 || forms_[s].kind == form::node) continue;
            if (forms_[s].kind == form::guard) guards.push_back(forms_[s].guard);
            for (const sub_pattern_id c : children(s)) asked[c] = asked[c] != 0 || value[c] == maybe;
        }
        sort_unique(guards);
        return guards;
    }

    [[nodiscard]] letter written(std::uint32_t head, std::span<const std::uint32_t> guards) {
        const std::uint32_t op = head_keys_[head][0], arity = head_keys_[head][1];
        const bool exactly = arity < operators_[op].arity_bound;
        letter made;
        made.head = head;
        made.guards.assign(guards.begin(), guards.end());
        std::vector<std::uint32_t> ends;  // places at which what is asked for changes
        std::vector<std::pair<std::uint32_t, sub_pattern_id>> singles, from_end;
        std::vector<sub_pattern_id> unordered;
        for (const sub_pattern_id s : operators_[op].nodes) {
            const sub_pattern& f = forms_[s];
            if (!takes_arity(f, arity)) continue;
            (f.count == 0 ? made.sure : made.waiting).push_back(s);
            if (f.unordered) {
                if (f.count != 0) unordered.push_back(s);
                ends.push_back(f.most);
                continue;
            }
            for (std::uint32_t i = 0; i < f.count; ++i) {
                if (children(s)[i] == sub_pattern_view::always) continue;
                if (behind_parameters(f)) {
                    from_end.push_back({f.arity - i, children(s)[i]});
                } else {
                    singles.push_back({i, children(s)[i]});
                    ends.push_back(i);
                    ends.push_back(i + 1);
                }
            }
        }
        ends.push_back(exactly ? arity : tail);
        sort_unique(ends);
        sort_unique(singles);
        sort_unique(from_end);
        std::uint32_t from = 0;
        std::size_t single = 0;
        for (std::uint32_t end : ends) {
            if (exactly && end > arity) end = arity;
            if (end <= from) continue;
            std::vector<std::uint32_t> wanted;
            for (; single < singles.size() && singles[single].first == from; ++single) wanted.push_back(singles[single].second);
            for (const sub_pattern_id s : unordered)
                if (from < forms_[s].most) wanted.insert(wanted.end(), children(s).begin(), children(s).end());
            const std::uint32_t asked = projection_of(wanted);
            const bool apart = end <= arity && end - from <= 4;
            if (asked != none)
                for (std::uint32_t i = from; i < (apart ? end : from + 1); ++i) made.segments.push_back({i, apart ? i + 1 : end, asked, false});
            from = end;
        }
        for (std::size_t i = 0; i < from_end.size();) {
            std::vector<std::uint32_t> wanted;
            const std::uint32_t place = from_end[i].first;
            for (; i < from_end.size() && from_end[i].first == place; ++i) wanted.push_back(from_end[i].second);
            made.segments.push_back({place, place + 1, projection_of(wanted), true});
        }
        segment_count_ += made.segments.size() + made.waiting.size();
        scratch_.assign({letters(), 0});
        for (std::uint32_t i = 0; i < made.waiting.size(); ++i) {
            const bool many = forms_[made.waiting[i]].unordered;
            scratch_.push_back(2 * i + (many ? 1 : 0));
            if (many) scratch_.insert(scratch_.end(), {1, 0});  // no child has an operand
        }
        made.start = new_row();
        return made;
    }
    static bool behind_parameters(const sub_pattern& f) { return f.node == node_kind::function && f.open && !f.unordered; }

    std::uint32_t projection_of(std::vector<std::uint32_t>& wanted) {
        sort_unique(wanted);
        if (!wanted.empty() && wanted[0] == sub_pattern_view::always) wanted.erase(wanted.begin());
        if (wanted.empty()) return none;
        const std::uint32_t number = projection_keys_.number_of(all(wanted));
        if (number == classes_of_.size()) {
            classes_of_.emplace_back();
            class_counts_.push_back(0);
        }
        return number;
    }
    std::uint32_t new_class(std::uint32_t projection, state_id s) {
        scratch_.assign(1, projection);
        const std::span<const std::uint32_t> wanted = projection_keys_[projection], found = states_[s];
        for (std::size_t i = 0, j = 0; i < wanted.size() && j < found.size();) {
            if (wanted[i] == found[j]) scratch_.push_back(wanted[i]);
            if (wanted[i] < found[j])
                ++i;
            else if (wanted[i] > found[j])
                ++j;
            else
                ++i, ++j;
        }
        return class_number(projection, all(scratch_));
    }
    std::uint32_t class_number(std::uint32_t projection, std::span<const std::uint32_t> key) {
        const std::uint32_t number = class_keys_.number_of(key);
        if (number == columns_.size()) columns_.push_back(++class_counts_[projection]);
        return number;
    }

    /// The row that `scratch_` tells: letter, segment, and for each node that still may hold its place among those that wait, times 2, and
    /// where it is unordered 1 more, followed by the sets of children that may have their operands, in 64 bits.
    std::uint32_t new_row() {
        const std::uint32_t number = rows_.number_of(all(scratch_));
        if (number == row_states_.size()) row_states_.push_back(0);
        return number;
    }

    std::uint32_t new_step(std::uint32_t row, std::uint32_t of_class) {
        const std::span<const std::uint32_t> held = class_keys_[of_class];
        for (const std::uint32_t s : held.subspan(1)) value_[s] = 1;
        value_[sub_pattern_view::always] = 1;
        const std::vector<std::uint32_t> before(rows_[row].begin(), rows_[row].end());
        const letter& l = letters_[before[0]];
        const segment here = l.segments[before[1]];
        scratch_.assign({before[0], before[1] + (here.is_long() ? 0 : 1)});
        for (std::size_t i = 2; i < before.size(); ++i) {
            const sub_pattern_id s = l.waiting[before[i] / 2];
            const sub_pattern& f = forms_[s];
            if (!f.unordered) {
                const bool other_end = behind_parameters(f) != here.from_end;
                const std::uint32_t child = here.from_end ? f.arity - here.from : here.from;
                if (other_end || child >= f.count || value_[children(s)[child]] != 0) scratch_.push_back(before[i]);
                continue;
            }
            std::uint64_t sets = before[i + 1] | std::uint64_t{before[i + 2]} << 32;
            if (!here.from_end && here.from < f.most) sets = with_operand(s, sets);
            scratch_.insert(scratch_.end(), {before[i], static_cast<std::uint32_t>(sets), static_cast<std::uint32_t>(sets >> 32)});
            i += 2;
        }
        for (const std::uint32_t s : held.subspan(1)) value_[s] = 0;
        value_[sub_pattern_view::always] = 0;
        return new_row();
    }
    /// The sets of an unordered node's children that may have operands when one more comes, at which `value_` tells who holds. Of many
    /// children it is only known which have found some operand.
    [[nodiscard]] std::uint64_t with_operand(sub_pattern_id s, std::uint64_t sets) const {
        std::uint64_t made = sets;
        const std::span<const std::uint32_t> wanted = children(s);
        for (std::uint32_t c = 0; c < wanted.size() && c < 63; ++c) {
            if (value_[wanted[c]] == 0) continue;
            if (wanted.size() > 6) {
                made |= std::uint64_t{2} << c;
                continue;
            }
            const std::uint32_t bit = 1u << c;
            for (std::uint32_t set = 0; set < (1u << wanted.size()); ++set)
                if ((sets >> set & 1) != 0 && (set & bit) == 0) made |= std::uint64_t{1} << (set | bit);
        }
        return made;
    }
    [[nodiscard]] static bool is_complete(const sub_pattern& f, std::uint64_t sets) {
        if (f.count <= 6) return (sets >> ((1u << f.count) - 1) & 1) != 0;
        const std::uint32_t known = f.count < 63 ? f.count : 63;
        const std::uint64_t wanted = ((std::uint64_t{1} << known) - 1) << 1;
        return (sets & wanted) == wanted;
    }

    state_id new_state(std::uint32_t row) {
        const std::span<const std::uint32_t> content = rows_[row];
        const letter& l = letters_[content[0]];
        std::vector<sub_pattern_id> set(l.sure);
        for (std::size_t i = 2; i < content.size(); ++i) {
            const sub_pattern_id s = l.waiting[content[i] / 2];
            if (!forms_[s].unordered) {
                set.push_back(s);
                continue;
            }
            if (is_complete(forms_[s], content[i + 1] | std::uint64_t{content[i + 2]} << 32)) set.push_back(s);
            i += 2;
        }
        for (const sub_pattern_id s : set) value_[s] = 1;
        for (const sub_pattern_id s : order_) {
            const sub_pattern& f = forms_[s];
            if (f.kind == form::node) continue;
            if (f.kind == form::guard) {
                value_[s] = holds_item(l.guards, f.guard);
                continue;
            }
            bool every = true, some = false;
            for (const sub_pattern_id c : children(s)) {
                every = every && value_[c] != 0;
                some = some || value_[c] != 0;
            }
            value_[s] = f.kind == form::no ? !some : f.kind == form::both ? every : some;
        }
        scratch_.clear();
        for (const sub_pattern_id s : visible_)
            if (value_[s] != 0) scratch_.push_back(s);
        for (const sub_pattern_id s : set) value_[s] = 0;
        for (const sub_pattern_id s : order_) value_[s] = 0;
        // The same set may stand for other patterns since patterns were truncated.
        if (round_ != 0) scratch_.push_back(none - 1 - round_);
        const state_id number = states_.number_of(all(scratch_));
        if (round_ != 0) scratch_.pop_back();
        if (number > most_states) return any_state;
        if (number == accepted_.size()) {
            std::vector<std::uint32_t>& accepted = accepted_.emplace_back(always_);
            for (const sub_pattern_id s : scratch_) accepted.insert(accepted.end(), patterns_at_[s].begin(), patterns_at_[s].end());
            sort_list(accepted);
            accepted_count_ += accepted.size();
        }
        return number;
    }
    static bool holds_item(const std::vector<std::uint32_t>& list, std::uint32_t item) {
        const std::size_t at = lower_place(list, item);
        return at < list.size() && list[at] == item;
    }

    /// What is left of a sub-pattern when nothing is asked of operands and guards: it holds wherever that does.
    sub_pattern_id without_operands(sub_pattern_id s) {
        if (truncated_.size() < forms_.size()) truncated_.resize(forms_.size(), none);
        if (truncated_[s] != none) return truncated_[s];
        sub_pattern f = forms_[s];
        std::vector<std::uint32_t> below;
        if (f.kind == form::guard || f.kind == form::no) return truncated_[s] = sub_pattern_view::always;
        if (f.kind == form::loop) return truncated_[s] = without_operands(children(s)[0]);
        if (f.kind != form::node) {
            for (std::uint32_t i = 0; i < f.count; ++i) below.push_back(without_operands(links_[f.first + i]));
            sort_unique(below);
            const bool is_always = !below.empty() && below[0] == sub_pattern_view::always;
            if (is_always && f.kind == form::either) return truncated_[s] = sub_pattern_view::always;
            if (is_always) below.erase(below.begin());
            if (below.empty()) return truncated_[s] = f.kind == form::both ? sub_pattern_view::always : sub_pattern_view::never;
            if (below.size() == 1) return truncated_[s] = below[0];
        }
        scratch_.assign({static_cast<std::uint32_t>(f.kind), static_cast<std::uint32_t>(f.node), f.open ? 1u : 0u, f.arity, f.names});
        scratch_.insert(scratch_.end(), links_.begin() + f.first_name, links_.begin() + f.first_name + f.names);
        scratch_.insert(scratch_.end(), below.begin(), below.end());
        const std::uint32_t number = short_keys_.number_of(all(scratch_));
        if (number == short_forms_.size()) {
            short_forms_.push_back(static_cast<sub_pattern_id>(forms_.size()));
            f.unordered = false;
            f.most = sub_pattern::unbounded;
            f.first = static_cast<std::uint32_t>(links_.size());
            f.count = static_cast<std::uint32_t>(below.size());
            links_.insert(links_.end(), below.begin(), below.end());
            forms_.push_back(f);
        }
        if (truncated_.size() < forms_.size()) truncated_.resize(forms_.size(), none);
        return truncated_[s] = short_forms_[number];
    }

    std::vector<sub_pattern> forms_;
    std::vector<std::uint32_t> links_;
    std::vector<std::string_view> names_;
    std::vector<reduced_pattern> patterns_;
    std::vector<std::uint32_t> name_slots_;  // by hash of the name

    bool named_kinds_[16]{};
    std::vector<sub_pattern_id> nameless_[16];  // nodes that any name does for, by kind
    std::vector<operator_atoms> operators_;
    std::vector<sub_pattern_id> visible_;       // what patterns and operands ask for, ascending
    std::vector<sub_pattern_id> order_;         // what hangs on the same node, each behind what it hangs on
    std::vector<std::vector<std::uint32_t>> patterns_at_;
    std::vector<std::uint32_t> always_;

    interned_lists head_keys_, letter_keys_, projection_keys_, class_keys_, rows_, step_keys_, states_;
    std::vector<std::vector<std::uint32_t>> head_guards_;
    std::vector<letter> letters_;
    std::vector<std::vector<std::uint32_t>> classes_of_;  // by projection and state
    std::vector<std::uint32_t> columns_, class_counts_;
    std::vector<std::uint32_t> steps_;
    std::vector<state_id> row_states_;
    std::vector<std::vector<std::uint32_t>> accepted_;
    std::size_t segment_count_ = 0, accepted_count_ = 0;

    interned_lists short_keys_;
    std::vector<sub_pattern_id> short_forms_, truncated_;
    std::uint32_t round_ = 0;  // of truncating
    std::vector<std::uint32_t> scratch_;
    std::vector<char> value_;
};

}  // namespace inlay

#endif
