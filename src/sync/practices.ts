// How practices travel: as the Markdown files that they are, through one's own space. A practice that comes in lies in the catalogue
// like any other, and stands in no agent's instructions before its person publishes it here.
import { matchesGlob } from '../core/globs.ts'
import { zoneOf } from '../core/units.ts'
import { folderIn, lookAt, openVault, writeIn } from '../core/vault-files.ts'
import { fileOf, freePath, practiceBytes, practicesFolder, removePractice } from '../patterns/catalogue.ts'
import { takePractices } from '../patterns/review/lock.ts'
import {
  addReview,
  type PracticeFileRow,
  practiceFileRows,
  reviewsByPattern,
  savePracticeFileRow,
  undoReview,
} from '../store/patterns/reviews.ts'
import { ownSpace } from '../store/sync/outbox.ts'
import { practiceDocument } from './documents.ts'
import { deletedHash, hashOfDocument } from './identity.ts'
import { copyOf, isBehind, projectsIn, titleOf, withId } from './practice-content.ts'
import { secretRules } from './privacy.ts'
import { type Item, type ItemDocument, maxDocumentBytes } from './protocol.ts'
import type { Known, Meeting, TravelContext, Traveller, Wanted } from './traveller.ts'

export const practiceTraveller: Traveller = {
  kind: 'practice',
  *ids({ ledger }, space) {
    if (space === ownSpace) for (const id of practiceFileRows(ledger).keys()) yield itemOf(id)
  },
  wanted,
  statementOf: (document) => (document === null ? deletedHash : hashOfDocument(document)),
  meet(context, space, item, base) {
    const parsed = item.document === null ? null : practiceDocument.safeParse(item.document)
    if (space !== ownSpace || parsed?.success === false || !isPractice(item.id)) return 'not understood'
    const release = takePractices({ ...context, zone: zoneOf(context.config.display.zone) })
    // Somebody is writing there, or the vault is elsewhere: it comes in when everything is compared the next time.
    if (!release) return 'not understood'
    try {
      const local = localOf(context, item.id.slice(prefix.length))
      return local ? meetHeld(context, local, { item, theirs: parsed?.data.content ?? null, base }) : 'not understood'
    } finally {
      release()
    }
  },
}

const prefix = 'practice:'

function itemOf(id: string): string {
  return `${prefix}${id}`
}

function isPractice(item: string): boolean {
  return item.startsWith(prefix) && /^[\p{L}\p{N}\p{M}._:-]{1,120}$/u.test(item.slice(prefix.length))
}

/** As it was when its file was last looked at: what a person is just writing is nobody else's yet. */
function wanted(context: TravelContext, space: string, item: string): Wanted {
  const known = space === ownSpace ? practiceFileRows(context.ledger).get(item.slice(prefix.length)) : undefined
  if (!known || known.isDeleted) return { kind: 'nothing' }
  const content = known.content.toString('utf8')
  const { private: hidden } = context.config.sync
  if (projectsIn(content).some((project) => hidden.some((glob) => matchesGlob(project, glob))))
    return { kind: 'nothing' }
  const document = documentOf(content)
  if (Buffer.byteLength(content) > maxDocumentBytes - 2000 || !practiceDocument.safeParse(document).success)
    return refused('too large', 'Its file is longer than what a server takes.')
  const rules = secretRules(context, document)
  if (rules.length === 0) return { kind: 'document', document }
  return refused('secret', `${fileOf(known.path)} holds what looks like a secret: ${rules.join(', ')}.`, rules)
}

function refused(reason: 'too large' | 'secret', message: string, rules?: string[]): Wanted {
  return { kind: 'refused', refusal: { reason, message, ...(rules ? { rules } : {}) } }
}

function documentOf(content: string): ItemDocument {
  return { title: titleOf(content), content }
}

interface Local {
  id: string
  known: PracticeFileRow | undefined
  /** What its file said when it was last looked at; null where there is none. */
  mine: string | null
  /** A person has changed or removed the file since. */
  isTouched: boolean
}

