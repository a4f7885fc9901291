"""Every rule that a build keeps, in one list: what is wrong with it, a sentence each."""

from hardware import assembly, fencerules, magnetrules, rules, screws, shopping
from hardware.plan import Build


def faults(build: Build) -> list[str]:
    """Return everything that is wrong with a build, none when it can be built."""
    board, plan = build.board, build.plan
    return [
        *rules.faults(build.circuit),
        *magnetrules.faults(build.magnets, board, plan),
        *screws.faults(board, plan, assembly.table(board, plan), build.magnets),
        *fencerules.faults(board, plan),
        *(f"not in the lists: {part}" for part in shopping.missing(build.bought, build.circuit)),
        *(
            f"not in the lists: {screw}"
            for screw in shopping.missing_screws(build.bought, board, plan)
        ),
    ]
