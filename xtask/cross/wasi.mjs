// Runs a WASI program in Node.js: node wasi.mjs PROGRAM [ARGUMENT]...
import { readFile } from "node:fs/promises";
import { argv, env, exit } from "node:process";
import { WASI } from "node:wasi";

const [program, ...args] = argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [program, ...args],
  env,
  preopens: { "/": "/", ".": "." },
  returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(program));
exit(wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport })));
