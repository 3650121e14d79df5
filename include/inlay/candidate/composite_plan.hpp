// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_COMPOSITE_PLAN_HPP
#define INLAY_CANDIDATE_COMPOSITE_PLAN_HPP

#include <type_traits>
#include <utility>

#include <inlay/core/shared_handle.hpp>

namespace inlay {

/// What a composite learned of one match, as a value of a type that the composite alone knows: made once, when the match is accepted, and
/// handed to its `formats`, `price` and `emit`. Empty for a composite without a plan of its own. Copies share the value, which does not
/// change.
class composite_plan {
public:
    composite_plan() = default;

    template <class Plan>
    [[nodiscard]] static composite_plan of(Plan plan) {
        composite_plan made;
        made.held_ = shared_handle<held>(new held_plan<Plan>(std::move(plan)));
        return made;
    }

    /// The plan, if it is of this type; else null.
    template <class Plan>
    [[nodiscard]] const Plan* as() const {
        if (!held_ || held_->type != &type_of<Plan>) return nullptr;
        return &static_cast<const held_plan<Plan>*>(held_.get())->value;
    }
    [[nodiscard]] explicit operator bool() const { return static_cast<bool>(held_); }

private:
    /// Its address stands for the type: the library does without run-time type information.
    template <class Plan>
    static constexpr char type_of = 0;

    struct held : owner_count {
        const char* type;
        void (*destroy)(held*);

        held(const char* of, void (*how)(held*)) : type(of), destroy(how) {}
        static void release(held* h) { h->destroy(h); }
    };
    template <class Plan>
    struct held_plan : held {
        Plan value;

        explicit held_plan(Plan plan) : held(&type_of<Plan>, [](held* h) { delete static_cast<held_plan*>(h); }), value(std::move(plan)) {}
    };

    shared_handle<held> held_;
};

}  // namespace inlay

#endif
