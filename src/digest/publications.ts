// The commits and other publications of a session, and which of them were taken back.
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { creditCommit, type PromptNote } from './prompt-notes.ts'
import type { PublishedWork } from './published-work.ts'

export interface PublishedCommit {
  seq: number
  /** Of a commit, else empty. */
  subject: string
  /** Of a commit that the agent itself records, else empty. */
  hash: string
}

/** The part of a digest's state that commits change. */
interface PublicationState {
  prompts?: PromptNote[]
  commits?: string[]
  published?: PublishedCommit[]
  signals: { commit: number | null; undo?: number | null }
}

const maxPublications = 20
const maxSubjects = 12
/** Always kept: the subjects at the beginning. */
const firstSubjects = 4

export function addPublication(state: PublicationState, seq: number, { subject, hash = '' }: PublishedWork): void {
  const { prompts, commits, published, signals } = state
  signals.commit = seq
  published?.push({ seq, subject, hash })
  if (published && published.length > maxPublications) published.shift()
  if (prompts) creditCommit(prompts, subject)
  if (subject === '' || !commits || commits.includes(subject)) return
  if (commits.length >= maxSubjects) commits.splice(firstSubjects, 1)
  commits.push(subject)
}

/**
 * Aider records its commits as `Commit 0a1b2c3 subject`. Claude Code repeats those of its shell, with
 * a verb instead of the subject.
 */
export function recordedCommit(text: string): PublishedWork | undefined {
  const [, hash, subject = ''] =
    /^Commit ([0-9a-f]{7,40})\b(?! (?:committed|amended|pushed|created)\b)([\s\S]*)/.exec(text) ?? []
  return hash === undefined ? undefined : { hash, subject: subject.trim(), text: subject.trim() || 'committed' }
}

/** Aider records what `/undo` takes back as `Undone: 0a1b2c3 subject`. */
export function withdrawRecorded(state: PublicationState, { seq, text }: StoredEvent): void {
  const hash = /^Undone: ([0-9a-f]{7,40})\b/.exec(text)?.[1]
  if (hash === undefined) return
  state.signals.undo = seq
  withdraw(
    state,
    (state.published ?? []).filter((one) => one.hash === hash),
  )
}

export function withdrawLatest(state: PublicationState, count: number): void {
  withdraw(state, (state.published ?? []).slice(-count))
}

function withdraw(state: PublicationState, undone: readonly PublishedCommit[]): void {
  if (undone.length === 0) return
  const { published = [], commits = [], prompts = [], signals } = state
  const subjects = new Set(undone.map(({ subject }) => subject))
  state.published = published.filter((one) => !undone.includes(one))
  state.commits = commits.filter((subject) => !subjects.has(subject))
  for (const note of prompts) if (note.commit && subjects.has(note.commit)) delete note.commit
  if (undone.some(({ seq }) => seq === signals.commit)) signals.commit = state.published.at(-1)?.seq ?? null
}
