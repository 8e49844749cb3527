// Writes the map of src/ in AGENTS.md from the table of folders in ARCHITECTURE.md, so that there is
// one list. Run after a change of the table: node scripts/agents-map.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './setup.mjs'

const begin = '<!-- map: from ARCHITECTURE.md by scripts/agents-map.mjs -->'
const end = '<!-- /map -->'

/** AGENTS.md with the map of the given ARCHITECTURE.md. */
export function withMap(agents, architecture) {
  const rows = [...architecture.matchAll(/^\| `([\w.]+)` \|([^|]*)\|([^|]*)\|$/gm)]
  const lines = rows.map(([, folder, contents]) => `- \`src/${folder}\`: ${contents.trim()}`)
  const [before, rest] = agents.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`AGENTS.md has no block between "${begin}" and "${end}"`)
  return `${before}${begin}\n${lines.join('\n')}\n${end}${after}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(root, 'AGENTS.md')
  writeFileSync(path, withMap(readFileSync(path, 'utf8'), readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')))
}
