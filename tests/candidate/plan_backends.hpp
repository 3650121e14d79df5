// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CANDIDATE_PLAN_BACKENDS_HPP
#define INLAY_TESTS_CANDIDATE_PLAN_BACKENDS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <inlay/candidate/join_composites.hpp>
#include <inlay/candidate/partition_rules.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/pattern/dsl/call_on.hpp>

#include "candidate/toy_backends.hpp"

namespace toys {

/// What a rectifier's composite learned: how many elements it has, and in which of two ways they are gone through.
struct relu_plan {
    std::size_t elements = 0;
    bool backwards = false;
    const inlay::attribute_map* attributes = nullptr;
};

/// Rectifies the elements in one of two orders, and says in its note which.
struct relu_code {
    relu_plan plan;

    [[nodiscard]] bool run(const inlay::run_arguments& arguments) const {
        const auto* from = static_cast<const float*>(arguments.inputs[0]);
        auto* to = static_cast<float*>(arguments.results[0]);
        for (std::size_t i = 0; i < plan.elements; ++i) {
            const std::size_t at = plan.backwards ? plan.elements - 1 - i : i;
            to[at] = from[at] > 0 ? from[at] : 0;
        }
        return true;
    }
};

/// An entry with every part of its own.
template <bool Backwards>
struct relu_entry {
    template <class B, class Match>
    [[nodiscard]] inlay::outcome<relu_plan> read(const B& self, const Match& m) const {
        const inlay::region_value& x = m.template at<"x">();
        const auto count = inlay::element_count(inlay::static_shape(x.type->of_tensor));
        if (static_cast<std::size_t>(*count) > self.most)
            return inlay::error{"it has " + std::to_string(*count) + " elements; the back end takes " + std::to_string(self.most)};
        return relu_plan{static_cast<std::size_t>(*count), Backwards, nullptr};
    }
    template <class B>
    [[nodiscard]] std::vector<inlay::border_formats> formats(const B&, const relu_plan&, const inlay::region_view& r) const {
        return {inlay::plain_borders(r)};
    }
    template <class B>
    [[nodiscard]] std::optional<double> price(const B& self, const relu_plan& p, const inlay::region_view&) const {
        if (self.measured) return std::nullopt;
        return p.backwards ? self.backwards : self.forwards;
    }
    template <class B>
    [[nodiscard]] double lower_bound(const B& self, const relu_plan& p, const inlay::region_view&) const {
        return (p.backwards ? self.backwards : self.forwards) / 2;
    }
    template <class B>
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const B&, const relu_plan& p, const inlay::region_view&) const {
        inlay::kernel made(relu_code{p});
        made.note = p.backwards ? "backwards" : "forwards";
        return made;
    }
};

/// A back end with two ways to run one node, each an entry with a plan, and no functions on regions at all.
struct two_ways {
    static constexpr std::string_view kind = "two_ways", refines = "llvm";
    static constexpr inlay::device_type device = inlay::device_type::cpu;

    std::size_t most = 1000;
    double forwards = 2, backwards = 1;
    bool measured = false;
    using options = inlay::option_list<inlay::option<"measured", &two_ways::measured, "prices are measured">,
                                       inlay::option<"backwards", &two_ways::backwards, "what going backwards costs">>;

    static std::string version() { return "1"; }
    [[nodiscard]] inlay::outcome<void> usable() const { return {}; }
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return inlay::pattern_table(inlay::composite<"relu_forwards">(op<"onnx.Relu">(as<"x">), relu_entry<false>{}),
                                    inlay::composite<"relu_backwards">(op<"onnx.Relu">(as<"x">), relu_entry<true>{}));
    }
};
static_assert(inlay::backend<two_ways>);

/// Joins two rectifiers, and reads the plans of both.
struct joined_relus {
    struct plan {
        std::vector<relu_plan> parts;
    };

    template <class B>
    [[nodiscard]] inlay::outcome<plan> read(const B&, const inlay::joined_view& j) const {
        plan made;
        for (const inlay::matched_piece& piece : j.pieces) {
            const auto* part = piece.match->plan.template as<relu_plan>();
            if (part == nullptr) return inlay::error{"a piece of it was read by another composite"};
            made.parts.push_back(*part);
        }
        return made;
    }
    template <class B>
    [[nodiscard]] std::vector<inlay::border_formats> formats(const B&, const plan&, const inlay::region_view& r) const {
        return {inlay::plain_borders(r)};
    }
    template <class B>
    [[nodiscard]] std::optional<double> price(const B&, const plan& p, const inlay::region_view&) const {
        return 0.25 * static_cast<double>(p.parts.size());
    }
    template <class B>
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const B&, const plan& p, const inlay::region_view&) const {
        inlay::kernel made(relu_code{p.parts.front()});
        made.note = std::to_string(p.parts.size()) + " at once";
        return made;
    }
};
struct joining : two_ways {
    static constexpr std::string_view kind = "joining";
    using joined = joined_relus;
    using partition_rule = inlay::only_valid_rule<inlay::arbitrary_fusion<inlay::matched_rule, 2>, inlay::subgraph_limits{1, false, 2}>;
};

}  // namespace toys

#endif
