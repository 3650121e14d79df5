// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "topology.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <utility>

#include "random.hpp"

namespace bench {

namespace {

using inlay::node_id;
using word = std::string_view;
using shape_class = std::uint32_t;

class builder {
public:
    topology made;

    node_id add(word op, shape_class shape, std::vector<node_id> operands) {
        const auto at = static_cast<node_id>(made.nodes.size());
        made.nodes.push_back({op, shape});
        for (const node_id u : operands) made.edges.push_back({u, at});
        return at;
    }
    node_id chain(std::initializer_list<word> ops, shape_class shape, node_id at) {
        for (const word op : ops) at = add(op, shape, {at});
        return at;
    }
};

/// A shape class of a picture: how often it was halved, and its channels.
constexpr shape_class picture(std::uint32_t halvings, std::uint32_t channels) { return halvings * 4096 + channels; }

}  // namespace

topology resnet50() {
    builder b;
    node_id at = b.chain({"conv7x7", "norm", "relu", "max_pool"}, picture(1, 64), b.add("input", 0, {}));
    constexpr std::array<std::uint32_t, 4> blocks = {3, 4, 6, 3};
    for (std::uint32_t stage = 0; stage < blocks.size(); ++stage) {
        const shape_class narrow = picture(stage + 2, 64u << stage);
        const shape_class wide = picture(stage + 2, 256u << stage);
        for (std::uint32_t i = 0; i < blocks[stage]; ++i) {
            const node_id through = b.chain({"conv1x1", "norm", "relu", "conv3x3", "norm", "relu"}, narrow, at);
            const node_id out = b.chain({"conv1x1", "norm"}, wide, through);
            const node_id past = i == 0 ? b.chain({"conv1x1", "norm"}, wide, at) : at;
            at = b.chain({"relu"}, wide, b.add("add", wide, {out, past}));
        }
    }
    b.chain({"mean_pool", "flatten", "dense", "softmax"}, 1000, at);
    return std::move(b.made);
}

topology mobilenet_v2() {
    builder b;
    node_id at = b.chain({"conv3x3", "norm", "relu6"}, picture(1, 32), b.add("input", 0, {}));
    struct row {
        std::uint32_t expansion, channels, count, stride;
    };
    constexpr std::array<row, 7> rows = {
        {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}}};
    std::uint32_t channels = 32;
    std::uint32_t halvings = 1;
    for (const row& r : rows) {
        for (std::uint32_t i = 0; i < r.count; ++i) {
            const node_id before = at;
            const std::uint32_t wide = channels * r.expansion;
            if (r.expansion > 1) at = b.chain({"conv1x1", "norm", "relu6"}, picture(halvings, wide), at);
            const bool halves = i == 0 && r.stride == 2;
            if (halves) ++halvings;
            at = b.chain({halves ? "depthwise3x3_by2" : "depthwise3x3", "norm", "relu6"}, picture(halvings, wide), at);
            at = b.chain({"conv1x1", "norm"}, picture(halvings, r.channels), at);
            if (i > 0) at = b.add("add", picture(halvings, r.channels), {before, at});
            channels = r.channels;
        }
    }
    at = b.chain({"conv1x1", "norm", "relu6"}, picture(halvings, 1280), at);
    b.chain({"mean_pool", "dense"}, 1000, at);
    return std::move(b.made);
}

topology squeezenet() {
    builder b;
    node_id at = b.chain({"conv3x3", "bias", "relu", "max_pool"}, picture(1, 64), b.add("input", 0, {}));
    constexpr std::array<std::uint32_t, 8> squeezed = {16, 16, 32, 32, 48, 48, 64, 64};
    std::uint32_t halvings = 2;
    for (std::size_t i = 0; i < squeezed.size(); ++i) {
        const shape_class wide = picture(halvings, squeezed[i] * 4);
        const node_id squeeze = b.chain({"conv1x1", "bias", "relu"}, picture(halvings, squeezed[i]), at);
        const node_id one = b.chain({"conv1x1", "bias", "relu"}, wide, squeeze);
        const node_id three = b.chain({"conv3x3", "bias", "relu"}, wide, squeeze);
        at = b.add("concat", picture(halvings, squeezed[i] * 8), {one, three});
        if (i == 1 || i == 3) at = b.add("max_pool", picture(++halvings, squeezed[i] * 8), {at});
    }
    at = b.chain({"conv1x1", "bias", "relu"}, picture(halvings, 1000), at);
    b.chain({"mean_pool", "softmax"}, 1000, at);
    return std::move(b.made);
}

