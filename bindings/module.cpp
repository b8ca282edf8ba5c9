// The compiled core as Python sees it. Each file of this folder binds one subject in a function bind_<subject>(m),
// which is declared and called here.
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace {

std::string build_info() {
#if defined(__clang__)
    const std::string compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
    const std::string compiler = "gcc " __VERSION__;
#elif defined(_MSC_VER)
    const std::string compiler = "msvc " + std::to_string(_MSC_VER);
#else
    const std::string compiler = "unknown compiler";
#endif
#if defined(Py_LIMITED_API)
    const std::string abi = "stable ABI";
#else
    const std::string abi = "version-specific ABI";
#endif
    return "jimbo " JIMBO_VERSION ", " + compiler + ", " + abi;
}

}  // namespace

namespace jimbo {
void bind_actions(nb::module_& m);
void bind_arena(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_batch_rows(nb::module_& m);
void bind_bench(nb::module_& m);
void bind_boards(nb::module_& m);
void bind_campaign(nb::module_& m);
void bind_campaign_source(nb::module_& m);
void bind_catalog(nb::module_& m);
void bind_codes(nb::module_& m);
void bind_explore(nb::module_& m);
void bind_flat(nb::module_& m);
void bind_game_numbers(nb::module_& m);
void bind_strategy(nb::module_& m);
void bind_names(nb::module_& m);
void bind_observation(nb::module_& m);
void bind_public_state(nb::module_& m);
void bind_recycler(nb::module_& m);
void bind_rng(nb::module_& m);
void bind_run(nb::module_& m);
void bind_seed_search(nb::module_& m);
void bind_solve(nb::module_& m);
}  // namespace jimbo

NB_MODULE(_core, m) {
    // Runs and actions that a program still holds when Python ends are not leaks worth a warning.
    nb::set_leak_warnings(false);
    m.doc() = "The rules engine, compiled. Import it through jimbo.engine.";
    m.def("build_info", &build_info, "Version, compiler and ABI of this build, in one line.");
    jimbo::bind_codes(m);  // first: others use them
    jimbo::bind_bench(m);
    jimbo::bind_catalog(m);
    jimbo::bind_explore(m);
    jimbo::bind_game_numbers(m);
    jimbo::bind_names(m);
    jimbo::bind_rng(m);
    jimbo::bind_actions(m);
    jimbo::bind_run(m);
    jimbo::bind_public_state(m);
    jimbo::bind_seed_search(m);
    jimbo::bind_observation(m);
    jimbo::bind_flat(m);
    jimbo::bind_recycler(m);
    jimbo::bind_strategy(m);
    jimbo::bind_campaign_source(m);
    jimbo::bind_batch_rows(m);
    jimbo::bind_batch(m);
    jimbo::bind_solve(m);
    jimbo::bind_arena(m);
    jimbo::bind_boards(m);
    jimbo::bind_campaign(m);
}
