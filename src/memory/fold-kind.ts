// The kind that somebody meant by another word. Agents and models write "Facts", "gotcha" or kinds
// of their own: a memory is worth more than the name of its kind.
import { type MemoryKind, memoryKinds } from './memory.ts'

const twins: ReadonlyMap<string, MemoryKind> = new Map(
  Object.entries({
    gotcha: 'debugging',
    bug: 'debugging',
    incident: 'debugging',
    lesson: 'debugging',
    'post-mortem': 'debugging',
    cause: 'debugging',
    feedback: 'preference',
    rule: 'preference',
    convention: 'preference',
    style: 'preference',
    architecture: 'decision',
    choice: 'decision',
    fix: 'correction',
    runbook: 'operational',
    procedure: 'operational',
    process: 'operational',
    operation: 'operational',
    command: 'operational',
  } as const),
)

/** `fact` for anything unknown. */
export function foldKind(value: unknown): MemoryKind {
  const name = typeof value === 'string' ? value.trim().toLowerCase().replace(/_/g, '-') : ''
  const singular = name.replace(/ss$/, 'ss ').replace(/s$/, '').trim()
  return (
    memoryKinds.find((kind) => kind === name || kind === singular) ?? twins.get(name) ?? twins.get(singular) ?? 'fact'
  )
}