topology inception_v3() {
    builder b;
    const auto conv = [&](word op, shape_class shape, node_id at) { return b.chain({op, "norm", "relu"}, shape, at); };
    node_id at = conv("conv3x3_by2", picture(1, 32), b.add("input", 0, {}));
    at = conv("conv3x3", picture(1, 32), at);
    at = conv("conv3x3", picture(1, 64), at);
    at = b.add("max_pool", picture(2, 64), {at});
    at = conv("conv1x1", picture(2, 80), at);
    at = conv("conv3x3", picture(2, 192), at);
    at = b.add("max_pool", picture(3, 192), {at});
    for (const std::uint32_t pooled : {32u, 64u, 64u}) {
        const node_id one = conv("conv1x1", picture(3, 64), at);
        const node_id five = conv("conv5x5", picture(3, 64), conv("conv1x1", picture(3, 48), at));
        node_id twice = conv("conv1x1", picture(3, 64), at);
        twice = conv("conv3x3", picture(3, 96), conv("conv3x3", picture(3, 96), twice));
        const node_id pool = conv("conv1x1", picture(3, pooled), b.add("mean_pool", picture(3, 288), {at}));
        at = b.add("concat", picture(3, 288), {one, five, twice, pool});
    }
    {
        const node_id three = conv("conv3x3_by2", picture(4, 384), at);
        node_id twice = conv("conv1x1", picture(3, 64), at);
        twice = conv("conv3x3_by2", picture(4, 96), conv("conv3x3", picture(3, 96), twice));
        at = b.add("concat", picture(4, 768), {three, twice, b.add("max_pool", picture(4, 288), {at})});
    }
    for (const std::uint32_t inner : {128u, 160u, 160u, 192u}) {
        const shape_class s = picture(4, inner);
        const node_id one = conv("conv1x1", picture(4, 192), at);
        const node_id seven = conv("conv7x1", picture(4, 192), conv("conv1x7", s, conv("conv1x1", s, at)));
        node_id twice = conv("conv7x1", s, conv("conv1x1", s, at));
        twice = conv("conv1x7", picture(4, 192), conv("conv7x1", s, conv("conv1x7", s, twice)));
        const node_id pool = conv("conv1x1", picture(4, 192), b.add("mean_pool", picture(4, 768), {at}));
        at = b.add("concat", picture(4, 768), {one, seven, twice, pool});
    }
    {
        const shape_class s = picture(4, 192);
        const node_id three = conv("conv3x3_by2", picture(5, 320), conv("conv1x1", s, at));
        node_id seven = conv("conv7x1", s, conv("conv1x7", s, conv("conv1x1", s, at)));
        seven = conv("conv3x3_by2", picture(5, 192), seven);
        at = b.add("concat", picture(5, 1280), {three, seven, b.add("max_pool", picture(5, 768), {at})});
    }
    for (int i = 0; i < 2; ++i) {
        const shape_class s = picture(5, 384);
        const auto split = [&](node_id from) {
            const node_id flat = conv("conv1x3", s, from);
            return b.add("concat", picture(5, 768), {flat, conv("conv3x1", s, from)});
        };
        const node_id one = conv("conv1x1", picture(5, 320), at);
        const node_id three = split(conv("conv1x1", s, at));
        const node_id twice = split(conv("conv3x3", s, conv("conv1x1", picture(5, 448), at)));
        const node_id pool = conv("conv1x1", picture(5, 192), b.add("mean_pool", picture(5, 2048), {at}));
        at = b.add("concat", picture(5, 2048), {one, three, twice, pool});
    }
    b.chain({"mean_pool", "dense"}, 1000, at);
    return std::move(b.made);
}

