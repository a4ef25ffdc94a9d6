"""How the networks are made from seeds: commands of scripts/training/train_faces.py.

{work} is a folder for intermediate files.
"""

VIEWS = (
    "views --out {work}/views --seed 81 --shards 123 --stacked 12",
    "views --out {work}/covers --seed 82 --shards 0 --stacked 0 --covered 32",
    "views --out {work}/facing --seed 83 --shards 0 --stacked 0 --facing 24",
)

_FACES = "faces --patches {work}/patches --rate 4e-4 --steps 8000"
FACES = (
    "patches --views {work}/views --out {work}/patches --shards 60",
    "faces --patches {work}/patches --steps 12000 --out {work}/faces-one.onnx",
    "faces --patches {work}/patches --steps 12000 --seed 1 --out {work}/faces-two.onnx",
    _FACES + " --start {work}/faces-one.onnx"
    " --teachers {work}/faces-one.onnx {work}/faces-two.onnx --out {work}/faces-three.onnx",
    _FACES + " --seed 3 --start {work}/faces-two.onnx"
    " --teachers {work}/faces-one.onnx {work}/faces-two.onnx --out {work}/faces-four.onnx",
    _FACES + " --seed 4 --start {work}/faces-three.onnx"
    " --teachers {work}/faces-three.onnx {work}/faces-four.onnx --out {work}/faces-five.onnx",
    "blend --start {work}/faces-three.onnx --floats {work}/faces-five.onnx"
    " --out {work}/faces-floats.onnx",
    # What is seen beside a hand or a card must not be taken for a whole top.
    "patches --views {work}/covers --out {work}/covered --shards 0 --rounds 3 --seed 1001",
    "faces --patches {work}/patches {work}/covered --rate 4e-4 --steps 6000 --seed 5"
    " --start {work}/faces-floats.onnx --out {work}/faces-six.onnx",
    "blend --start {work}/faces-floats.onnx --floats {work}/faces-six.onnx"
    " --out {work}/faces-last.onnx",
    "quantise --floats {work}/faces-last.onnx --patches {work}/patches --out {work}/faces.onnx",
)

_POSTURES = "postures --lessons {work}/lessons --rate 4e-4 --steps 7000"
_LAST = (
    "postures --lessons {work}/more {work}/hidden {work}/towards --rate 4e-4 --steps 5000"
    " --start {work}/postures-five.onnx"
)
POSTURES = (
    "lessons --views {work}/views --out {work}/lessons",
    "postures --lessons {work}/lessons --steps 14000 --out {work}/postures-one.onnx",
    "postures --narrow --lessons {work}/lessons --teachers {work}/postures-one.onnx"
    " --out {work}/postures-two.onnx",
    _POSTURES + " --start {work}/postures-one.onnx"
    " --teachers {work}/postures-one.onnx {work}/postures-two.onnx"
    " --out {work}/postures-three.onnx",
    _POSTURES + " --seed 4 --start {work}/postures-three.onnx"
    " --teachers {work}/postures-three.onnx {work}/postures-two.onnx"
    " --out {work}/postures-four.onnx",
    "blend --start {work}/postures-three.onnx --floats {work}/postures-four.onnx"
    " --out {work}/postures-floats.onnx",
    # This many views make it overconfident on our renderer: drawn dice are of many more makes.
    "lessons --views {work}/views --rounds 1 --drawn 280000 --out {work}/more",
    "postures --lessons {work}/more --rate 4e-4 --steps 6000 --seed 7"
    " --start {work}/postures-floats.onnx --out {work}/postures-five.onnx",
    # Dice half hidden, or leaning so that they seem to lie flat, are rare in all of these.
    # With a guessed slant, dice on real tables would seem to lean, too.
    "lessons --views {work}/covers --known --rounds 1 --drawn 0 --out {work}/hidden",
    "lessons --views {work}/facing --known --rounds 1 --drawn 0 --out {work}/towards",
    _LAST + " --seed 8 --out {work}/postures-six.onnx",
    _LAST + " --seed 9 --out {work}/postures-seven.onnx",
    "blend --start {work}/postures-six.onnx --floats {work}/postures-seven.onnx"
    " --out {work}/postures-eight.onnx",
    "blend --start {work}/postures-five.onnx --floats {work}/postures-eight.onnx"
    " --out {work}/postures-last.onnx",
    "quantise --slants --floats {work}/postures-last.onnx --patches {work}/lessons"
    " --out {work}/postures.onnx",
)

TOPS = (
    "scenes --out {work}/scenes --shards 28",
    "tops --scenes {work}/scenes --steps 7000 --out {work}/tops-floats.onnx",
    "quantise --floats {work}/tops-floats.onnx --patches {work}/scenes --out {work}/tops.onnx",
)

RECIPE = (VIEWS, FACES, POSTURES, TOPS)
"""The steps to run: the views, then those of each network, in parallel."""
