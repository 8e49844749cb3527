// Writes prose articles with a model from what was added to the journal, in chunks, and validates
// the answers. A day is written and marked as read after all its chunks were answered, so that a
// failure before loses nothing.
import { type Clock, isoTime } from '../../core/clock.ts'
import { openVault, readVaultBytes, statVaultFile } from '../../core/vault/files.ts'
import { withoutTotals } from '../../journal/day-file.ts'
import type { ModelQuestion, ModelResponse, ProviderReason } from '../../models/context.ts'
import { readValue, writeValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  type DeadLetter,
  deleteDeadLetter,
  listDeadLetters,
  saveDeadLetter,
} from '../../store/memories/dead-letters.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { findSessions } from '../../store/sessions/sessions.ts'
import { articleRows, saveWikiDay, wikiDays } from '../../store/wiki/articles.ts'
import type { Article } from '../article.ts'
import { vaultPaths } from '../pages.ts'
import { sectionsIn } from '../sections.ts'
import { fileOf } from '../write.ts'
import { type ExistingArticle, existingArticles, rankArticles, type ShownArticle } from './existing.ts'
import { chunksOf, hasContent, readStateOf, sessionsIn, unreadPart } from './journal-delta.ts'
import type { RefusedDraft } from './validate.ts'

interface ModelCompileContext {
  ledger: Ledger
  clock: Clock
  ask<T>(question: ModelQuestion<T>): Promise<ModelResponse<T>>
}

interface ModelWork {
  /** Days of the journal in reading order. */
  days: readonly string[]
  /**
   * Writes the articles of a day. `settle` marks the day as read: call it in the same transaction.
   */
  write(articles: readonly Article[], markDayRead: () => void): Promise<unknown>
  /** Questions per run; a started day is completed. */
  maxChunks?: number
}

export interface ModelReport {
  /** Days that were read completely. */
  days: string[]
  /** Number of answered questions. */
  answered: number
  articles: number
  refused: (RefusedDraft & { day: string })[]
  costUsd: number
  /** Why it stopped before the last day; null if it did not. */
  stopped: 'nobody' | 'failed' | 'limit' | null
}

/** Days that no model has read completely, in ascending order. */
export function daysToAsk(ledger: Ledger, sinceDay = ''): string[] {
  return [...wikiDays(ledger).values()]
    .filter(({ day, hash, askedHash }) => day >= sinceDay && hash !== askedHash)
    .map(({ day }) => day)
    .sort()
}

export async function compileByModel(context: ModelCompileContext, work: ModelWork): Promise<ModelReport> {
  const { ledger } = context
  const report: ModelReport = { days: [], answered: 0, articles: 0, refused: [], costUsd: 0, stopped: null }
  if (isPaused(context)) return { ...report, stopped: 'nobody' }
  const vault = openVault(ledger.layout.vault)
  const letters = deadLettersByDay(ledger, vault)
  for (const day of work.days) {
    const content = contentOf(vault, day)
    if (!content || isWaiting(letters.get(day), content, context.clock)) continue
    const chunks = unreadChunks(ledger, day, content)
    if (report.answered > 0 && report.answered + chunks.length > (work.maxChunks ?? 10)) {
      report.stopped = 'limit'
      break
    }
    const read = await readDay(context, vault, day, chunks)
    report.answered += read.answered
    report.costUsd += read.costUsd
    report.refused.push(...read.refused.map((one) => ({ ...one, day })))
    if (read.stop) {
      report.stopped = read.stop.kind === 'failed' ? 'failed' : 'nobody'
      if (read.stop.kind === 'failed') saveFailure(context, day, content, read)
      else writeValue(ledger, pauseKey, context.clock.nowMs())
      break // the next question would probably fail for the same reason
    }
    await work.write(read.articles, () => settle(ledger, day, content, letters.get(day)))
    report.days.push(day)
    report.articles += read.articles.length
  }
  return report
}

/** After no model was available, do not try again for this time. */
const pauseMs = 3_600_000
const pauseKey = 'wiki found no model'

function isPaused({ ledger, clock }: ModelCompileContext): boolean {
  const since = clock.nowMs() - Number(readValue(ledger, pauseKey) ?? 0)
  return since >= 0 && since < pauseMs
}

/** Deletes dead letters of days without a file. */
function deadLettersByDay(ledger: Ledger, vault: string): Map<string, DeadLetter> {
  const letters = new Map<string, DeadLetter>()
  for (const letter of listDeadLetters(ledger).filter(({ purpose }) => purpose === 'wiki')) {
    const day = letter.session.slice(folder.length)
    if (contentOf(vault, day)) letters.set(day, letter)
    else deleteDeadLetter(ledger, letter.id)
  }
  return letters
}

const folder = 'journal/'

