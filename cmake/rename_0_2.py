#!/usr/bin/env python3
"""Brings a program that was written for dalembert 0.1 to the names of 0.2:

    python3 rename_0_2.py FILE...

It changes the files in place. Identifiers are changed in code and comments, the names of types also in strings (messages); what
stands in strings otherwise, such as options and names of files, stays. What it cannot know is left to the compiler: it tells
bodies from constraints by where they stand, and `.spin` of what a constraint sees from others by the file they are in.
"""

import re
import sys

# Types, and what is as clear as a type: wherever they stand.
TYPES = {
    "Seen": "FrameState", "FramePlace": "FrameMarker", "CurvePlace": "CurveMarker", "AxisPlace": "AxisMarker",
    "StringPlace": "StringMarker", "LedPlace": "PrescribedMotion", "Passing": "FrameRates", "Moved": "FrameChange",
    "Crossing": "RollingContact", "SlidingCrossing": "FrictionlessContact", "CrossingView": "ContactEvaluation",
    "Roller": "Cylinder", "RollingOnRoller": "RollingOnCylinder", "SlidingOnRoller": "SlidingOnCylinder",
    "Smear": "KernelAverage", "SmearedPoint": "AveragedPoint", "SmearedRod": "AveragedRod", "Smearing": "Averaging",
    "SmearedVelocity": "AveragedVelocity", "BodySmearing": "BodyAveraging", "SpatialSmearing": "SpatialAveraging",
    "Bump": "KernelValue", "CompactBump": "CompactKernelValue", "Ledger": "EnergyMonitor", "Loaded": "WithLoad",
    "OwnStep": "SelfStepping", "OwnStepper": "SelfStepper", "Tape": "CharacteristicSolver",
    "SpectralTape": "SpectralCharacteristicSolver", "Moving": "PointState",
}
# Headers.
HEADERS = {
    "assembly/kinds": "assembly/bodies", "assembly/place": "assembly/marker", "assembly/loaded": "assembly/with_load",
    "contact/axis_place": "contact/axis_marker", "contact/curve_place": "contact/curve_marker",
    "contact/crossing": "contact/rolling_contact", "contact/crossing_view": "contact/contact_evaluation",
    "contact/sliding_crossing": "contact/frictionless_contact", "contact/smear": "contact/kernel_average",
    "contact/smearing": "contact/averaging", "integrate/own_step": "integrate/self_stepping",
    "string/tape": "string/characteristic_solver", "string/spectral_tape": "string/spectral_characteristic_solver",
    "analysis/ledger": "analysis/energy_monitor",
}
# What a function of frames begins with.
OF_FRAMES = r"\((?=\s*const (?:\w+::)*(?:FrameState<|Sight&|NodeSight<))"
# Functions and members, in code alone.
CODE = [
    (r"\bplaces\(\)", "markers()"), (r"\bcheck_places\b", "check_markers"), (r"\bcontact::view\(", "contact::evaluate("),
    (r"\butilisation\(", "required_friction("), (r"\bcontact::rolls\(", "contact::inside_friction_cone("),
    (r"\bposition" + OF_FRAMES, "position_constraint("), (r"\bvelocity" + OF_FRAMES, "velocity_constraint("),
    (r"\bdrift" + OF_FRAMES, "acceleration_bias("),
    (r"\bmoves_by_itself\b", "has_prescribed_motion"), (r"\.place\.(find|check|arm)\b", r".marker.\1"),
    (r"\bsmeared_velocity\b", "averaged_velocity"), (r"\.smear\b", ".average"), (r"\.smeared\(", ".averaged("),
]


def pieces(text):
    """The text in pieces: ("string" | "comment" | "code", piece)."""
    last = 0
    for match in re.finditer(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', text, re.S):
        yield "code", text[last:match.start()]
        yield ("string" if match[0][0] == '"' else "comment"), match[0]
        last = match.end()
    yield "code", text[last:]


def lists(text):
    """`kinds(…)` is `constraints(…)` after a comma that ends other arguments of the same call or after the name of a variable
    that says so, else `bodies(…)`."""
    qualified = r"((?:dalembert::)?(?:assembly::)?)"
    constraint = r"(?:constraint|contact|joint|weld|led|crossing|hinge|link)s?_?"
    own = re.search(r"\b(?:bodies|constraints)(?:;|\s*[={,)])", text) and "using namespace dalembert" in text

    def name(match):
        before = text[:match.start()].rstrip()
        known = re.search(constraint + r"\s*(?:=|\{|\()$", before) or re.search(r"Kinds<(?:\w*::)*(?:Joint|Weld|Led|Crossing|H::Con)\S*>.*=$", before)
        which = "constraints(" if before.endswith(",") or known else "bodies("
        return (match[1] or ("assembly::" if own else "")) + which

    text = re.sub(r"using ((?:\w+::)*)kinds;", r"using \1bodies;\nusing \1constraints;", text)
    return re.sub(qualified + r"\bkinds\(", name, text)


def translate(text):
    """The text of a program with the names of 0.2."""
    of_frames = re.search(r"\bSeen\b|\bPassing\b", text) is not None
    # names of what is no state and has chains of its own
    others = set(re.findall(r"\bconst (?!auto\b)(?!(?:\w+::)*\w*State\b)(?:\w+::)*\w+& (state|x|at|now)\b", text))
    states = "|".join(name for name in ("state", "x", "at", "now") if name not in others) or "(?!)"
    text = lists(text)
    for old, new in HEADERS.items():
        text = text.replace(f"dalembert/{old}.hpp", f"dalembert/{new}.hpp")
    out = []
    for kind, piece in pieces(text):
        if not piece.startswith('"dalembert/') and "<dalembert/" not in piece or kind == "code":
            piece = re.sub(r"\bCrossing::(any|rising|falling)\b", r"SignChange::\1", piece)
            piece = re.sub(r"\b(" + "|".join(TYPES) + r")\b(?! (?:from|along|a) )", lambda match: TYPES[match[1]], piece)
        if kind == "code":
            for old, new in CODE + [(rf"\b({states})\.chains\[", r"\1[")]:
                piece = re.sub(old, new, piece)
            if of_frames:
                piece = re.sub(r"(?<!\bp)(?<!arguments)(?<!options)\.spin\b", ".angular_velocity", piece)
        out.append(piece)
    return "".join(out)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            old = file.read()
        new = translate(old)
        if new != old:
            with open(name, "w", encoding="utf-8") as file:
                file.write(new)
            print(name)


if __name__ == "__main__":
    main()
