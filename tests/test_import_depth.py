"""How many modules stand above each other: the longest chain of imports in the package."""

import grimp
import numpy as np

from api_page import MODULES, lazy_names

DEEPEST = 20


def longest_chain() -> list[str]:
    """The chain, topmost module first; modules that import each other in a circle count as one.

    Imports inside functions count, and a package counts as importing the modules whose names it gives; of ``jimbo``
    itself the package uses only the version.
    """
    graph = grimp.build_graph("jimbo", cache_dir=None)
    for package in set(MODULES) - {"jimbo"}:
        for home, given in lazy_names(package).items():
            for module in [f"{package}.{name}" for name in given] if home == package else [home]:
                if module in graph.modules:  # the compiled core is no module of Python
                    graph.add_import(importer=package, imported=module)
    names = sorted(graph.modules)
    places = {name: place for place, name in enumerate(names)}
    below = [[places[entry] for entry in graph.find_modules_directly_imported_by(name)] for name in names]
    reach = np.eye(len(names), dtype=np.float32)
    for place, others in enumerate(below):
        reach[place, others] = 1
    for _ in range(len(names).bit_length()):
        reach = np.minimum(reach @ reach, 1)
    circle = np.argmax(reach * reach.T, axis=1)  # one module for all of a circle
    chains: dict[int, list[str]] = {}
    for place in sorted(set(circle), key=lambda entry: reach[entry].sum()):
        members = np.flatnonzero(circle == place)
        lower = {int(circle[entry]) for member in members for entry in below[member]} - {int(place)}
        chains[int(place)] = [names[place], *max((chains[entry] for entry in lower), key=len, default=[])]
    return max(chains.values(), key=len)


def test_the_longest_chain_of_imports_is_short() -> None:
    chain = longest_chain()
    assert len(chain) > 10
    assert len(chain) <= DEEPEST, " -> ".join(chain)
