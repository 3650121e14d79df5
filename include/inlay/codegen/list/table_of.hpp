// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_LIST_TABLE_OF_HPP
#define INLAY_CODEGEN_LIST_TABLE_OF_HPP

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/candidate/match_view.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

namespace inlay {

/// One composite of one configured back end: what a partitioner of one's own needs of it, a matcher apart.
class table_row {
public:
    std::string_view kind;  // the back end's
    std::string_view composite;
    std::size_t backend = 0;                // its number in the list
    std::size_t priority = 0;               // the row's place in the table: less is asked first
    const pattern_view* pattern = nullptr;  // lives for ever
    bool has_predicate = false;             // else every match is taken

    /// The name under which parts know the composite: KIND.COMPOSITE.
    [[nodiscard]] std::string name() const { return std::string(kind) + "." + std::string(composite); }

    /// What the predicate says of a match of the pattern: the region of the matched nodes, and the node in each of its slots. The instance
    /// that answers is the one that the table was made of, which must still be there.
    [[nodiscard]] verdict ask(const region_view& region, std::span<const node_id> captured) const {
        return when_(instance_, region, captured);
    }

    /// The row of a composite of this instance.
    template <class B, class Composite>
    [[nodiscard]] static table_row of(const B& instance, std::size_t backend, std::size_t priority) {
        table_row row;
        row.kind = B::kind;
        row.composite = Composite::name;
        row.backend = backend;
        row.priority = priority;
        row.pattern = &view_of(typename Composite::pattern_type{});
        row.has_predicate = !std::same_as<typename Composite::predicate_type, always>;
        row.instance_ = &instance;
        row.when_ = [](const void* self, const region_view& region, std::span<const node_id> captured) -> verdict {
            const match_of<typename Composite::pattern_type> seen(region, captured);
            return typename Composite::predicate_type{}(*static_cast<const B*>(self), seen);
        };
        return row;
    }

private:
    const void* instance_ = nullptr;
    verdict (*when_)(const void*, const region_view&, std::span<const node_id>) = nullptr;
};

namespace detail {
template <class B>
void add_rows(std::vector<table_row>& table, const B& instance, std::size_t backend) {
    B::patterns().for_each(
        [&]<class Composite>(Composite, std::size_t) { table.push_back(table_row::of<B, Composite>(instance, backend, table.size())); });
}
}  // namespace detail

/// What the chosen back ends of a list can do, in the order in which they are asked: by back end as they are chosen, then as each has
/// written its composites. No graph is looked at. The list has to outlive the table.
template <class... Bs>
[[nodiscard]] std::vector<table_row> table_of(const backend_list<Bs...>& backends) {
    std::vector<table_row> table;
    for (const std::size_t number : backends.chosen()) backends.visit(number, [&](const auto& b) { detail::add_rows(table, b, number); });
    return table;
}
/// The same of one back end, which is number 0.
template <backend B>
[[nodiscard]] std::vector<table_row> table_of(const B& instance) {
    std::vector<table_row> table;
    detail::add_rows(table, instance, 0);
    return table;
}

/// A line for each row: name, pattern as text, and whether a predicate is asked. Operators of the dialect are written without it.
[[nodiscard]] inline std::string to_text(std::span<const table_row> table, std::string_view dialect = {}) {
    std::string text;
    for (const table_row& row : table) {
        text += row.name() + ": " + to_text(*row.pattern, dialect);
        text += row.has_predicate ? ", if its predicate takes it\n" : "\n";
    }
    return text;
}

}  // namespace inlay

#endif
