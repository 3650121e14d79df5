// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_VERSIONS_HPP
#define INLAY_IO_ONNX_ONNX_VERSIONS_HPP

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <onnx/onnx_pb.h>

#include <inlay/graph/attribute.hpp>

namespace inlay::detail {

/// What a written model uses: domains of operator sets, and operators of the default one.
struct used_operators {
    std::set<std::string, std::less<>> domains, operators;
};

/// States the version of each operator set that is used, and of the format. The newest forms are those of version 18, but for operators
/// that came, or got their form, later. Versions of other domains than the default one stand in `facts`, as `opset.DOMAIN`.
inline void write_versions(const used_operators& used, const attribute_map& facts, onnx::ModelProto& model) {
    static constexpr std::pair<std::string_view, std::int64_t> later[] = {{"AffineGrid", 20},
                                                                          {"Attention", 23},
                                                                          {"DFT", 20},
                                                                          {"Gelu", 20},
                                                                          {"GridSample", 20},
                                                                          {"GroupNormalization", 21},
                                                                          {"RMSNormalization", 23},
                                                                          {"RegexFullMatch", 20},
                                                                          {"RotaryEmbedding", 23},
                                                                          {"StringConcat", 20},
                                                                          {"StringSplit", 20},
                                                                          {"Swish", 24},
                                                                          {"TensorScatter", 24}};
    std::int64_t version = 18;
    for (const auto& [op, since] : later)
        if (used.operators.count(op) != 0) version = std::max(version, since);
    std::set<std::string, std::less<>> domains = used.domains;
    domains.insert("ai.onnx");
    for (const std::string& domain : domains) {
        auto& import = *model.add_opset_import();
        import.set_domain(domain == "ai.onnx" ? "" : domain);
        import.set_version(domain == "ai.onnx" ? version : facts.integer("opset." + domain, 1));
    }
    model.set_ir_version(version < 19 ? 8 : version < 21 ? 9 : version < 23 ? 10 : 11);
    model.set_producer_name("inlay");
}

}  // namespace inlay::detail

#endif
