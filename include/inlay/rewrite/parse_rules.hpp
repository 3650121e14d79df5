// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_PARSE_RULES_HPP
#define INLAY_REWRITE_PARSE_RULES_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/pattern/term/pattern_value.hpp>
#include <inlay/pattern/text/pattern_text_options.hpp>
#include <inlay/rewrite/lies_along.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

/// A condition of a rule that is read from text: on the nodes that two names are bound to, or one.
struct rule_condition {
    enum class form : std::uint8_t { same_type, same_shape, same_element, read_once, along };

    form kind = form::same_type;
    std::vector<std::uint32_t> slots;  // of the left side
    std::vector<std::int64_t> axes;    // of `along`
};

inline constexpr std::pair<std::string_view, std::size_t> rule_condition_words[] = {
    {"same_type", 2}, {"same_shape", 2}, {"same_element", 2}, {"read_once", 1}, {"along", 2}};

/// Rules made at run time, with all that they refer to. Rows of it live as long as it does, and it may be moved but not copied.
class rule_list {
public:
    struct entry {
        std::string name;
        pattern_value left, right;
        overlap policy = overlap::forbid;
        exactness kind = exactness::bounded;
        std::vector<rule_condition> conditions;
        pattern_view left_view, right_view;

        entry(std::string n, pattern_value l, pattern_value r)
            : name(std::move(n)), left(std::move(l)), right(std::move(r)), left_view(left.view()), right_view(right.view()) {}
    };

    rule_list() = default;
    rule_list(rule_list&&) = default;
    rule_list& operator=(rule_list&&) = default;

    entry& add(entry e) { return entries_.emplace_back(std::move(e)); }
    [[nodiscard]] const std::deque<entry>& entries() const { return entries_; }

    /// The rules as rows for one kind of graph.
    template <class W>
    [[nodiscard]] std::vector<rule_row<W>> rows() const {
        std::vector<rule_row<W>> list;
        for (const entry& e : entries_) {
            rule_row<W> r;
            r.name = e.name;
            r.left = &e.left_view;
            r.right = &e.right_view;
            r.policy = e.policy;
            r.kind = e.kind;
            r.self = &e;
            if (!e.conditions.empty()) r.when = &holds<W>;
            list.push_back(r);
        }
        return list;
    }

private:
    template <class W>
    static verdict holds(const void* self, const W& g, node_id, std::span<const node_id> bound) {
        for (const rule_condition& c : static_cast<const entry*>(self)->conditions) {
            const node_id a = bound[c.slots[0]], b = c.slots.size() > 1 ? bound[c.slots[1]] : a;
            if (c.kind == rule_condition::form::read_once) {
                if (!g.users().is_read_once(a)) return verdict::no("the node is read more than once");
                continue;
            }
            const node_type &x = g.type(a), &y = g.type(b);
            if (c.kind == rule_condition::form::along) {
                if (verdict v = lies_along(x, y, c.axes); !v.taken) return v;
                continue;
            }
            const bool tensors = x.is_tensor() && y.is_tensor();
            const bool same = c.kind == rule_condition::form::same_type ? x == y
                              : c.kind == rule_condition::form::same_shape
                                  ? tensors && x.of_tensor.ranked && y.of_tensor.ranked && x.of_tensor.extents == y.of_tensor.extents
                                  : tensors && x.of_tensor.element == y.of_tensor.element;
            if (!same) return verdict::no("the types are " + to_string(x) + " and " + to_string(y));
        }
        return verdict::yes();
    }

    std::deque<entry> entries_;
};

/// Reads rules from text: `relu_twice: Relu(?r:Relu) => ?r;`. `what` names the text in errors, which have line, column and a caret.
/// docs/rewrite.md has the grammar.
[[nodiscard]] INLAY_FUNCTION outcome<rule_list> parse_rules(std::string_view text, std::string what = "rules",
                                                            const pattern_text_options& options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/rewrite/parse_rules.ipp>
#endif

#endif
