// Puts the modules of the program into files, the packs: one with what several common commands
// load, one for the rest of each such command, and one per folder for everything else. A file costs
// a third of a millisecond to find, read and compile, so a command should need few of them.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { makeLazy, moduleHelpers } from './lazy-modules.mjs'

/** Every module of the program that `start` needs, as the body of a function; the first is `start` itself. */
export async function lazyModules(options, start) {
  const whole = await build({ ...options, entryPoints: [start], splitting: true, write: false })
  const sources = Object.keys(whole.metafile.inputs).filter((path) => path.startsWith('src/'))
  // Each source is an entry point, because esbuild would put modules with the same users into one.
  const split = await build({
    ...options,
    entryPoints: sources,
    outbase: 'src',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    write: false,
  })
  const texts = new Map(split.outputFiles.map(({ path, text }) => [path, text]))
  const sourceOf = new Map(
    Object.entries(split.metafile.outputs).map(([path, output]) => [
      join(options.absWorkingDir, path),
      output.entryPoint ?? Object.keys(output.inputs)[0] ?? '',
    ]),
  )
  const isStart = ([, { entryPoint }]) => entryPoint === start
  const [first] = Object.entries(split.metafile.outputs).find(isStart)
  const numbers = new Map([[join(options.absWorkingDir, first), 0]])
  const modules = []
  // Grows while it is iterated: a module gets its number when it is first named.
  for (const [path] of numbers) {
    const numberOf = (relative) => {
      const named = join(dirname(path), relative)
      if (!numbers.has(named)) numbers.set(named, numbers.size)
      return numbers.get(named)
    }
    const code = await makeLazy(texts.get(path), { target: options.target, numberOf })
    modules.push({ source: sourceOf.get(path), code })
  }
  return { modules, inputs: Object.keys(split.metafile.inputs) }
}

/** Characters; a longer module, such as the table of prices, is a pack of its own. */
const maxShared = 60_000

/** `agents` for src/agents/…, the name of the package for a library. */
function folderOf(source) {
  const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? /^src\/(\w+)\//.exec(source)?.[1] ?? 'program'
  return name.replace(/\W+/g, '-').replace(/^-/, '')
}

/**
 * Runs the commands on a small home, and writes the packs by what each of them has loaded.
 * `runs` are the arguments and the input by the name of the pack.
 */
export function writePacks(modules, { chunks, cli, home, runs }) {
  const loader = readFileSync(join(import.meta.dirname, 'pack-loader.cjs'), 'utf8')
  const write = (folders, tail = '') => {
    const names = [...new Set(folders)]
    const hash = createHash('sha256')
    for (const name of names) {
      const members = modules.flatMap(({ code }, number) => (folders[number] === name ? [[number, code]] : []))
      const text = packText(members)
      writeFileSync(join(chunks, `${name}.js`), text)
      hash.update(text)
    }
    const packs = folders.map((name) => names.indexOf(name))
    const table = JSON.stringify({ names, packs, hash: hash.digest('hex').slice(0, 16) })
    writeFileSync(join(chunks, 'load.js'), loader.replace('__PACKS__', () => table) + tail)
  }
  writeFileSync(join(chunks, 'package.json'), '{"type":"commonjs"}\n')
  const folder = mkdtempSync(join(tmpdir(), 'recollect-build-'))
  try {
    const trace = join(folder, 'trace.json')
    write(
      modules.map(() => 'start'),
      `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(trace)}, JSON.stringify(Object.keys(loaded))));`,
    )
    const env = { PATH: process.env.PATH, HOME: home, RECOLLECT_HOME: join(folder, 'store') }
    const loadedBy = ({ args, input }) => {
      execFileSync(process.execPath, [cli, ...args], { env, input, stdio: ['pipe', 'ignore', 'pipe'] })
      return new Set(JSON.parse(readFileSync(trace, 'utf8')).map(Number))
    }
    const loaded = runs.map(loadedBy)
    const packOf = ({ source, code }, number) => {
      const users = runs.filter(({ pack }, run) => pack && loaded[run].has(number))
      if (users.length > 1) return 'start'
      if (users.length === 1) return `command-${users[0].pack}`
      return code.length > maxShared ? `${folderOf(source)}-${number}` : folderOf(source)
    }
    write(modules.map(packOf))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A function that adds the modules of the pack to a table. In ASCII, which is read fastest. */
function packText(members) {
  const functions = members.map(([number, code]) => `modules[${number}] = (stdin_exports) => {${inAscii(code)}};`)
  return `(modules, __load, require, __filename) => {"use strict";${moduleHelpers}${functions.join('\n')}}`
}

/** esbuild leaves other characters in regular expressions, where an escape means the same. */
function inAscii(code) {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(code)) throw new Error('String.raw with characters that would be escaped')
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
