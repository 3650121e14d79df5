// expect-error: inlay: a back end has a layout in `border_layouts` that is not in its `emitted_layouts`
#include "a_backend.hpp"

#include <array>

struct one_sided : a_backend {
    static constexpr std::array border_layouts{inlay::layout::plain(), inlay::layout::channels_last()};
#ifdef INLAY_COMPILES
    static constexpr std::array emitted_layouts = border_layouts;
#else
    static constexpr std::array emitted_layouts{inlay::layout::plain()};
#endif
};
static_assert(inlay::backend_list<one_sided>::size == 1);
