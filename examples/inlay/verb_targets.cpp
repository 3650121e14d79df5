// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <inlay/backend/plugin/load_folders.hpp>
#include <inlay/io/json/json.hpp>

#include "back_ends.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

answer verb_targets(const verb_options& o) {
    const std::vector<backend_facts> all = all_back_ends(o.engine.loaded);
    if (o.json) {
        json_output list = json_output::array();
        for (const backend_facts& b : all) {
            json_output options = json_output::array();
            for (const option_facts& f : b.options)
                options.push_back({{"name", f.name}, {"type", f.type}, {"default", f.otherwise}, {"doc", f.doc}});
            json_output one{{"kind", b.kind}, {"device_type", b.device}, {"refines", b.refines}, {"version", b.version}};
            one["options"] = std::move(options);
            one["patterns"] = b.patterns;
            one["usable"] = b.not_usable.empty();
            one["by_default"] = b.by_default;
            if (!b.not_usable.empty()) one["reason"] = b.not_usable;
            if (!b.file.empty()) one["library"] = b.file;
            list.push_back(std::move(one));
        }
        json_output skipped = json_output::array();
        if (o.engine.loaded != nullptr)
            for (const skipped_library& s : o.engine.loaded->skipped) skipped.push_back({{"library", s.file}, {"reason", s.reason}});
        std::cout << write_json(json_output{{"version", 1}, {"targets", list}, {"skipped", skipped}}, 2) << "\n";
        return answer::done;
    }
    for (const backend_facts& b : all) {
        std::cout << b.kind << "  (" << b.device << ", refines " << b.refines << ", version " << b.version << ")"
                  << (b.not_usable.empty() ? "" : "  not usable here: " + b.not_usable) << (b.file.empty() ? "" : "  from " + b.file)
                  << (b.by_default ? "" : "  takes part where it is named or needed") << "\n";
        for (const option_facts& f : b.options)
            std::cout << "  -" << f.name << "=" << f.type << "  default " << f.otherwise << "  " << f.doc << "\n";
        std::cout << "  patterns:";
        for (const std::string& p : b.patterns) std::cout << " " << p;
        std::cout << "\n";
    }
    return answer::done;
}

}  // namespace tool
