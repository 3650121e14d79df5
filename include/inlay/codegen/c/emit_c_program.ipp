// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_EMIT_C_PROGRAM_IPP
#define INLAY_CODEGEN_C_EMIT_C_PROGRAM_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/c/emit_c_program.hpp>

#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/c/c_program.hpp>
#include <inlay/codegen/c/c_unit.hpp>
#include <inlay/core/in_force.hpp>
#include <inlay/core/memory_plan.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/target/format.hpp>

namespace inlay::detail {

std::string c_name_of_region(const region_view& r) {
    std::string made;
    std::size_t count = 0;
    for (const region_value& v : r.calls()) {
        if (v.kind != region_value::role::call || count++ == 3) continue;
        const std::string_view op = v.op.substr(v.op.rfind('.') + 1);
        for (std::size_t i = 0; i < op.size(); ++i) {
            const bool is_upper = op[i] >= 'A' && op[i] <= 'Z', was_lower = i != 0 && op[i - 1] >= 'a' && op[i - 1] <= 'z';
            if (i == 0 || (is_upper && was_lower)) made += "_";
            made += is_upper ? static_cast<char>(op[i] - 'A' + 'a') : op[i];
        }
    }
    return made;
}

c_part c_copy() {
    c_part p;
    p.name = "_copy";
    p.text =
        "static void _copy(void* to, const void* from, int64_t bytes) {\n    for (int64_t i = 0; i < bytes; ++i) ((unsigned "
        "char*)to)[i] = ((const unsigned char*)from)[i];\n}\n";
    return p;
}

c_program_maker::tensor_number c_program_maker::add_input(c_tensor t) {
    t.name = is_function_ ? "in" + std::to_string(made_.inputs.size()) : free_c_member(input_names_, t.known);
    tensors_.push_back({place::input, made_.inputs.size(), t.bytes});
    made_.inputs.push_back(std::move(t));
    return tensors_.size() - 1;
}

c_program_maker::tensor_number c_program_maker::add_constant(const tensor& t) {
    const auto [known, is_new] = constants_.try_emplace(t.data(), tensors_.size());
    if (!is_new) return known->second;
    tensors_.push_back({place::constant, made_.constants.size(), t.bytes()});
    made_.constants.push_back({(is_function_ ? "w" : made_.name + "_w") + std::to_string(made_.constants.size()), t, made_.weight_bytes});
    made_.weight_bytes += (t.bytes() + 63) / 64 * 64;
    return known->second;
}

c_program_maker::tensor_number c_program_maker::add(std::size_t bytes) {
    tensors_.push_back({place::arena, 0, bytes, steps_.size(), steps_.size()});
    return tensors_.size() - 1;
}

std::string c_program_maker::name_for(const c_part& p, const std::string& function) {
    if (!is_function_) return unit_.add(p, made_.name + function);
    return callees_.emplace_back(renamed(p, free_c_word(callee_names_, function))).name;
}

void c_program_maker::call(const c_part& p, const std::string& function, std::vector<tensor_number> from,
                           const std::vector<tensor_number>& to, std::string comment) {
    for (const tensor& t : p.constants) from.push_back(add_constant(t));
    step s{p.text.empty() ? std::string() : name_for(p, function), std::move(from), {}, std::move(comment)};
    for (const tensor_number t : s.reads) use(t);
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (i < p.views.size() && p.views[i].input >= 0) continue;
        use(to[i]);
        s.gives.push_back(to[i]);
    }
    if (p.workspace_bytes != 0) s.gives.push_back(add(p.workspace_bytes));
    if (!s.function.empty()) steps_.push_back(std::move(s));
}

void c_program_maker::add_result(c_tensor t, tensor_number from) {
    t.name = is_function_ ? "out" + std::to_string(made_.results.size()) : free_c_member(result_names_, t.known);
    held& h = tensors_[from];
    if (h.where == place::arena && h.bytes == t.bytes) {
        h.where = place::result;
        h.number = made_.results.size();
    } else {
        copies_.emplace_back(from, made_.results.size());
    }
    made_.results.push_back(std::move(t));
}

