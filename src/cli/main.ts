#!/usr/bin/env node
// Starts the program. It is imported dynamically, because an old Node cannot load it and would print
// a stack trace instead of the message.

/** As `engines` in package.json, which would be a chunk that an old Node cannot load. */
const [minMajor, minMinor] = [22, 18]

const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
if (major < minMajor || (major === minMajor && minor < minMinor)) {
  const needed = `Recollect needs Node.js ${minMajor}.${minMinor} or later; this is ${process.versions.node}.`
  console.error(`${needed} Update Node.js: https://nodejs.org`)
  process.exit(1)
}
const { run } = await import('./run.ts')
await run(process.argv)
