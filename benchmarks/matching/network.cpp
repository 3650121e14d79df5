// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "network.hpp"

#include <utility>

namespace bench {

using inlay::node_id;

network::network(std::size_t nodes, std::uint64_t seed) : random_(seed), value_(inlay::tensor::scalar(1.0f)) {
    using namespace inlay;
    for (const element_type e : {element_type::float32, element_type::float16})
        for (const std::int64_t width : {64, 128}) types_.emplace_back(tensor_type(e, {extent(1), extent(width), extent(28), extent(28)}));
    attribute_sets_.resize(4);
    for (std::size_t i = 0; i < attribute_sets_.size(); ++i) {
        attribute_sets_[i].set("group", static_cast<std::int64_t>(i < 3 ? 1 : 64));
        attribute_sets_[i].set("strides", std::vector<std::int64_t>(2, i % 2 == 0 ? 1 : 2));
        attribute_sets_[i].set("axis", std::int64_t{-1});
    }
    op_.reserve(nodes + 32);
    x_ = before_ = put(parameter, {});
    while (size() < nodes) block();
}

node_id network::put(bench::op o, std::initializer_list<node_id> from, std::uint8_t attributes) {
    op_.push_back(o);
    type_.push_back(static_cast<std::uint8_t>(random_.below(16) == 0 ? 1 + random_.below(3) : 0));
    attributes_.push_back(attributes);
    operands_.insert(operands_.end(), from.begin(), from.end());
    begin_.push_back(static_cast<std::uint32_t>(operands_.size()));
    return static_cast<node_id>(op_.size() - 1);
}

/// A piece such as networks are made of. Weights stand before it, one for several operators, so that there are about 1.7 operands a node.
void network::block() {
    const node_id w = put(weight, {});
    const auto drawn = [&](std::initializer_list<bench::op> list) {
        return list.begin()[random_.below(static_cast<std::uint32_t>(list.size()))];
    };
    const auto set = [&] { return static_cast<std::uint8_t>(random_.below(8) == 0 ? 1 + random_.below(3) : 0); };
    const node_id from = x_, skip = before_;
    switch (random_.below(10)) {
        case 0:
        case 1:
        case 2: {  // a residual block
            const node_id a = put(relu, {put(norm, {put(conv, {from, w}, set()), w})});
            const node_id b = put(norm, {put(conv, {a, w}, set()), w});
            x_ = put(relu, {put(add, {b, from})});
            break;
        }
        case 3:
            x_ = put(drawn({relu, clip, leaky}), {put(conv, {from, w}, set())});
            break;
        case 4: {  // swish, then two ways side by side
            const node_id c = put(conv, {from, w}, set());
            const node_id a = put(mul, {c, put(sigmoid, {c})});
            x_ = put(concat, {put(conv, {a, w}, set()), put(drawn({max_pool, mean_pool}), {a})});
            break;
        }
        case 5: {  // attention
            const node_id q = put(add, {put(matmul, {from, w}), w}), k = put(add, {put(matmul, {from, w}), w}),
                          v = put(add, {put(matmul, {from, w}), w});
            const node_id scores = put(div_, {put(matmul, {q, put(transpose, {k})}), w});
            const node_id mixed = put(matmul, {put(softmax, {scores}), v});
            x_ = put(add, {put(add, {put(matmul, {put(reshape, {put(transpose, {mixed}), w}), w}), w}), from});
            break;
        }
        case 6: {  // a norm, written out
            const node_id difference = put(sub, {from, put(mean, {from})});
            const node_id deviation = put(root, {put(add, {put(mean, {put(power, {difference, w})}), w})});
            x_ = put(add, {put(mul, {put(div_, {difference, deviation}), w}), w});
            break;
        }
        case 7: {  // GELU
            const node_id a = put(add, {put(matmul, {from, w}), w});
            const node_id e = put(add, {put(erf_, {put(div_, {a, w})}), w});
            x_ = put(mul, {put(mul, {a, e}), w});
            break;
        }
        case 8: {
            const node_id a = put(add, {put(mul, {put(drawn({tanh_, exp_, neg, sigmoid}), {from}), w}), skip});
            x_ = put(drawn({add, sub, mul}), {a, put(slice, {a, w})});
            break;
        }
        default:
            x_ = put(drawn({relu, tanh_}), {put(gemm, {put(pad, {from, w}), w, w})});
            break;
    }
    before_ = from;
}

}  // namespace bench
