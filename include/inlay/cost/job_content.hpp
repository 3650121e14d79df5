// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_JOB_CONTENT_HPP
#define INLAY_COST_JOB_CONTENT_HPP

#include <string_view>

#include <inlay/core/digest.hpp>
#include <inlay/cost/content_key.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// The content key of a job: jobs of equal content take the same time on one machine. `backends` is a `backend_list`.
template <class List>
[[nodiscard]] digest job_content(const pricing_job& job, const List& backends) {
    if (job.what == pricing_job::subject::conversion) return content_key(job.type, job.from, job.to);
    return backends.visit(job.backend,
                          [&](const auto& b) { return content_key(job.region, std::string_view(b.kind), b.version(), target_text(b)); });
}

}  // namespace inlay

#endif
