// Baselines that a person kept, a line each: what later ones are held against.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../core/paths.ts'
import type { Totals } from './baseline.ts'

export interface SavedBaseline {
  at: string
  /** Null for all of them. */
  project: string | null
  all: Totals
}

export function saveBaseline(layout: Layout, baseline: SavedBaseline): void {
  const file = fileOf(layout)
  const isCutOff = existsSync(file) && !/(?:^|\n)$/.test(readFileSync(file, 'utf8'))
  appendFileSync(file, `${isCutOff ? '\n' : ''}${JSON.stringify(baseline)}\n`, { mode: 0o600 })
}

/** The last one of the same project; a line that was cut off is passed over. */
export function lastBaseline(layout: Layout, project: string | null): SavedBaseline | null {
  if (!existsSync(fileOf(layout))) return null
  const lines = readFileSync(fileOf(layout), 'utf8').split('\n').map(parsed)
  return lines.findLast((saved) => saved?.project === project) ?? null
}

function parsed(line: string): SavedBaseline | undefined {
  try {
    const saved = JSON.parse(line) as SavedBaseline
    return typeof saved?.at === 'string' && typeof saved.all === 'object' ? saved : undefined
  } catch {
    return undefined
  }
}

function fileOf(layout: Layout): string {
  return join(layout.root, 'baselines.jsonl')
}