topology densenet121() {
    builder b;
    node_id at = b.chain({"conv7x7", "norm", "relu", "max_pool"}, picture(1, 64), b.add("input", 0, {}));
    constexpr std::array<std::uint32_t, 4> layers = {6, 12, 24, 16};
    std::uint32_t channels = 64;
    for (std::uint32_t block = 0; block < layers.size(); ++block) {
        std::vector<node_id> parts = {at};
        for (std::uint32_t i = 0; i < layers[block]; ++i) {
            const node_id squeezed = b.chain({"norm", "relu", "conv1x1"}, picture(block + 2, channels), at);
            parts.push_back(b.chain({"norm", "relu", "conv3x3"}, picture(block + 2, 128), squeezed));
            channels += 32;
            at = b.add("concat", picture(block + 2, channels), parts);
        }
        if (block + 1 == layers.size()) break;
        channels /= 2;
        at = b.chain({"norm", "relu", "conv1x1", "mean_pool"}, picture(block + 3, channels), at);
    }
    b.chain({"norm", "relu", "mean_pool", "dense"}, 1000, at);
    return std::move(b.made);
}

topology bert(std::uint32_t layers) {
    // Shape classes: a mask, one value a word, words by width, words by four widths, heads, pairs of words.
    constexpr shape_class mask_shape = 1;
    constexpr shape_class row = 2;
    constexpr shape_class words = 3;
    constexpr shape_class wide = 4;
    constexpr shape_class heads = 5;
    constexpr shape_class scores = 6;
    builder b;
    const auto normalised = [&](node_id x) {
        const node_id centred = b.add("subtract", words, {x, b.add("mean", row, {x})});
        const node_id spread = b.chain({"square", "mean", "add_epsilon", "sqrt"}, row, centred);
        return b.chain({"scale", "shift"}, words, b.add("divide", words, {centred, spread}));
    };
    const node_id mask = b.chain({"subtract", "scale"}, mask_shape, b.add("input", mask_shape, {}));
    node_id at = b.chain({"embedding", "add_place", "add_segment"}, words, b.add("input", row, {}));
    at = normalised(at);
    for (std::uint32_t i = 0; i < layers; ++i) {
        std::array<node_id, 3> projected{};
        for (node_id& p : projected) {
            p = b.chain({"reshape", "transpose"}, heads, b.chain({"matmul", "bias"}, words, at));
        }
        const node_id scaled = b.chain({"scale"}, scores, b.add("matmul", scores, {projected[0], projected[1]}));
        const node_id shares = b.chain({"softmax"}, scores, b.add("add_mask", scores, {scaled, mask}));
        const node_id mixed = b.chain({"transpose", "reshape"}, words, b.add("matmul", heads, {shares, projected[2]}));
        at = normalised(b.add("add", words, {b.chain({"matmul", "bias"}, words, mixed), at}));
        const node_id inner = b.chain({"matmul", "bias"}, wide, at);
        const node_id gate = b.chain({"divide", "erf", "add_one"}, wide, inner);
        const node_id active = b.chain({"halve"}, wide, b.add("multiply", wide, {inner, gate}));
        at = normalised(b.add("add", words, {b.chain({"matmul", "bias"}, words, active), at}));
    }
    b.chain({"first_word", "matmul", "bias", "tanh"}, row, at);
    return std::move(b.made);
}

