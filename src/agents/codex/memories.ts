// Codex's own memory (`[features] memories`, 0.120 to 0.166): MEMORY.md with a block per group of
// tasks, memory_summary.md with what is valid everywhere, and notes that the user asked for. Its
// rollout_summaries repeat sessions, which are captured anyway.
import { basename, join } from 'node:path'
import type { MemoryKind, MemoryType } from '../../memory/memory.ts'
import type { NativeFile, NativeMemories, NativeNote } from '../agent.ts'
import { findFiles } from '../files.ts'
import { parseNotes, splitFrontmatter } from '../markdown-notes.ts'
import { codexHooks } from './hooks.ts'

export const codexMemories: NativeMemories = {
  find(machine) {
    const home = codexHooks.home(machine)
    return ['memories', 'memories_v2'].flatMap((name) => filesOf(join(home, name)))
  },
  isMemoryPath: (path) =>
    /[\\/]memories(?:_v2)?[\\/](?:MEMORY\.md|memory_summary\.md|raw_memories\.md|(?:rollout_summaries|extensions|skills)[\\/].+)$/.test(
      path,
    ),
  read({ path }, content) {
    const name = basename(path)
    if (name === 'MEMORY.md') return fromHandbook(content)
    return name === 'memory_summary.md' ? fromSummary(content) : fromNote(content)
  },
}

function filesOf(folder: string): NativeFile[] {
  return [
    ...findFiles(folder, /^(?:MEMORY|memory_summary)\.md$/, 0),
    ...findFiles(join(folder, 'extensions', 'ad_hoc', 'notes'), /\.md$/, 0),
  ].map((path) => ({ path }))
}

interface MemorySection {
  type: MemoryType
  kind: MemoryKind
}

/** The rest of a block lists its tasks. */
const handbookSections: Record<string, MemorySection> = {
  'user preferences': { type: 'feedback', kind: 'preference' },
  'reusable knowledge': { type: 'project', kind: 'fact' },
  'failures and how to do differently': { type: 'project', kind: 'debugging' },
}

const summarySections: Record<string, MemorySection> = {
  'user profile': { type: 'user', kind: 'fact' },
  'user preferences': { type: 'feedback', kind: 'preference' },
  'general tips': { type: 'feedback', kind: 'operational' },
}

function fromHandbook(content: string): NativeNote[] {
  return content
    .replace(/\r\n?/g, '\n')
    .split(/^(?=# )/m)
    .flatMap((block) => {
      const folder = /^applies_to:\s*cwd=([^;\n]+)/m.exec(block)?.[1]?.trim()
      const threads = threadsOf(block)
      const scope: NativeNote['scope'] =
        folder && /^(?:[/~]|[A-Za-z]:)/.test(folder)
          ? { kind: 'folder', folder: folder.split(/ and (?=[/~])|, (?=[/~])/)[0]! }
          : { kind: 'everywhere' }
      return notesInSections(block, handbookSections).map((note) => {
        const session = threads.get(/\[Task (\d+)\]/.exec(note.text)?.[1] ?? '')
        const text = note.text.replace(/(?:\s*\[Task \d+\])+\s*$/, '')
        return { ...note, text, scope, ...(session ? { session } : {}) }
      })
    })
}

/** The thread of each task of a block. */
function threadsOf(block: string): Map<string, string> {
  const threads = new Map<string, string>()
  for (const task of block.split(/^(?=## Task )/m)) {
    const number = /^## Task (\d+)/.exec(task)?.[1]
    const thread = /\bthread_id=([0-9a-f-]{36})/.exec(task)?.[1]
    if (number && thread) threads.set(number, thread)
  }
  return threads
}

function fromSummary(content: string): NativeNote[] {
  return notesInSections(content, summarySections).map((note) => ({ ...note, scope: { kind: 'everywhere' } }))
}

function notesInSections(markdown: string, known: Record<string, MemorySection>): NativeNote[] {
  return parseNotes(markdown).flatMap(({ headings, text }) => {
    const section = known[headings.at(-1)?.toLowerCase() ?? '']
    const subject = headings[0]?.startsWith('Task Group: ') ? [headings[0].slice('Task Group: '.length)] : []
    return section ? { text, headings: subject, ...section, trust: 'agent said' as const } : []
  })
}

/** A note that the user asked for. */
function fromNote(content: string): NativeNote[] {
  const text = splitFrontmatter(content).body.trim()
  return [{ text, headings: [], scope: { kind: 'everywhere' }, trust: 'imported' }]
}
