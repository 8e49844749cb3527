// Prints the reading set as the built program tells it: node test/reading/print.ts [<home> <expected.json>]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Place, recollect } from '../program.ts'
import { printReading, readingHome } from './home.ts'

const [home, expected] = process.argv.slice(2)
const at = home ? existingHome(home) : readingHome()
try {
  recollect(at, 'sweep')
  process.stdout.write(`${printReading(at, expected ? JSON.parse(readFileSync(expected, 'utf8')) : undefined)}\n`)
} finally {
  at.remove()
}

/** A home that stays as it is; the store is temporary. */
function existingHome(path: string): Place {
  const root = mkdtempSync(join(tmpdir(), 'recollect-reading-'))
  return { root, home: path, store: join(root, 'store'), env: {}, remove: () => rmSync(root, { recursive: true }) }
}