topology nasnet_a() {
    builder b;
    constexpr node_id none = inlay::no_node;
    struct tensor {
        node_id node = none;
        std::uint32_t halvings = 0;
    };
    std::uint32_t filters = 11;
    std::uint32_t halvings = 1;
    shape_class shape = 0;
    const auto separable = [&](word first, word second, node_id at) {
        return b.chain({"relu", first, "conv1x1", "norm", "relu", second, "conv1x1", "norm"}, shape, at);
    };
    const auto by5 = [&](node_id at) { return separable("depthwise5x5", "depthwise5x5", at); };
    const auto by3 = [&](node_id at) { return separable("depthwise3x3", "depthwise3x3", at); };
    // Operands in braces are built from left to right, whatever the compiler.
    const auto sum = [&](std::vector<node_id> operands) { return b.add("add", shape, std::move(operands)); };
    // The tensor of the cell before the last one, brought to this cell's size.
    const auto adjusted = [&](tensor before, tensor last) {
        if (before.node == none) return last.node;
        const node_id active = b.add("relu", shape, {before.node});
        if (before.halvings == last.halvings) return b.chain({"conv1x1", "norm"}, shape, active);
        const node_id even = b.chain({"mean_pool_by2", "conv1x1"}, shape, active);
        const node_id odd = b.chain({"pad", "crop", "mean_pool_by2", "conv1x1"}, shape, active);
        return b.chain({"norm"}, shape, b.add("concat", shape, {even, odd}));
    };
    const auto normal = [&](tensor last, tensor before) {
        shape = picture(halvings, filters);
        const node_id p = adjusted(before, last);
        const node_id h = b.chain({"relu", "conv1x1", "norm"}, shape, last.node);
        const node_id first = sum({by5(h), by3(p)});
        const node_id second = sum({by5(p), by3(p)});
        const node_id third = sum({b.add("mean_pool", shape, {h}), p});
        const node_id fourth = sum({b.add("mean_pool", shape, {p}), b.add("mean_pool", shape, {p})});
        const node_id fifth = sum({by3(h), h});
        return tensor{b.add("concat", picture(halvings, filters * 6), {p, first, second, third, fourth, fifth}), halvings};
    };
    const auto reduction = [&](tensor last, tensor before) {
        shape = picture(++halvings, filters);
        const node_id p = adjusted(before, last);
        const node_id h = b.chain({"relu", "conv1x1", "norm"}, shape, last.node);
        const auto by7_2 = [&](node_id at) { return separable("depthwise7x7_by2", "depthwise7x7", at); };
        const auto by5_2 = [&](node_id at) { return separable("depthwise5x5_by2", "depthwise5x5", at); };
        const node_id first = sum({by5_2(h), by7_2(p)});
        const node_id second = sum({b.add("max_pool_by2", shape, {h}), by7_2(p)});
        const node_id third = sum({b.add("mean_pool_by2", shape, {h}), by5_2(p)});
        const node_id fourth = sum({second, b.add("mean_pool", shape, {first})});
        const node_id fifth = sum({by3(first), b.add("max_pool_by2", shape, {h})});
        return tensor{b.add("concat", picture(halvings, filters * 4), {second, third, fourth, fifth}), halvings};
    };
    tensor before;
    tensor last = {b.chain({"conv3x3_by2", "norm"}, picture(1, 32), b.add("input", 0, {})), halvings};
    const auto step = [&](const auto& cell) { before = std::exchange(last, cell(last, before)); };
    step(reduction);
    filters *= 2;
    step(reduction);
    for (int stage = 0; stage < 3; ++stage) {
        filters *= 2;
        if (stage > 0) step(reduction);
        for (int i = 0; i < 4; ++i) step(normal);
    }
    b.chain({"relu", "mean_pool", "flatten", "dense", "bias", "softmax"}, 1000, last.node);
    return std::move(b.made);
}

topology nasrnn(std::uint32_t steps) {
    builder b;
    constexpr shape_class s = 512;
    node_id state = b.add("input", s, {});
    for (std::uint32_t i = 0; i < steps; ++i) {
        const node_id x = b.add("input", s, {});
        std::array<node_id, 8> t{};
        for (node_id& each : t) {
            const node_id from_x = b.add("matmul", s, {x});
            each = b.add("add", s, {from_x, b.add("matmul", s, {state})});
        }
        const auto join = [&](word op, word left, node_id l, word right, node_id r) {
            const node_id first = b.add(left, s, {l});
            return b.add(op, s, {first, b.add(right, s, {r})});
        };
        const node_id m0 = join("add", "relu", t[0], "sigmoid", t[3]);
        const node_id m1 = join("add", "sigmoid", t[1], "tanh", t[2]);
        const node_id m2 = join("multiply", "sigmoid", t[4], "tanh", t[5]);
        const node_id m3 = join("multiply", "sigmoid", t[6], "relu", t[7]);
        const node_id m4 = join("add", "sigmoid", m1, "tanh", m2);
        const node_id m5 = join("multiply", "tanh", m0, "tanh", m3);
        state = b.chain({"tanh"}, s, join("multiply", "tanh", m4, "tanh", m5));
    }
    return std::move(b.made);
}