void c_program_maker::write_calls() {
    // Copies come last, in a step of their own each.
    for (const auto& [from, result] : copies_) use(from);
    std::vector<buffer_life> lives;
    std::vector<tensor_number> of;
    for (tensor_number t = 0; t < tensors_.size(); ++t)
        if (tensors_[t].where == place::arena) {
            // An empty tensor has a place of its own, since C's compilers refuse equal pointers where each is restricted.
            lives.push_back({std::max<std::size_t>(tensors_[t].bytes, in_force<"codegen.c.empty-places">() ? 1 : 0),
                             static_cast<std::uint32_t>(tensors_[t].first),
                             static_cast<std::uint32_t>(std::max(tensors_[t].first, tensors_[t].last)), buffer_life::nobody});
            of.push_back(t);
        }
    const memory_plan plan = plan_memory(lives);
    for (std::size_t i = 0; i < of.size(); ++i) tensors_[of[i]].number = plan.offsets[i];
    made_.arena_bytes = plan.total;
    made_.arena_bound = plan.live;
    for (const step& s : steps_) {
        std::string given;
        for (const std::vector<tensor_number>* all : {&s.reads, &s.gives})
            for (const tensor_number t : *all) given += (given.empty() ? "" : ", ") + text_of(t);
        made_.calls.push_back(s.function + "(" + given + ");" + (s.comment.empty() ? "" : " /* " + c_comment(s.comment) + " */"));
    }
    if (copies_.empty()) return;
    const std::string copy = name_for(c_copy(), "_copy");
    for (const auto& [from, result] : copies_)
        made_.calls.push_back(copy + "(" + (is_function_ ? "" : "outputs->") + made_.results[result].name + ", " + text_of(from) + ", " +
                              std::to_string(made_.results[result].bytes) + ");");
}

c_program c_program_maker::finish() {
    write_calls();
    made_.functions = unit_.text();
    made_.headers = unit_.headers();
    made_.sources = unit_.sources();
    made_.function_count = unit_.size();
    return std::move(made_);
}

c_part c_program_maker::finish_function(std::string name) {
    write_calls();
    c_part p;
    p.name = std::move(name);
    const auto reads = [](element_type e, const std::string& own) {
        return "const " + std::string(stored_c_type(e)) + "* restrict " + own;
    };
    std::vector<std::string> parameters;
    for (const c_tensor& t : made_.inputs) parameters.push_back(reads(t.element, t.name));
    for (const c_constant& c : made_.constants) {
        parameters.push_back(reads(c.value.element(), c.name));
        p.constants.push_back(c.value);
    }
    for (const c_tensor& t : made_.results) parameters.push_back(std::string(stored_c_type(t.element)) + "* restrict " + t.name);
    if (made_.arena_bytes != 0) parameters.emplace_back("unsigned char* workspace");
    std::string body;
    for (const std::string& call : made_.calls) body += "    " + call + "\n";
    p.text = c_function_text(p.name, parameters, body);
    p.workspace_bytes = made_.arena_bytes;
    p.callees = std::move(callees_);
    return p;
}

std::string c_program_maker::text_of(tensor_number t) const {
    const held& h = tensors_[t];
    switch (h.where) {
        case place::input:
            return (is_function_ ? "" : "inputs->") + made_.inputs[h.number].name;
        case place::result:
            return (is_function_ ? "" : "outputs->") + made_.results[h.number].name;
        case place::arena:
            return std::string("(void*)(") + (is_function_ ? "workspace" : "arena") + " + " + std::to_string(h.number) + ")";
        case place::constant:
            break;
    }
    const c_constant& c = made_.constants[h.number];
    return is_function_ || made_.weights == c_weights::embedded ? c.name : "(const void*)(weights + " + std::to_string(c.offset) + ")";
}

}  // namespace inlay::detail

#endif
