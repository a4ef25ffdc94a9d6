// Checks the firmware on the newest MicroPython that a registry has; not part of the test run.
//
//     npm i --prefix LAB/npm @micropython/micropython-webassembly-pyscript
//     node tests/lab/check_wasm.mjs LAB/npm/node_modules
//
// That is MicroPython for WebAssembly: no pins and no native code, but the same language and modules. It compiles every
// file (fast.py needs native code, and is left out where there is none), frames and parses as CPython does, and
// stores a layout. Exit status 1 if anything is wrong.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const port = path.resolve(process.argv[2], "@micropython/micropython-webassembly-pyscript/micropython.mjs");
const { loadMicroPython } = await import(port);
const vectors = path.join(root, "tests/firmware/scripts/vectors.py");
const lines = [];
const python = await loadMicroPython({ heapsize: 2 << 20, stdout: (line) => lines.push(line), linebuffer: true });
python.FS.mkdir("/firmware");
python.FS.mkdir("/flash");
python.FS.chdir("/flash");
for (const name of fs.readdirSync(path.join(root, "firmware"))) {
  if (name.endsWith(".py")) {
    python.FS.writeFile(`/firmware/${name}`, fs.readFileSync(path.join(root, "firmware", name)));
  }
}

function run(program) {
  lines.length = 0;
  python.runPython(`import sys\nsys.path[:] = ["", "/firmware"]\n${program}`);
  return lines.join("\n");
}

let failed = 0;
function check(name, fine, said) {
  failed += !fine;
  console.log(`${fine ? "OK    " : "FAILED"} ${name}: ${said}`);
}

check("version", true, run("print(sys.version)"));
const compiled = run(`
import os
for name in sorted(os.listdir("/firmware")):
    with open("/firmware/" + name) as file:
        try:
            compile(file.read(), name, "exec")
        except SyntaxError as error:
            print(name, error)
`);
check("compiles", compiled === "fast.py invalid micropython decorator", `all but ${compiled}`);
const theirs = run(`sys.argv[:] = ["vectors.py", "2000"]\n${fs.readFileSync(vectors, "utf8")}`).trim();
const ours = execFileSync(path.join(root, ".venv/bin/python"), [vectors, "2000"], {
  encoding: "utf8",
  env: { PYTHONPATH: path.join(root, "firmware"), PYTHONDONTWRITEBYTECODE: "1" },
}).trim();
check("framing", theirs === ours, `${ours.split("\n").length} lines, as CPython's`);
const stored = run(`
import boots, config, max7219, mounting
print(config.LAYOUT_FROM, list(mounting.encoded(config)))
for _ in range(2):
    mounting.store(mounting.Mounting(b"\\x01\\x00\\x00\\x01", 8, 2))
for name in ("config", "layout"):
    sys.modules.pop(name, None)
import config
print(config.LAYOUT_FROM, list(mounting.encoded(config)), max7219.chain_places(config)[1], os.listdir("."))
print(boots.count_boot(), boots.count_boot())
`);
const wanted = "0 [1, 3, 0, 0]\n1 [1, 0, 0, 1] (6, 0, 1) ['layout.py']\n1 2";
check("layout", stored === wanted, stored.replaceAll("\n", "; "));
process.exit(failed ? 1 : 0);