function contentOf(vault: string, day: string): Buffer | undefined {
  const file = fileOf(`${folder}${day}`)
  return statVaultFile(vault, file).kind === 'file' ? withoutTotals(readVaultBytes(vault, file)) : undefined
}

/** A quarantined question is asked again only after the day has changed. */
function isWaiting(letter: DeadLetter | undefined, content: Buffer, clock: Clock): boolean {
  if (!letter) return false
  return letter.nextMs > clock.nowMs() || (letter.isQuarantined && letter.toSeq === content.length)
}

function unreadChunks(ledger: Ledger, day: string, content: Buffer): string[] {
  const row = wikiDays(ledger).get(day)
  const part = unreadPart(content, { hash: row?.askedHash ?? null, bytes: row?.askedBytes ?? 0 })
  return chunksOf(part).filter(hasContent)
}

interface DayResult {
  articles: Article[]
  answered: number
  /** Number of questions. */
  of: number
  refused: RefusedDraft[]
  costUsd: number
  stop?: Exclude<ModelResponse<unknown>, { kind: 'answered' }>
}

async function readDay(
  { ledger, ask }: ModelCompileContext,
  vault: string,
  day: string,
  chunks: readonly string[],
): Promise<DayResult> {
  const read: DayResult = { articles: [], answered: 0, of: chunks.length, refused: [], costUsd: 0 }
  if (chunks.length === 0) return read
  // Large modules, needed only if a model is asked.
  const [{ articlesToShow, wikiQuestion }, { validateDrafts }, { sourcesOfDay }] = await Promise.all([
    import('./question.ts'),
    import('./validate.ts'),
    import('./statements.ts'),
  ])
  const names = projectNames(ledger)
  const paths = vaultPaths(ledger.layout)
  // Articles of one chunk exist for the next one.
  const known = new Map(existingArticles(articleRows(ledger)).map((article) => [article.path, article]))
  const written = new Map<string, Article>()
  const text = (article: ExistingArticle) => sectionsOf(vault, article, written)
  for (const chunk of chunks) {
    const sessions = projectsOf(ledger, sessionsIn(chunk))
    const projects = new Set([...sessions.values()].filter((project) => project !== null))
    const there = [...known.values()].filter(({ isDeleted }) => !isDeleted)
    const index = rankArticles(there, chunk, projects)
    const shown = articlesToShow(index, chunk, text)
    const answer = await ask(wikiQuestion({ day, chunk, index, articles: shown }))
    if (answer.kind !== 'answered') return { ...read, articles: [], stop: answer }
    const { articles, refused } = validateDrafts(answer.value, {
      sources: sourcesOfDay(day, sessions),
      known: [...known.values()],
      paths,
      shown,
      read: text,
      projectName: (project) => names.get(project) ?? project,
      author: `${answer.provider} ${answer.model}`,
    })
    for (const article of articles) {
      known.set(article.path, article)
      written.set(article.path, article)
    }
    read.answered++
    read.costUsd += answer.costUsd
    read.refused.push(...refused)
  }
  return { ...read, articles: [...written.values()] }
}

/** Returns the project of each session. */
function projectsOf(ledger: Ledger, sessions: readonly string[]): Map<string, string | null> {
  return new Map(sessions.map((uid) => [uid, findSessions(ledger, uid).find(({ id }) => id === uid)?.project ?? null]))
}

function sectionsOf(
  vault: string,
  { path }: ExistingArticle,
  written: ReadonlyMap<string, Article>,
): ShownArticle['sections'] {
  const isThere = statVaultFile(vault, fileOf(path)).kind === 'file'
  const inFile = isThere ? sectionsIn(readVaultBytes(vault, fileOf(path))) : []
  const fresh = written.get(path)?.sections ?? []
  return [...fresh, ...inFile.filter(({ name }) => !fresh.some((section) => section.name === name))]
}

function settle(ledger: Ledger, day: string, content: Buffer, letter: DeadLetter | undefined): void {
  const row = wikiDays(ledger).get(day) ?? { day, stamp: '', hash: '', said: '' }
  const { hash, bytes } = readStateOf(content)
  saveWikiDay(ledger, { ...row, askedHash: hash, askedBytes: bytes })
  if (letter) deleteDeadLetter(ledger, letter.id)
}

function saveFailure({ ledger, clock }: ModelCompileContext, day: string, content: Buffer, read: DayResult): void {
  const atMs = clock.nowMs()
  const reasons: ProviderReason[] = read.stop?.reasons ?? []
  saveDeadLetter(ledger, {
    purpose: 'wiki',
    session: `${folder}${day}`,
    fromSeq: 0,
    toSeq: content.length,
    // The content is in the vault.
    input: JSON.stringify({ day, part: read.answered + 1, of: read.of }),
    reason: reasons.map(({ provider, reason }) => `${provider}: ${reason}`).join('; '),
    atMs,
    at: isoTime(atMs),
  })
}