topology randwire(std::uint64_t seed) {
    constexpr std::uint32_t count = 32;
    constexpr double rewired = 0.75;
    random_stream draw(seed);
    builder b;
    node_id at = b.chain({"conv3x3_by2", "norm"}, picture(1, 39), b.add("input", 0, {}));
    at = b.chain({"relu", "conv3x3_by2", "norm"}, picture(2, 78), at);
    for (std::uint32_t stage = 0; stage < 3; ++stage) {
        // Watts and Strogatz 1998: a ring in which each knows two on either side; then ends are moved to others at random.
        std::set<std::pair<std::uint32_t, std::uint32_t>> wires;
        const auto wire = [](std::uint32_t x, std::uint32_t y) { return std::pair{std::min(x, y), std::max(x, y)}; };
        for (std::uint32_t i = 0; i < count; ++i) {
            for (std::uint32_t away = 1; away <= 2; ++away) wires.insert(wire(i, (i + away) % count));
        }
        for (std::uint32_t away = 1; away <= 2; ++away) {
            for (std::uint32_t i = 0; i < count; ++i) {
                if (draw.unit() >= rewired) continue;
                std::uint32_t to = draw.below(count);
                while (to == i || wires.count(wire(i, to)) > 0) to = draw.below(count);
                wires.erase(wire(i, (i + away) % count));
                wires.insert(wire(i, to));
            }
        }
        const shape_class s = picture(stage + 3, 78u << stage);
        std::vector<node_id> out(count);
        std::vector<bool> read(count, false);
        for (std::uint32_t i = 0; i < count; ++i) {
            std::vector<node_id> operands;
            for (const auto& [from, to] : wires) {
                if (to != i) continue;
                operands.push_back(out[from]);
                read[from] = true;
            }
            if (operands.empty()) operands.push_back(at);
            const node_id sum = operands.size() > 1 ? b.add("add", s, operands) : operands[0];
            out[i] = b.chain({"relu", "separable3x3", "norm"}, s, sum);
        }
        std::vector<node_id> ends;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (!read[i]) ends.push_back(out[i]);
        }
        at = ends.size() > 1 ? b.add("mean", s, ends) : ends[0];
    }
    b.chain({"relu", "conv1x1", "norm", "mean_pool", "dense"}, 1000, at);
    return std::move(b.made);
}

namespace {

/// Who reads whom, and whether a path leaves a set and enters it again.
class paths {
public:
    explicit paths(const topology& of) : users_(of.nodes.size()), producers_(of.nodes.size()), seen_(of.nodes.size(), 0) {
        for (const inlay::problem_edge& e : of.edges) {
            users_[e.from].push_back(e.to);
            producers_[e.to].push_back(e.from);
        }
        for (auto& list : users_) std::sort(list.begin(), list.end());
    }

    [[nodiscard]] const std::vector<node_id>& users(node_id v) const { return users_[v]; }
    [[nodiscard]] const std::vector<node_id>& producers(node_id v) const { return producers_[v]; }

    /// Whether no path leaves the set, ascending, and enters it again.
    [[nodiscard]] bool convex(std::span<const node_id> set) {
        ++round_;
        const auto inside = [&](node_id v) { return std::find(set.begin(), set.end(), v) != set.end(); };
        stack_.clear();
        const auto open = [&](node_id v) {
            // Beyond the set's last node nothing comes back. The longest steps first: where there is a way, they find it soon.
            const auto& list = users_[v];
            stack_.push_back({v, static_cast<std::size_t>(std::upper_bound(list.begin(), list.end(), set.back()) - list.begin())});
        };
        for (const node_id from : set) {
            open(from);
            while (!stack_.empty()) {
                frame& top = stack_.back();
                if (top.left == 0) {
                    stack_.pop_back();
                    continue;
                }
                const bool outside = stack_.size() > 1;
                const node_id next = users_[top.node][--top.left];
                if (inside(next)) {
                    if (outside) return false;
                    continue;
                }
                if (seen_[next] == round_) continue;
                seen_[next] = round_;
                open(next);
            }
        }
        return true;
    }

private:
    struct frame {
        node_id node;
        std::size_t left;
    };

