#!/bin/sh
# One would guess: MicroPython prints "%.1f" % 0.25 as 0.2, as C and Python do: 0.25 is exact, and halves go
# to the even digit. It prints 0.3; round(2.5) is 2 all the same.
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
import sys
print(sys.implementation[1])
print("%.1f" % 0.25, round(2.5))
`);
console.log(said);
process.exit(said.includes("0.3 2\n") ? 0 : 1);
JS
node "$folder/run.mjs"
