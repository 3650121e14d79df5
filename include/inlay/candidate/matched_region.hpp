// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_MATCHED_REGION_HPP
#define INLAY_CANDIDATE_MATCHED_REGION_HPP

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/candidate/composite_plan.hpp>
#include <inlay/candidate/content_key.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/shared_handle.hpp>

namespace inlay {

/// A region that several matches share, whatever keeps its arrays: a `region` of a graph, or a copy that came over a wire.
class shared_region {
public:
    shared_region() = default;
    /// `Body` has `view(input formats, result formats)`.
    template <class Body>
    [[nodiscard]] static shared_region of(Body body) {
        shared_region made;
        made.held_ = shared_handle<held>(new held_body<Body>(std::move(body)));
        return made;
    }

    [[nodiscard]] region_view view(std::span<const format> inputs = {}, std::span<const format> results = {}) const {
        return held_->show(*held_.get(), inputs, results);
    }
    /// The content of the region, computed when it is first asked for. Not for two threads at once.
    [[nodiscard]] const region_content& content() const {
        if (!held_->content) held_->content = content_of(view());
        return *held_->content;
    }
    [[nodiscard]] explicit operator bool() const { return static_cast<bool>(held_); }

private:
    struct held : owner_count {
        region_view (*show)(const held&, std::span<const format>, std::span<const format>);
        void (*destroy)(held*);
        std::optional<region_content> content{};

        held(decltype(show) how, decltype(destroy) end) : show(how), destroy(end) {}
        static void release(held* h) { h->destroy(h); }
    };
    template <class Body>
    struct held_body : held {
        Body body;

        explicit held_body(Body of)
            : held([](const held& h, std::span<const format> inputs,
                      std::span<const format> results) { return static_cast<const held_body&>(h).body.view(inputs, results); },
                   [](held* h) { delete static_cast<held_body*>(h); }),
              body(std::move(of)) {}
    };

    shared_handle<held> held_;
};

struct matched_region;
using matched_handle = shared_handle<matched_region>;

/// One of the matches that a back end's partition rule joined: which composite took it, and what that one learned.
struct matched_piece {
    std::uint32_t composite = 0;  // its place in the back end's pattern table
    matched_handle match;
};

/// A region that a composite took, with all that was learned when it did: made once, shared by the candidates that differ in nothing but
/// their border formats, and read by all that price, emit or measure one. The graph must outlive it.
struct matched_region : owner_count {
    shared_region body;
    /// By slot of the composite's pattern: the value of the region that is captured there, or `no_node`.
    std::vector<value_id> captures;
    composite_plan plan;
    /// Of a region that a partition rule joined: what it was joined of, in the order of enumeration. Nodes that the rule added and no
    /// composite took are in none of them.
    std::vector<matched_piece> pieces;

    explicit matched_region(shared_region of) : body(std::move(of)) {}
    static void release(matched_region* m) { delete m; }
};

}  // namespace inlay

#endif
