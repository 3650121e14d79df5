// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_REBUILD_HPP
#define INLAY_PASSES_REBUILD_HPP

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include <inlay/ir/ir_builder.hpp>

namespace inlay {

/// Builds a module anew in the order of an old one, block for block. `go_to(n)` opens and closes the builder's blocks until what is made
/// next stands where node n stands, in the same block and in the same place of a placed program; nodes are visited in ascending order.
class module_rebuilder {
public:
    explicit module_rebuilder(const ir_module& from) : from_(from), made_(from.size(), no_node) { builder_.copy_from(from); }

    [[nodiscard]] ir_builder& builder() { return builder_; }
    [[nodiscard]] const ir_module& so_far() const { return builder_.so_far(); }

    /// The new node for an old one, or `no_node` where there is none.
    [[nodiscard]] node_id made(node_id old) const { return made_[old]; }
    [[nodiscard]] std::span<const node_id> made() const { return made_; }
    void set_made(node_id old, node_id now) { made_[old] = now; }

    /// What stands in this block of the old module is to stand in the block around it.
    void dissolve(block_id old) { dissolved_.insert(old); }

    void go_to(node_id n) {
        path_.clear();
        for (block_id b = from_.block(n); b != 0; b = from_.parent(b))
            if (!dissolved_.contains(b)) path_.push_back(b);
        std::reverse(path_.begin(), path_.end());
        builder_.stand_in(path_);
        builder_.place_new_nodes_like(from_, n);
    }

    /// Copies node n onto its operands' new nodes.
    node_id copy(node_id n) {
        operands_.clear();
        for (const node_id o : from_.operands(n)) operands_.push_back(made_[o]);
        return made_[n] = builder_.copy(from_, n, operands_);
    }

    /// The new module: functions declared and results named as the old ones.
    [[nodiscard]] ir_module finish() {
        for (const node_id f : from_.functions()) builder_.declare(made_[f]);
        builder_.name_results(from_.result_names());
        return builder_.finish();
    }

private:
    const ir_module& from_;
    ir_builder builder_;
    std::vector<node_id> made_, operands_;
    std::vector<block_id> path_;
    std::set<block_id> dissolved_;
};

/// The module built anew: `make(rebuilder, n)` for every node in ascending order, with the blocks open that n stands in; it calls `copy`,
/// or `set_made` with what stands in n's place, or nothing where n is to go. Linear in the module.
template <class Make>
[[nodiscard]] ir_module rebuild(const ir_module& m, Make&& make) {
    module_rebuilder r(m);
    for (node_id n = 0; n < m.size(); ++n) {
        r.go_to(n);
        make(r, n);
    }
    return r.finish();
}

}  // namespace inlay

#endif
