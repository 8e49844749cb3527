// Becomes dist/chunks/load.js: runs the modules of the packs on first use. Keeps V8's code cache of
// each pack by command, so that a command compiles nothing that it has run before. Node's own
// compile cache does not have the functions that are compiled when they are first called.
'use strict'
const { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

/** Names of the packs, the pack of each module by its number, and a hash of all of them: from the build. */
const { names, packs, hash } = __PACKS__

const command = /^[a-z]{2,15}$/.test(process.argv[2] ?? '') ? process.argv[2] : 'other'
const folder = join(__dirname, '..', '.cache', `${process.version}-${process.arch}-${hash}`)
const modules = []
const loaded = []
const uncached = []

function load(number) {
  return loaded[number] ?? run(number)
}

function run(number) {
  if (!modules[number]) addPack(names[packs[number]])
  const exports = Object.defineProperty({}, '__esModule', { value: true })
  loaded[number] = exports
  modules[number](exports)
  return exports
}

/** Adds the functions of a pack to the table. */
function addPack(name) {
  const filename = join(__dirname, `${name}.js`)
  const cache = join(folder, `${command}.${name}`)
  const cachedData = readCache(cache)
  const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData })
  script.runInThisContext()(modules, load, require, filename)
  if (!cachedData || script.cachedDataRejected) uncached.push({ script, cache })
}

/**
 * V8 does not check a cache and may crash with a damaged one, so a file has it twice.
 * Comparing them takes no time; a checksum would first have to load `node:zlib`.
 */
function readCache(path) {
  try {
    const both = readFileSync(path)
    const data = both.subarray(0, both.length / 2)
    return data.equals(both.subarray(both.length / 2)) ? data : undefined
  } catch {
    return undefined
  }
}

/** A run that takes long forgets the code that it has run at first, and a failed one has run another part. */
const maxMs = 5000

/** Servers end by a signal, and what matters is how they start. */
const servers = ['mcp', 'serve', 'watch']
if (servers.includes(command)) setTimeout(writeCaches, maxMs / 2).unref()
process.once('exit', (code) => {
  if (code === 0 && process.uptime() * 1000 < maxMs) writeCaches()
})

function writeCaches() {
  for (const { script, cache } of uncached.splice(0)) writeCache(cache, script.createCachedData())
}

/** Without the right to write there is no cache. What a killed run leaves goes with the next version. */
function writeCache(path, data) {
  const unfinished = `${path}.${process.pid}.tmp`
  try {
    mkdirSync(folder, { recursive: true })
    const file = openSync(unfinished, 'w', 0o600)
    writeSync(file, data)
    writeSync(file, data)
    closeSync(file)
    renameSync(unfinished, path)
  } catch {}
}

module.exports = load(0)
