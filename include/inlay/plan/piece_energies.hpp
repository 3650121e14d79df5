// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PIECE_ENERGIES_HPP
#define INLAY_PLAN_PIECE_ENERGIES_HPP

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

#include <inlay/accelerator/accelerator_price.hpp>
#include <inlay/candidate/candidate.hpp>
#include <inlay/cost/roofline_model.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// It says what the pieces of a plan take, in joules, by a model: `e(candidate)`, none where nobody knows of the candidate's back end, and
/// `e(type, from, to)` for turning a tensor from one format into another, copies between memories included. Models: `modelled_energies`.
template <class E>
concept states_energy = requires(const E& e, const candidate& c, const tensor_type& type, const format& f) {
    { e(c) } -> std::same_as<std::optional<double>>;
    { e(type, f, f) } -> std::same_as<double>;
};

/// Energies behind one indirect call, which the objective `energy` adds up; by default nobody's. Refers to the callable, which must outlive
/// it; a temporary is none.
class piece_energies {
public:
    piece_energies() = default;
    template <states_energy E>
    requires(!std::same_as<std::remove_cvref_t<E>, piece_energies>) piece_energies(E& e)
        : stated_(&e),
          of_candidate_([](const void* self, const candidate& c) { return (*static_cast<const E*>(self))(c); }),
          of_conversion_([](const void* self, const tensor_type& type, const format& from, const format& to) {
              return (*static_cast<const E*>(self))(type, from, to);
          }) {}

    [[nodiscard]] explicit operator bool() const { return stated_ != nullptr; }
    [[nodiscard]] std::optional<double> operator()(const candidate& c) const { return of_candidate_(stated_, c); }
    [[nodiscard]] double operator()(const tensor_type& type, const format& from, const format& to) const {
        return of_conversion_(stated_, type, from, to);
    }

private:
    const void* stated_ = nullptr;
    std::optional<double> (*of_candidate_)(const void*, const candidate&) = nullptr;
    double (*of_conversion_)(const void*, const tensor_type&, const format&, const format&) = nullptr;
};

/// What a processor takes, a model. Horowitz (ISSCC 2014, 45 nm): a multiplication with its addition 4.6 pJ, and 70 pJ for an instruction,
/// here one for 8 elements, make 6.7 pJ for each of the two; bytes from DRAM cost 200 times a multiplication by element, as in
/// `action_energy`.
struct processor_energy {
    double joules_per_flop = 6.7e-12;
    double joules_per_byte = 230e-12;
};

/// Energies by models: of a back end that `prices_apart` what it counts, of any other one on the CPU the work of its region at `figures`,
/// of other devices none. A conversion reads and writes its tensor once. Refers to `backends`, a `backend_list`.
template <class List, counts_work W>
class modelled_energies {
public:
    explicit modelled_energies(const List& backends, W work = {}, processor_energy figures = {})
        : backends_(&backends), work_(std::move(work)), figures_(figures) {}

    [[nodiscard]] std::optional<double> operator()(const candidate& c) const {
        return backends_->visit(c.backend, [&]<class B>(const B& b) -> std::optional<double> {
            if constexpr (prices_apart<B>)
                if (const auto counted = b.price_apart(c.view())) return counted->energy_pj * 1e-12;
            if constexpr (requires { b.device; })
                if (b.device != device_type::cpu) return {};
            const region_work done = work_(c.view());
            return done.flops * figures_.joules_per_flop + done.bytes * figures_.joules_per_byte;
        });
    }
    [[nodiscard]] double operator()(const tensor_type& t, const format&, const format&) const {
        return 2 * bytes_of_tensor(t) * figures_.joules_per_byte;
    }

private:
    const List* backends_;
    W work_;
    processor_energy figures_;
};

}  // namespace inlay

#endif
