// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_PART_SIZE_HPP
#define INLAY_PARTITION_PART_SIZE_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <inlay/graph/concepts.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// Bytes of what a node makes, row-major: of a tensor its elements, of a tuple its fields; 0 where an extent is not known.
[[nodiscard]] inline double plain_bytes(const node_type& type) {
    if (type.is_tensor())
        return type.of_tensor.is_static()
                   ? static_cast<double>(stored_bytes(static_shape(type.of_tensor), plain_format(type.of_tensor.element)))
                   : 0;
    double sum = 0;
    if (type.is_tuple())
        for (const node_type& field : type.fields) sum += plain_bytes(field);
    return sum;
}

/// What a set of nodes comes to as one part.
struct part_size {
    double nodes = 0;
    /// Bytes of the constants that it reads, each once, and of the tensors at its border, each once.
    double bytes = 0;
    /// The most bytes of tensors that are alive at one time while its nodes run in their order: what it reads is there from the beginning
    /// to its last reader, what leaves it from where it is made to the end, anything else from where it is made to its last reader.
    /// Constants do not count.
    double live_bytes = 0;

    friend bool operator==(const part_size&, const part_size&) = default;
};

/// Sizes of parts of one graph, which must outlive this. All bytes are those of row-major tensors, so that a size does not hang on formats.
template <typed_graph G>
class part_sizes {
public:
    explicit part_sizes(const G& g) : g_(&g), users_(g), is_result_(g.size(), 0), is_inside_(g.size(), 0), last_(g.size(), 0) {
        for (const node_id n : results_of(g)) is_result_[n] = 1;
    }

    /// The size of these nodes, distinct and ascending. Linear in the nodes, their operands and their users.
    [[nodiscard]] part_size operator()(std::span<const node_id> nodes) {
        part_size made;
        made.nodes = static_cast<double>(nodes.size());
        for (const node_id n : nodes) is_inside_[n] = 1;
        // Places, counted from 1, of the last reader inside; a node that is not read inside lives while it runs itself.
        std::vector<node_id> read;
        for (std::size_t place = 0; place < nodes.size(); ++place) last_[nodes[place]] = place + 1;
        for (std::size_t place = 0; place < nodes.size(); ++place)
            for (std::size_t i = 0; i < g_->arity(nodes[place]); ++i) {
                const node_id from = g_->operand(nodes[place], i);
                if (is_inside_[from] == 0 && last_[from] == 0) read.push_back(from);
                last_[from] = place + 1;
            }
        std::vector<double> change(nodes.size() + 1, 0);
        for (const node_id n : read) {
            const double taken = plain_bytes(type_of(n));
            made.bytes += taken;
            if (kind_of(*g_, n) == node_kind::constant) continue;
            change[0] += taken;
            change[last_[n]] -= taken;
        }
        for (std::size_t place = 0; place < nodes.size(); ++place) {
            const node_id n = nodes[place];
            const double taken = plain_bytes(type_of(n));
            const bool leaves = is_result_[n] != 0 || is_read_outside(n);
            if (leaves) made.bytes += taken;
            change[place] += taken;
            if (!leaves) change[last_[n]] -= taken;
        }
        double alive = 0;
        for (const double by : change) {
            alive += by;
            made.live_bytes = std::max(made.live_bytes, alive);
        }
        for (const node_id n : nodes) is_inside_[n] = 0, last_[n] = 0;
        for (const node_id n : read) last_[n] = 0;
        return made;
    }

private:
    [[nodiscard]] const node_type& type_of(node_id n) const { return g_->type(n); }
    [[nodiscard]] bool is_read_outside(node_id n) const {
        const auto readers = users_[n];
        return std::any_of(readers.begin(), readers.end(), [&](node_id reader) { return is_inside_[reader] == 0; });
    }

    const G* g_;
    user_lists users_;
    std::vector<char> is_result_, is_inside_;
    std::vector<std::size_t> last_;
};

}  // namespace inlay

#endif