    std::vector<std::vector<node_id>> users_;
    std::vector<std::vector<node_id>> producers_;
    std::vector<std::uint64_t> seen_;
    std::uint64_t round_ = 0;
    std::vector<frame> stack_;
};

}  // namespace

std::vector<std::vector<node_id>> connected_convex_sets(const topology& of, std::uint32_t most) {
    paths graph(of);
    std::vector<std::vector<node_id>> made;
    for (std::size_t v = 0; v < of.nodes.size(); ++v) made.push_back({static_cast<node_id>(v)});
    // A connected convex set has a node, first or last in it, without which it is connected and convex: so all are grown node by node.
    std::size_t first = 0;
    for (std::uint32_t size = 2; size <= most; ++size) {
        const std::size_t last = made.size();
        std::vector<std::vector<node_id>> grown;
        for (std::size_t i = first; i < last; ++i) {
            std::vector<node_id> near;
            for (const node_id v : made[i]) {
                near.insert(near.end(), graph.users(v).begin(), graph.users(v).end());
                near.insert(near.end(), graph.producers(v).begin(), graph.producers(v).end());
            }
            std::sort(near.begin(), near.end());
            near.erase(std::unique(near.begin(), near.end()), near.end());
            for (const node_id v : near) {
                if (std::binary_search(made[i].begin(), made[i].end(), v)) continue;
                std::vector<node_id> set = made[i];
                set.insert(std::upper_bound(set.begin(), set.end(), v), v);
                if (graph.convex(set)) grown.push_back(std::move(set));
            }
        }
        std::sort(grown.begin(), grown.end());
        grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
        first = last;
        made.insert(made.end(), std::make_move_iterator(grown.begin()), std::make_move_iterator(grown.end()));
    }
    return made;
}

std::vector<std::vector<node_id>> independent_pairs(const topology& of, std::uint32_t most, std::uint64_t seed) {
    paths graph(of);
    std::vector<std::vector<node_id>> made;
    std::vector<bool> reached;
    for (std::size_t u = 0; u < of.nodes.size(); ++u) {
        reached.assign(of.nodes.size(), false);
        reached[u] = true;
        for (std::size_t v = u + 1; v < of.nodes.size(); ++v) {
            const auto& producers = graph.producers(static_cast<node_id>(v));
            reached[v] = std::any_of(producers.begin(), producers.end(), [&](node_id w) { return reached[w]; });
            if (!reached[v]) made.push_back({static_cast<node_id>(u), static_cast<node_id>(v)});
        }
    }
    // The first `most` of a shuffle.
    random_stream draw(random_stream::mixed(seed + 1));
    most = static_cast<std::uint32_t>(std::min<std::size_t>(most, made.size()));
    for (std::uint32_t i = 0; i < most; ++i) std::swap(made[i], made[i + draw.below(static_cast<std::uint32_t>(made.size()) - i)]);
    made.resize(most);
    std::sort(made.begin(), made.end());
    return made;
}

std::vector<std::vector<node_id>> independent_siblings(const topology& of) {
    constexpr node_id farthest = 256;
    paths graph(of);
    std::vector<std::vector<node_id>> made;
    for (std::size_t u = 0; u < of.nodes.size(); ++u) {
        const auto& users = graph.users(static_cast<node_id>(u));
        for (std::size_t i = 0; i < users.size(); ++i) {
            for (std::size_t j = i + 1; j < users.size() && users[j] - users[i] <= farthest; ++j) {
                const std::vector<node_id> pair = {users[i], users[j]};
                const auto& next = graph.users(pair[0]);
                if (std::binary_search(next.begin(), next.end(), pair[1]) || !graph.convex(pair)) continue;
                made.push_back(pair);
            }
        }
    }
    std::sort(made.begin(), made.end());
    made.erase(std::unique(made.begin(), made.end()), made.end());
    return made;
}

}  // namespace bench
