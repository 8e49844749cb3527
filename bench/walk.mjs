// Stats every file below some folders: the minimum cost of detecting that nothing changed.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

for (const folder of process.argv.slice(2))
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    lstatSync(join(entry.parentPath, entry.name))
