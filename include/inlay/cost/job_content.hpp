// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_JOB_CONTENT_HPP
#define INLAY_COST_JOB_CONTENT_HPP

#include <string_view>

#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/candidate/content_key.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// The content key of a job: jobs of equal content take the same time on one machine. It names the composite where that one makes code of
/// its own. The region's content is computed once for all candidates of a match. `backends` is a `backend_list`.
template <class List>
[[nodiscard]] digest job_content(const pricing_job& job, const List& backends) {
    if (job.what == pricing_job::subject::conversion) return content_key(job.type, job.from, job.to);
    return backends.visit(job.backend, [&]<class B>(const B& b) {
        std::string_view composite;
        if constexpr (has_composites<B>)
            if (job.match != nullptr && vtable_of(b)[job.composite].code != nullptr) composite = job.name;
        return content_key(job.match != nullptr ? job.match->body.content() : content_of(job.region), job.region, std::string_view(b.kind),
                           b.version(), target_text(b), composite);
    });
}

}  // namespace inlay

#endif
