// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_INLAY_HPP
#define INLAY_INLAY_HPP

// All of the library that needs no third party and is light: from the graph to a plan. Not here, to be included where they are wanted:
// `ops/`, `import/`, `runtime/`, `backend/`, `testing/`, and what needs a library of others: `cost/database.hpp`,
// `cost/recorded_meter.hpp`, `graph/bgl.hpp`, `graph/views.hpp`.

#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/backend.hpp>
#include <inlay/codegen/backend_list.hpp>
#include <inlay/codegen/emitter.hpp>
#include <inlay/codegen/kernel.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/fixed_string.hpp>
#include <inlay/core/id.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/content_key.hpp>
#include <inlay/cost/machine.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/cost/price.hpp>
#include <inlay/cost/roofline.hpp>
#include <inlay/cost/statistics.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/graph/dot.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/reachability.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ir/text.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/partition/plan.hpp>
#include <inlay/partition/selection_problem.hpp>
#include <inlay/partition/verify.hpp>
#include <inlay/pattern/capture_names.hpp>
#include <inlay/pattern/composite.hpp>
#include <inlay/pattern/concepts.hpp>
#include <inlay/pattern/dsl.hpp>
#include <inlay/pattern/match.hpp>
#include <inlay/search/acyclicity.hpp>
#include <inlay/search/check.hpp>
#include <inlay/search/cover.hpp>
#include <inlay/search/cover_model.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/dual_ascent.hpp>
#include <inlay/search/eager.hpp>
#include <inlay/search/elimination.hpp>
#include <inlay/search/elimination_order.hpp>
#include <inlay/search/exact.hpp>
#include <inlay/search/exhaustive.hpp>
#include <inlay/search/model.hpp>
#include <inlay/search/price.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/rows.hpp>
#include <inlay/search/scaled.hpp>
#include <inlay/search/select.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/format.hpp>
#include <inlay/target/limits.hpp>
#include <inlay/target/option.hpp>
#include <inlay/target/target.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/version.hpp>

#endif
