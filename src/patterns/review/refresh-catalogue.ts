// Applies edits of practice files since the last run to their versions and history. Unreadable
// files are reported and left unchanged; a deleted file removes the practice.
import { isoTime } from '../../core/clock.ts'
import { openVault, vaultFolderState } from '../../core/vault/files.ts'
import type { Ledger } from '../../store/ledger.ts'
import { detectedPatterns } from '../../store/patterns/patterns.ts'
import {
  addReview,
  type PracticeFileRow,
  practiceFileRows,
  reviewsByPattern,
  savePracticeFileRow,
  undoReview,
} from '../../store/patterns/practices.ts'
import {
  type PracticeCatalogue,
  practiceBytes,
  practiceFile,
  practicesFolder,
  readCatalogue,
  savePractice,
} from '../catalogue.ts'
import { parsePractice } from '../practice-file.ts'
import type { Pattern, Practice } from '../types.ts'
import { reviewedEvidence } from './approval-rules.ts'
import { type ReviewContext, tryWithPracticesLock } from './context.ts'
import { bumpVersion } from './version.ts'

/** The current catalogue. Only reads it where another process holds the lock. */
export async function refreshCatalogue(context: ReviewContext): Promise<PracticeCatalogue> {
  const { layout } = context.ledger
  const refreshPractice = await tryWithPracticesLock(context, () => refreshLocked(context))
  return refreshPractice ?? readCatalogue(layout, recordedPaths(practiceFileRows(context.ledger)))
}

/** The caller must hold the lock of the practice files. */
export async function refreshLocked(context: ReviewContext): Promise<PracticeCatalogue> {
  const known = practiceFileRows(context.ledger)
  const catalogue = await readCatalogue(context.ledger.layout, recordedPaths(known))
  const practices: Practice[] = []
  for (const practice of catalogue.practices) practices.push(await settled(context, practice, known.get(practice.id)))
  return { practices, problems: [...catalogue.problems, ...(await recordDeletions(context, catalogue, known))] }
}

function recordedPaths(known: ReadonlyMap<string, PracticeFileRow>): Map<string, string> {
  return new Map([...known.values()].map(({ id, path }) => [id, path]))
}

async function settled(
  { ledger, clock, zone }: ReviewContext,
  practice: Practice,
  known: PracticeFileRow | undefined,
): Promise<Practice> {
  const { layout } = ledger
  const content = practiceBytes(layout, practice.path)
  if (known && !known.isDeleted && known.path === practice.path && content?.equals(known.content)) return practice
  const before = known && (await parsePractice(known.path, known.content))
  const day = zone.day(isoTime(clock.nowMs()))
  const next =
    before?.kind === 'practice' ? bumpVersion(before.practice, practice, day) : withFirstVersion(practice, day)
  await savePractice(layout, next)
  ledger.transaction(() => {
    recordFile(ledger, next)
    if (known?.isDeleted) undoDeletion(ledger, next.id, clock.nowMs())
  })
  return next
}

/** Records the content of the file, to detect the next edit. */
export function recordFile(ledger: Ledger, { id, path }: Practice): void {
  const content = practiceBytes(ledger.layout, path)
  if (content) savePracticeFileRow(ledger, { id, path, content, isDeleted: false })
}

/** A restored file undoes the recorded deletion. */
function undoDeletion(ledger: Ledger, id: string, nowMs: number): void {
  const last = reviewsByPattern(ledger).get(id)?.[0]
  if (last?.verdict === 'deleted') undoReview(ledger, last.id, nowMs)
}

/** Starts the history of a practice that a person wrote. */
function withFirstVersion(practice: Practice, day: string): Practice {
  if (practice.history.length > 0) return practice
  return { ...practice, history: [{ version: practice.version, day, what: 'written by hand' }] }
}

/** A missing folder means that the vault was moved, not that all practices were deleted. */
async function recordDeletions(
  { ledger, clock }: ReviewContext,
  { practices, problems }: PracticeCatalogue,
  known: ReadonlyMap<string, PracticeFileRow>,
): Promise<PracticeCatalogue['problems']> {
  const there = new Set([...practices.map(({ id }) => id)])
  const unread = new Set(problems.map(({ file }) => file))
  const gone = [...known.values()].filter(
    ({ id, path, isDeleted }) => !isDeleted && !there.has(id) && !unread.has(practiceFile(path)),
  )
  if (gone.length === 0) return []
  if (vaultFolderState(openVault(ledger.layout.vault), practicesFolder) !== 'folder')
    return [{ file: practicesFolder, line: 1, reason: `The folder is missing, and with it ${gone.length} practices` }]
  for (const one of gone) {
    const read = await parsePractice(one.path, one.content)
    if (read.kind !== 'practice') continue // only what could be read was kept
    const { evidence, frequency, agents } = read.practice.provenance
    const detected = detectedPatterns<Pattern>(ledger).find(({ id }) => id === one.id)
    ledger.transaction(() => {
      savePracticeFileRow(ledger, { ...one, isDeleted: true })
      addReview(ledger, {
        pattern: one.id,
        verdict: 'deleted',
        title: read.practice.title,
        evidence: detected ? reviewedEvidence(detected) : { evidence, frequency, agents, projects: null },
        note: 'its file was deleted',
        atMs: clock.nowMs(),
      })
    })
  }
  return []
}
