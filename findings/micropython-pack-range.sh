#!/bin/sh
# One would guess: struct.pack("<B", 300) is refused by MicroPython, as (300).to_bytes(1, "big") is. It packs 44.
# Seen with MicroPython 1.25.0 and 1.26.1 for PCs, and 1.29.0-6 for WebAssembly. Needs node and npm.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --prefix "$folder" \
    "@micropython/micropython-webassembly-pyscript@${MICROPYTHON:-1.29.0-6}" >/dev/null
cat >"$folder/run.mjs" <<'JS'
import { loadMicroPython } from "./node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs";
let said = "";
const python = await loadMicroPython({ stdout: (line) => (said += line + "\n") });
python.runPython(`
import struct, sys
print(sys.implementation[1])
print(struct.pack("<B", 300))
try:
    (300).to_bytes(1, "big")
except OverflowError:
    print("OverflowError")
`);
console.log(said);
process.exit(said.includes("b','\nOverflowError\n") ? 0 : 1);
JS
node "$folder/run.mjs"
