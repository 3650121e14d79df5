// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_INLAY_HPP
#define INLAY_INLAY_HPP

// From a graph to its candidates: what graphs, patterns and back ends are written against, light enough to be included everywhere.
// The one source file that makes plans includes `inlay/pipeline.hpp` beside it (search and partition come with it; alone they are
// `search/select.hpp` and `partition/partition.hpp`). Likewise where they are wanted: the reference program in `ir/`, `ops/`, `io/`,
// `cost/`, `runtime/`, `backend/`, `testing/`, and the doors to other libraries' graphs, `graph/bgl.hpp` and `graph/views.hpp`.

#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/constants_policy.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/candidate/operator_attributes.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/declare/emitter.hpp>
#include <inlay/codegen/declare/loop_phase.hpp>
#include <inlay/codegen/declare/phase_list.hpp>
#include <inlay/codegen/declare/strategy_table.hpp>
#include <inlay/codegen/emit/emit_region.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/fixed_string.hpp>
#include <inlay/core/id.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/shared_handle.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/cost/price.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/graph/dot.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/op_kind.hpp>
#include <inlay/graph/reachability.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/dsl/concepts.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/match.hpp>
#include <inlay/pattern/term/capture_names.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/format.hpp>
#include <inlay/target/limits.hpp>
#include <inlay/target/option.hpp>
#include <inlay/target/target.hpp>
#include <inlay/version.hpp>

#endif
