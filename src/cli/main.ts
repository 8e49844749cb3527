#!/usr/bin/env node
// Starts the program with a compile cache beside it, which saves a third of the time of a short
// command. The cache has to be enabled first, so the program is imported dynamically.
// Imports here must exist in Node 14, or an old Node prints a stack trace instead of the message.
import module from 'node:module'
import { join } from 'node:path'

/** As `engines` in package.json, which would be a chunk that an old Node cannot load. */
const [minMajor, minMinor] = [22, 18]

const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
if (major < minMajor || (major === minMajor && minor < minMinor)) {
  const needed = `Recollect needs Node.js ${minMajor}.${minMinor} or later; this is ${process.versions.node}.`
  console.error(`${needed} Update Node.js, or run: npx -y -p node@24 -p recollect recollect`)
  process.exit(1)
}
if (import.meta.filename.endsWith('cli.js')) module.enableCompileCache(join(import.meta.dirname, '.cache'))
const { run } = await import('./run.ts')
await run(process.argv)