/** Undefined where the whole folder is missing: making it anew would look as if everything in it had been deleted. */
function localOf({ ledger }: TravelContext, id: string): Local | undefined {
  const practices = practiceFileRows(ledger)
  const isAny = [...practices.values()].some(({ isDeleted: isGone }) => !isGone)
  if (isAny && folderIn(openVault(ledger.layout.vault), practicesFolder) !== 'folder') return undefined
  const known = practices.get(id)
  const isHere = known !== undefined && !known.isDeleted
  const isTouched = isHere && !(practiceBytes(ledger.layout, known.path)?.equals(known.content) ?? false)
  return { id, known, mine: isHere ? known.content.toString('utf8') : null, isTouched }
}

interface Coming {
  item: Item
  theirs: string | null
  base: Known | undefined
}

/** Whoever changed it wins over whoever did not; where both did, the one that is here holds and the other is kept beside it. */
function meetHeld(context: TravelContext, local: Local, { item, theirs, base }: Coming): Meeting {
  const { mine, isTouched } = local
  const hash = mine === null ? deletedHash : hashOfDocument(documentOf(mine))
  if (hash === item.hash) return 'same'
  const hasGoneBack = base !== undefined && item.version <= base.version
  const isUnchanged = base === undefined ? local.known === undefined : !hasGoneBack && base.hash === hash
  if (isUnchanged && !isTouched) return take(context, local, theirs)
  if (theirs === null) return hasGoneBack ? 'same' : deleteHere(context, local)
  if (mine === null) return hasGoneBack ? 'same' : keepBeside(context, local.id, theirs)
  if (isBehind(theirs, mine)) return 'same'
  if (isBehind(mine, theirs) && !isTouched) return take(context, local, theirs)
  return keepBeside(context, local.id, theirs)
}

function take(context: TravelContext, local: Local, theirs: string | null): Meeting {
  if (theirs === null) return remove(context, local)
  const { ledger, clock } = context
  const { id, known } = local
  const vault = openVault(ledger.layout.vault)
  const content = withId(theirs, id)
  const isFree = known && (!known.isDeleted || lookAt(vault, fileOf(known.path)).kind === 'missing')
  const path = isFree ? known.path : freePath(ledger.layout, titleOf(content) || id, id)
  if (writeIn(vault, fileOf(path), content) === undefined) return 'not understood'
  savePracticeFileRow(ledger, { id, path, content: Buffer.from(content), isDeleted: false })
  const last = reviewsByPattern(ledger).get(id)?.[0]
  if (last?.verdict === 'deleted') undoReview(ledger, last.id, clock.nowMs())
  return 'taken'
}

/** As if its file had been deleted here: it is not proposed again. */
function remove({ ledger, clock }: TravelContext, { id, known }: Local): Meeting {
  if (!known || known.isDeleted) return 'same'
  removePractice(ledger.layout, known.path)
  savePracticeFileRow(ledger, { ...known, isDeleted: true })
  const before = reviewsByPattern(ledger).get(id)?.[0]
  addReview(ledger, {
    pattern: id,
    verdict: 'deleted',
    title: before?.title ?? titleOf(known.content.toString('utf8')),
    evidence: before?.evidence ?? { evidence: '', frequency: 0, agents: [], projects: null },
    note: 'deleted on another machine',
    atMs: clock.nowMs(),
  })
  return 'taken'
}

/** The delete holds; what was written here meanwhile is kept under another name. */
function deleteHere(context: TravelContext, local: Local): Meeting {
  const { ledger } = context
  const { id, known, mine } = local
  if (!known || mine === null) return 'same'
  const content = practiceBytes(ledger.layout, known.path)?.toString('utf8') ?? mine
  remove(context, local)
  return keepBeside(context, id, content)
}

/** The same copy on every machine that meets the same two. Retired: agents are not told the same thing in two ways. */
function keepBeside({ ledger }: TravelContext, id: string, content: string): Meeting {
  const copy = copyOf(id, content)
  if (practiceFileRows(ledger).has(copy.id)) return 'same'
  const path = freePath(ledger.layout, titleOf(copy.content) || copy.id, copy.id)
  if (writeIn(openVault(ledger.layout.vault), fileOf(path), copy.content) === undefined) return 'not understood'
  savePracticeFileRow(ledger, { id: copy.id, path, content: Buffer.from(copy.content), isDeleted: false })
  return 'both'
}
