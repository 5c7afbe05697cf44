// Runs a WASI program in Node.js: node wasi.mjs PROGRAM [ARGUMENT]...
import { accessSync, constants, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { argv, env, exit } from "node:process";
import { WASI } from "node:wasi";

const [program, ...args] = argv.slice(2);

// The program's C library takes "/" for the same as ".": absolute paths work only under folders with a name.
const folders = readdirSync("/", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => `/${entry.name}`)
  .filter((folder) => {
    try {
      accessSync(folder, constants.R_OK | constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
const preopens = Object.fromEntries([".", ...folders].map((folder) => [folder, folder]));
const wasi = new WASI({
  version: "preview1",
  args: [program, ...args],
  env,
  preopens,
  returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(program));
exit(wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport })));
