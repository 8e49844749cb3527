// workspace.yaml beside a Copilot CLI log, of which only the name is not in the log too. Flat keys; a long text may be a
// block of indented lines.
import { readFileSync } from 'node:fs'
import type { About } from '../../core/session.ts'

type Title = Pick<About, 'title' | 'titleRank'>

export function readTitle(path: string): Title {
  try {
    return titleOf(readFileSync(path, 'utf8'))
  } catch {
    return {} // logs of older versions have none
  }
}

function titleOf(yaml: string): Title {
  const name = scalarOf(yaml, 'name')
  const summary = scalarOf(yaml, 'summary')
  return {
    title: name ?? summary,
    titleRank: name ? (scalarOf(yaml, 'user_named') === 'true' ? 4 : 3) : 1,
  }
}

function scalarOf(yaml: string, key: string): string | undefined {
  const found = new RegExp(`^${key}:[ \\t]*(.*)((?:\\r?\\n[ \\t]+.*)*)`, 'm').exec(yaml)
  if (!found) return undefined
  const [, first = '', block = ''] = found
  const lines = /^[|>][-+]?\s*$/.test(first) ? block : `${first}${block}`
  const value = lines.trim().replace(/\s*\n\s*/g, ' ')
  return value.replace(/^(['"])(.*)\1$/, '$2') || undefined
}
