// A stat of every file below some folders, and nothing else: what telling that nothing changed costs at least.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

for (const folder of process.argv.slice(2))
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    lstatSync(join(entry.parentPath, entry.name))
