// One memory as an agent's own memory file. A hash of the rest tells later whether anybody has changed it.
import { createHash } from 'node:crypto'
import { fence, quoted } from '../../core/frontmatter.ts'
import { descriptionOf, fileNameOf } from '../../memory/file-name.ts'
import type { Memory } from '../../memory/memory.ts'
import { renderBody } from '../files/body.ts'

/** Every file that we put there begins with this; the agent's reader passes such files over. */
export const exportPrefix = 'recollect-'

export interface NativeMemoryFile {
  name: string
  content: string
}

/** Under the name that it has there already. In the shape of Claude Code 2.1.325, with the type also where earlier versions look for it. */
export function renderExport(memory: Memory, existing: readonly string[]): NativeMemoryFile {
  const own = fileNameOf(memory)
  const known = existing.find((one) => one.endsWith(own.slice(own.lastIndexOf('-'))))
  const name = known ?? exportPrefix + own
  const head = [
    `name: ${quoted(name.replace(/\.md$/, ''))}`,
    `description: ${quoted(descriptionOf(memory.text))}`,
    `type: ${memory.type}`,
    'metadata:',
    '  node_type: memory',
    `  type: ${memory.type}`,
  ]
  const since = `Told by Recollect: ${memory.id}, ${memory.trust}, last on ${memory.confirmedAt.slice(0, 10)}.`
  const rest = `${[fence, ...head, fence].join('\n')}\n\n${renderBody({ ...memory, tail: [since] })}`
  return { name, content: rest.replace(`\n${fence}\n\n`, `\n  recollect: ${hashOf(rest)}\n${fence}\n\n`) }
}

const hashLine = /^ {2}recollect: ([\w-]+)\n/m

export function isUnmodified(content: string): boolean {
  const hash = hashLine.exec(content)?.[1]
  return hash !== undefined && hash === hashOf(content.replace(hashLine, ''))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
