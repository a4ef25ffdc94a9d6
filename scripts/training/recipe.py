"""How both networks are made from seeds: commands of scripts/train_faces.py.

{work} is a folder for what is made on the way.
"""

VIEWS = ("views --out {work}/views --seed 81",)

_LATER = "faces --patches {work}/patches --rate 4e-4 --steps 6000"
FACES = (
    "patches --views {work}/views --out {work}/patches",
    "faces --patches {work}/patches --out {work}/faces-one.onnx",
    "faces --patches {work}/patches --seed 1 --out {work}/faces-two.onnx",
    _LATER + " --start {work}/faces-one.onnx"
    " --teachers {work}/faces-one.onnx {work}/faces-two.onnx --out {work}/faces-three.onnx",
    _LATER + " --seed 3 --start {work}/faces-two.onnx"
    " --teachers {work}/faces-one.onnx {work}/faces-two.onnx --out {work}/faces-four.onnx",
    _LATER + " --seed 4 --start {work}/faces-three.onnx"
    " --teachers {work}/faces-three.onnx {work}/faces-four.onnx --out {work}/faces-five.onnx",
    "blend --start {work}/faces-three.onnx --floats {work}/faces-five.onnx --classes 10"
    " --patch 3 48 --out {work}/faces-floats.onnx",
    "quantise --floats {work}/faces-floats.onnx --patches {work}/patches --out {work}/faces.onnx",
)

POSTURES = (
    "lessons --views {work}/views --out {work}/lessons",
    "postures --lessons {work}/lessons --out {work}/postures-one.onnx",
    "postures --narrow --lessons {work}/lessons --teachers {work}/postures-one.onnx"
    " --out {work}/postures-two.onnx",
    "postures --lessons {work}/lessons --start {work}/postures-one.onnx --rate 4e-4 --steps 5000"
    " --teachers {work}/postures-one.onnx {work}/postures-two.onnx"
    " --out {work}/postures-floats.onnx",
    "quantise --slants --floats {work}/postures-floats.onnx --patches {work}/lessons"
    " --out {work}/postures.onnx",
)

RECIPE = (VIEWS, FACES, POSTURES)
"""What is to be run: the views, then what each network needs, side by side."""
