// What the sessions of a project knew at their ends, to be asked for what was known before a time.
import { pathInside } from '../core/paths.ts'
import { compare } from '../memory/compare.ts'
import { listFixes, type StoredFix } from '../store/fixes/fixes.ts'
import type { Ledger } from '../store/ledger.ts'
import {
  editedIn,
  endsIn,
  type KnownIn,
  type KnownNote,
  notesIn,
  type PassedRun,
  passedIn,
} from '../store/past/replayed-sessions.ts'
import { contentWords } from '../text/content-words.ts'
import { formOf, type RunForm } from './command-form.ts'

/** Each answers with the latest session that knew it and is asked about by `isBefore`. */
export interface Known {
  said(sentence: string, isBefore: IsBefore): KnownNote | undefined
  passed(run: RunForm, isBefore: IsBefore): PassedRun | undefined
  /** A rule of a checker. */
  complained(rule: string, isMeant: (note: KnownNote) => boolean): KnownNote | undefined
  /** Edits of a file, by its path in the folder of the session. */
  edited(path: string, isBefore: IsBefore): KnownEdit[]
  /** Adds the names for which a session searched before it edited the file. */
  addSearched(session: string, path: string, names: readonly string[]): void
  fixed(fix: StoredFix, isBefore: IsBefore): (StoredFix & { endedMs: number }) | undefined
  /** The fixes of a session. */
  fixesOf(session: string): StoredFix[]
}

export interface KnownEdit extends KnownIn {
  /** What the session wrote into it, and what it searched for. */
  names: string[]
}

export type IsBefore = (known: KnownIn) => boolean

export function knownIn(ledger: Ledger, project: string): Known {
  const said = indexSaid(notesIn(ledger, project, 'said'))
  const runs = Map.groupBy(passedIn(ledger, project), formOf)
  const complaints = Map.groupBy(notesIn(ledger, project, 'complaint'), ({ name }) => name)
  const edits = Map.groupBy(editedIn(ledger, project), ({ path, cwd }) => insidePath(path, cwd) ?? '')
  const ends = endsIn(ledger, project)
  const fixes = listFixes(ledger, { project }).map((fix) => ({ ...fix, endedMs: ends.get(fix.session) ?? Infinity }))
  const byShape = Map.groupBy(fixes, ({ shape }) => shape)
  const bySession = Map.groupBy(fixes, ({ session }) => session)
  return {
    said,
    passed: (run, isBefore) => runs.get(formOf(run))?.find(isBefore),
    complained: (rule, isMeant) => complaints.get(rule)?.find(isMeant),
    edited: (path, isBefore) => (edits.get(path) ?? []).filter(isBefore),
    addSearched(session, path, names) {
      for (const edit of edits.get(path) ?? []) if (edit.session === session) edit.names.push(...names)
    },
    fixed: (fix, isBefore) => byShape.get(fix.shape)?.find((other) => isBefore(other) && isSameError(fix, other)),
    fixesOf: (session) => bySession.get(session) ?? [],
  }
}

/** Undefined for files outside of the folder. */
export function insidePath(path: string, cwd: string | null): string | undefined {
  const inside = pathInside(cwd ?? '', path)
  return inside === undefined || /^(?:\/|[A-Za-z]:|\.\.\/)/.test(inside) ? undefined : inside.replace(/^\.\//, '')
}

/** A sentence with fewer words could be about anything. */
export const minSaidWords = 3

/** Compares a sentence with those only that share most of its words. */
function indexSaid(notes: readonly KnownNote[]): Known['said'] {
  const entries = notes
    .map((note) => ({ note, words: new Set(contentWords(note.text)) }))
    .filter(({ words }) => words.size >= minSaidWords)
  const byWord = new Map<string, number[]>()
  for (const [index, { words }] of entries.entries())
    for (const word of words) {
      const list = byWord.get(word)
      if (list) list.push(index)
      else byWord.set(word, [index])
    }
  return (sentence, isBefore) => {
    const words = new Set(contentWords(sentence))
    if (words.size < minSaidWords) return undefined
    const shared = new Map<number, number>()
    for (const word of words)
      for (const index of byWord.get(word) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1)
    const near = [...shared]
      .filter(([index, count]) => count >= 0.5 * Math.max(words.size, entries[index]!.words.size))
      .sort(([a], [b]) => a - b)
    for (const [index] of near) {
      const { note } = entries[index]!
      if (isBefore(note) && compare(sentence, note.text).kind === 'same') return note
    }
    return undefined
  }
}

/** Also the names in the message. What a checker complains about is among the complaints. */
function isSameError(fix: StoredFix, earlier: StoredFix): boolean {
  if (fix.kind === 'edit' || earlier.kind === 'edit') return false
  const names = new Set(earlier.details)
  const isSame = fix.details.length === names.size && fix.details.every((name) => names.has(name))
  return isSame && (fix.remedy === earlier.remedy || fix.program === earlier.program)
}
