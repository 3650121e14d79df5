// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_TAKES_WHAT_IT_CAN_HPP
#define INLAY_BACKEND_TAKES_WHAT_IT_CAN_HPP

#include <inlay/pattern/dsl/verdict.hpp>

namespace inlay {

/// The predicate of a back end that says of a region with `can(region)`, an outcome, whether it takes it: the error is the reason.
struct takes_what_it_can {
    template <class B, class Match>
    verdict operator()(const B& self, const Match& m) const {
        const auto can = self.can(m.region());
        return can ? verdict::yes() : verdict::no(can.failure().message);
    }
};

}  // namespace inlay

#endif
