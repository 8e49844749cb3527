// What people did to the files of practices since they were last looked at becomes their version and their history. A file that
// cannot be read is a problem and stays as it is; one that is gone is a practice that was removed.
import { isoTime } from '../../core/clock.ts'
import { openVault, vaultFolderState } from '../../core/vault.ts'
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
import { type Catalogue, fileOf, practiceBytes, practicesFolder, readCatalogue, savePractice } from '../catalogue.ts'
import type { Pattern } from '../pattern.ts'
import type { Practice } from '../practice.ts'
import { readPractice } from '../practice-file.ts'
import { type ReviewContext, tryWithPracticesLock } from './context.ts'
import { evidenceOf } from './news.ts'
import { versioned } from './version.ts'

/** The catalogue as people left it. Where another process has the files, it is only read. */
export async function settleCatalogue(context: ReviewContext): Promise<Catalogue> {
  const { layout } = context.ledger
  const settled = await tryWithPracticesLock(context, () => settleHeld(context))
  return settled ?? readCatalogue(layout, pathsOf(practiceFileRows(context.ledger)))
}

/** The same for whoever has the files. */
export async function settleHeld(context: ReviewContext): Promise<Catalogue> {
  const known = practiceFileRows(context.ledger)
  const catalogue = await readCatalogue(context.ledger.layout, pathsOf(known))
  const practices: Practice[] = []
  for (const practice of catalogue.practices) practices.push(await settled(context, practice, known.get(practice.id)))
  return { practices, problems: [...catalogue.problems, ...(await noticeDeleted(context, catalogue, known))] }
}

function pathsOf(known: ReadonlyMap<string, PracticeFileRow>): Map<string, string> {
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
  const before = known && (await readPractice(known.path, known.content))
  const day = zone.day(isoTime(clock.nowMs()))
  const next = before?.kind === 'practice' ? versioned(before.practice, practice, day) : begun(practice, day)
  await savePractice(layout, next)
  ledger.transaction(() => {
    know(ledger, next)
    if (known?.isDeleted) takeBackDeletion(ledger, next.id, clock.nowMs())
  })
  return next
}

/** The file as it is now is what a person's next edit is told by. */
export function know(ledger: Ledger, { id, path }: Practice): void {
  const content = practiceBytes(ledger.layout, path)
  if (content) savePracticeFileRow(ledger, { id, path, content, isDeleted: false })
}

/** Who put the file back has said that it holds. */
function takeBackDeletion(ledger: Ledger, id: string, nowMs: number): void {
  const last = reviewsByPattern(ledger).get(id)?.[0]
  if (last?.verdict === 'deleted') undoReview(ledger, last.id, nowMs)
}

/** One that a person has written, or that came from elsewhere with its history. */
function begun(practice: Practice, day: string): Practice {
  if (practice.history.length > 0) return practice
  return { ...practice, history: [{ version: practice.version, day, what: 'written by hand' }] }
}

/** Nobody deletes the whole folder to remove a practice: where it is gone, the vault is somewhere else. */
async function noticeDeleted(
  { ledger, clock }: ReviewContext,
  { practices, problems }: Catalogue,
  known: ReadonlyMap<string, PracticeFileRow>,
): Promise<Catalogue['problems']> {
  const there = new Set([...practices.map(({ id }) => id)])
  const unread = new Set(problems.map(({ file }) => file))
  const gone = [...known.values()].filter(
    ({ id, path, isDeleted }) => !isDeleted && !there.has(id) && !unread.has(fileOf(path)),
  )
  if (gone.length === 0) return []
  if (vaultFolderState(openVault(ledger.layout.vault), practicesFolder) !== 'folder')
    return [{ file: practicesFolder, line: 1, reason: `The folder is missing, and with it ${gone.length} practices` }]
  for (const one of gone) {
    const read = await readPractice(one.path, one.content)
    if (read.kind !== 'practice') continue // only what could be read was kept
    const { evidence, frequency, agents } = read.practice.provenance
    const detected = detectedPatterns<Pattern>(ledger).find(({ id }) => id === one.id)
    ledger.transaction(() => {
      savePracticeFileRow(ledger, { ...one, isDeleted: true })
      addReview(ledger, {
        pattern: one.id,
        verdict: 'deleted',
        title: read.practice.title,
        evidence: detected ? evidenceOf(detected) : { evidence, frequency, agents, projects: null },
        note: 'its file was deleted',
        atMs: clock.nowMs(),
      })
    })
  }
  return []
}
