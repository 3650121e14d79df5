// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_LIST_EXTENDED_LIST_HPP
#define INLAY_CODEGEN_LIST_EXTENDED_LIST_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/codegen/list/list_answers.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// The back ends of a build, and behind them some that became known while the program runs, all of the type `More`: a list wherever a
/// `backend_list` is one. `Fixed` is a `backend_list`. `More` says as a value what a back end of a list says as a type: it has members
/// `kind`, `refines` and `device`, and `vtable()`, `schema()`, `assign(target)`, `set_option(name, text)`, `text()`, `version()`,
/// `usable()`, `by_name_alone()`, `emit(job)`. Model: `loaded_backend`.
template <class Fixed, class More>
class extended_list : public list_answers<extended_list<Fixed, More>> {
public:
    extended_list() { choose_all(); }
    explicit extended_list(Fixed fixed) : fixed_(std::move(fixed)) { choose_all(); }

    /// Adds a back end, which takes part. The error: its kind is taken.
    [[nodiscard]] outcome<void> add(More one) {
        if (index_of(one.kind) != count())
            return error{"there is a back end '" + std::string(one.kind) + "' already; give one of them another kind"};
        chosen_.push_back(count());
        more_.push_back(std::move(one));
        return {};
    }

    [[nodiscard]] std::size_t count() const { return Fixed::size + more_.size(); }
    /// Those that were added.
    [[nodiscard]] const std::vector<More>& more() const { return more_; }

    /// Calls `f(instance, index)` for every back end, in list order.
    template <class F>
    void for_each(F&& f) const {
        fixed_.for_each(f);
        for (std::size_t i = 0; i < more_.size(); ++i) f(more_[i], Fixed::size + i);
    }
    template <class F>
    void for_each(F&& f) {
        fixed_.for_each(f);
        for (std::size_t i = 0; i < more_.size(); ++i) f(more_[i], Fixed::size + i);
    }

    /// Calls `f(instance)` for the back end of that number and gives what it gives. Precondition: `index < count()`.
    template <class F>
    decltype(auto) visit(std::size_t index, F&& f) const {
        if constexpr (Fixed::size == 0)
            return f(more_[index]);
        else
            return index < Fixed::size ? fixed_.visit(index, f) : f(more_[index - Fixed::size]);
    }

    /// The numbers of the back ends that take part, most preferred first.
    [[nodiscard]] const std::vector<std::size_t>& chosen() const { return chosen_; }
    void choose(std::vector<std::size_t> order) { chosen_ = std::move(order); }
    void choose_all() {
        chosen_.clear();
        for (std::size_t i = 0; i < count(); ++i) chosen_.push_back(i);
    }

    /// The number of the back end of that kind; `count()` where there is none.
    [[nodiscard]] std::size_t index_of(std::string_view kind) const {
        if (const std::size_t found = Fixed::index_of(kind); found != Fixed::size) return found;
        std::size_t i = 0;
        while (i < more_.size() && std::string_view(more_[i].kind) != kind) ++i;
        return Fixed::size + i;
    }

private:
    Fixed fixed_;
    std::vector<More> more_;
    std::vector<std::size_t> chosen_;
};

}  // namespace inlay

#endif
