#include "buffers.hpp"

#include <cstdint>

namespace jimbo {
namespace {

std::string shape_text(const std::vector<int>& shape) {
    std::string text = "(";
    for (int size : shape) text += std::to_string(size) + ",";
    if (shape.size() > 1) text.pop_back();
    return text + ")";
}

bool fits(const Py_buffer& view, const ItemKind& kind) {
    std::string_view format = view.format == nullptr ? "B" : view.format;
    while (!format.empty() && (format.front() == '@' || format.front() == '=' || format.front() == '<')) {
        format.remove_prefix(1);
    }
    if (static_cast<std::size_t>(view.itemsize) != kind.size || format.empty()) return false;
    return kind.formats.find(format.front()) != std::string_view::npos;
}

bool fits(const Py_buffer& view, const std::vector<int>& shape) {
    if (static_cast<std::size_t>(view.ndim) != shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (view.shape[i] != shape[i]) return false;
    }
    return true;
}

}  // namespace

Buffer::Buffer(nanobind::handle array, std::string_view name, const ItemKind& kind, const std::vector<int>& shape,
               bool writable) {
    const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    const auto refuse = [&] {
        throw std::invalid_argument(std::string(name) + " must be a C-contiguous " + (writable ? "writable " : "") +
                                    std::string(kind.name) + " array of shape " + shape_text(shape));
    };
    auto view = std::make_unique<Py_buffer>();
    if (PyObject_GetBuffer(array.ptr(), view.get(), flags) != 0) {
        PyErr_Clear();
        refuse();
    }
    view_.reset(view.release());
    const bool aligned = reinterpret_cast<std::uintptr_t>(view_->buf) % kind.alignment == 0;
    if (!fits(*view_, kind) || !fits(*view_, shape) || !aligned) refuse();
}

}  // namespace jimbo
