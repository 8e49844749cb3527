// Syncs practices as Markdown files in the user's own space. A received practice goes to the
// catalogue; it reaches no agent's instruction file before the user publishes it on this machine.
import { createHash } from 'node:crypto'
import { matchesGlob } from '../../core/paths.ts'
import { openVault, statVaultFile, vaultFolderState, writeVaultFile } from '../../core/vault/files.ts'
import { frontmatterFence, splitFrontmatter, yamlString } from '../../core/vault/frontmatter.ts'
import {
  freePracticePath,
  practiceBytes,
  practiceFile,
  practicesFolder,
  removePractice,
} from '../../patterns/catalogue.ts'
import { findSections, findTitle, isField, parseList } from '../../patterns/practice-file.ts'
import { tryWithPracticesLock } from '../../patterns/review/context.ts'
import {
  addReview,
  type PracticeFileRow,
  practiceFileRows,
  reviewsByPattern,
  savePracticeFileRow,
  undoReview,
} from '../../store/patterns/practices.ts'
import { ownSpace } from '../../store/sync/outbox.ts'
import { practiceDocument } from '../documents.ts'
import { deletedHash, hashOfDocument } from '../item-hash.ts'
import type { DesiredState, MergeResult, ServerState, SyncContext, SyncedKind } from '../item-kind.ts'
import { secretRules } from '../privacy.ts'
import { type ItemDocument, maxDocumentBytes, type SyncItem } from '../protocol.ts'

export const practiceKind: SyncedKind = {
  kind: 'practice',
  *idsIn({ ledger }, space) {
    if (space === ownSpace) for (const id of practiceFileRows(ledger).keys()) yield itemOf(id)
  },
  desiredState,
  statementHash: (document) => (document === null ? deletedHash : hashOfDocument(document)),
  mergeRemote(context, space, item, base) {
    const parsed = item.document === null ? null : practiceDocument.safeParse(item.document)
    if (space !== ownSpace || parsed?.success === false || !isPractice(item.id)) return 'unsupported'
    // While another process writes the files, or without the vault, the item waits for the next
    // reconciliation.
    const merged = tryWithPracticesLock(context, () => {
      const local = localOf(context, item.id.slice(prefix.length))
      return local && mergePractice(context, local, { item, theirs: parsed?.data.content ?? null, base })
    })
    return merged ?? 'unsupported'
  },
}

const prefix = 'practice:'

function itemOf(id: string): string {
  return `${prefix}${id}`
}

function isPractice(item: string): boolean {
  return item.startsWith(prefix) && /^[\p{L}\p{N}\p{M}._:-]{1,120}$/u.test(item.slice(prefix.length))
}

/** Uses the last recorded content of the file, not an edit in progress. */
function desiredState(context: SyncContext, space: string, item: string): DesiredState {
  const known = space === ownSpace ? practiceFileRows(context.ledger).get(item.slice(prefix.length)) : undefined
  if (!known || known.isDeleted) return { kind: 'absent' }
  const content = known.content.toString('utf8')
  const { private: hidden } = context.config.sync
  if (projectsIn(content).some((project) => hidden.some((glob) => matchesGlob(project, glob))))
    return { kind: 'absent' }
  const document = documentOf(content)
  if (Buffer.byteLength(content) > maxDocumentBytes - 2000 || !practiceDocument.safeParse(document).success)
    return refused('too large', 'Its file is larger than a server accepts.')
  const rules = secretRules(context, document)
  if (rules.length === 0) return { kind: 'document', document }
  return refused('secret', `${practiceFile(known.path)} contains what looks like a secret: ${rules.join(', ')}.`, rules)
}

function refused(reason: 'too large' | 'secret', message: string, rules?: string[]): DesiredState {
  return { kind: 'refused', refusal: { reason, message, ...(rules ? { rules } : {}) } }
}

function documentOf(content: string): ItemDocument {
  return { title: titleOf(content), content }
}

interface LocalPractice {
  id: string
  known: PracticeFileRow | undefined
  /** The last recorded content of the file; null if there is none. */
  mine: string | null
  /** The user has changed or removed the file since. */
  isEdited: boolean
}

/** Undefined if the folder is missing: creating it would make all its files look deleted. */
function localOf({ ledger }: SyncContext, id: string): LocalPractice | undefined {
  const practices = practiceFileRows(ledger)
  const isAny = [...practices.values()].some(({ isDeleted: isGone }) => !isGone)
  if (isAny && vaultFolderState(openVault(ledger.layout.vault), practicesFolder) !== 'folder') return undefined
  const known = practices.get(id)
  const isHere = known !== undefined && !known.isDeleted
  const isTouched = isHere && !(practiceBytes(ledger.layout, known.path)?.equals(known.content) ?? false)
  return { id, known, mine: isHere ? known.content.toString('utf8') : null, isEdited: isTouched }
}

interface RemotePractice {
  item: SyncItem
  theirs: string | null
  base: ServerState | undefined
}

/**
 * A changed side wins over an unchanged one; if both changed, the local file wins and the other is
 * kept as a copy.
 */
function mergePractice(
  context: SyncContext,
  local: LocalPractice,
  { item, theirs, base }: RemotePractice,
): MergeResult {
  const { mine, isEdited: isTouched } = local
  const hash = mine === null ? deletedHash : hashOfDocument(documentOf(mine))
  if (hash === item.hash) return 'unchanged'
  const hasGoneBack = base !== undefined && item.version <= base.version
  const isUnchanged = base === undefined ? local.known === undefined : !hasGoneBack && base.hash === hash
  if (isUnchanged && !isTouched) return applyTheirs(context, local, theirs)
  if (theirs === null) return hasGoneBack ? 'unchanged' : deleteHere(context, local)
  if (mine === null) return hasGoneBack ? 'unchanged' : keepCopy(context, local.id, theirs)
  if (isOlderVersion(theirs, mine)) return 'unchanged'
  if (isOlderVersion(mine, theirs) && !isTouched) return applyTheirs(context, local, theirs)
  return keepCopy(context, local.id, theirs)
}

function applyTheirs(context: SyncContext, local: LocalPractice, theirs: string | null): MergeResult {
  if (theirs === null) return remove(context, local)
  const { ledger, clock } = context
  const { id, known } = local
  const vault = openVault(ledger.layout.vault)
  const content = withId(theirs, id)
  const isFree = known && (!known.isDeleted || statVaultFile(vault, practiceFile(known.path)).kind === 'missing')
  const path = isFree ? known.path : freePracticePath(ledger.layout, titleOf(content) || id, id)
  if (writeVaultFile(vault, practiceFile(path), content) === undefined) return 'unsupported'
  savePracticeFileRow(ledger, { id, path, content: Buffer.from(content), isDeleted: false })
  const last = reviewsByPattern(ledger).get(id)?.[0]
  if (last?.verdict === 'deleted') undoReview(ledger, last.id, clock.nowMs())
  return 'applied'
}

/** Same as deleting the file locally: the practice is not proposed again. */
function remove({ ledger, clock }: SyncContext, { id, known }: LocalPractice): MergeResult {
  if (!known || known.isDeleted) return 'unchanged'
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
  return 'applied'
}

/** The deletion wins; content written here meanwhile is kept as a copy. */
function deleteHere(context: SyncContext, local: LocalPractice): MergeResult {
  const { ledger } = context
  const { id, known, mine } = local
  if (!known || mine === null) return 'unchanged'
  const content = practiceBytes(ledger.layout, known.path)?.toString('utf8') ?? mine
  remove(context, local)
  return keepCopy(context, id, content)
}

/** Every machine makes the same copy. It is retired, so that agents do not get two versions. */
function keepCopy({ ledger }: SyncContext, id: string, content: string): MergeResult {
  const copy = copyOf(id, content)
  if (practiceFileRows(ledger).has(copy.id)) return 'unchanged'
  const path = freePracticePath(ledger.layout, titleOf(copy.content) || copy.id, copy.id)
  if (writeVaultFile(openVault(ledger.layout.vault), practiceFile(path), copy.content) === undefined)
    return 'unsupported'
  savePracticeFileRow(ledger, { id: copy.id, path, content: Buffer.from(copy.content), isDeleted: false })
  return 'conflict'
}

function titleOf(content: string): string {
  return (findTitle(bodyOf(content)) ?? '').slice(0, 500)
}

/** Each change appends to the history section, so the version with the longer history is newer. */
function isOlderVersion(earlier: string, later: string): boolean {
  const [before, after] = [historyOf(earlier), historyOf(later)]
  return before.length > 0 && before.length < after.length && before.every((line, at) => line === after[at])
}

function historyOf(content: string): string[] {
  const lines = bodyOf(content)
  const found = findSections(lines).find(({ name }) => name === 'history')
  return found ? parseList(lines.slice(found.from + 1, found.to)) : []
}

function bodyOf(content: string): string[] {
  return (splitFrontmatter(content)?.body ?? content).split('\n')
}

/** The projects in the front matter, in any list syntax. None means all projects. */
function projectsIn(content: string): string[] {
  const rows = splitFrontmatter(content)?.front?.split('\n') ?? []
  const at = rows.findIndex((row) => isField(row, 'projects'))
  if (at < 0) return []
  const rest = rows.slice(at + 1)
  const next = rest.findIndex((row) => !/^(?:[ \t]|- |-$|\])/.test(row))
  const value = [rows[at]!.slice(rows[at]!.indexOf(':') + 1), ...(next < 0 ? rest : rest.slice(0, next))].join('\n')
  return value.split(/[\s,[\]"']+/).filter((word) => word !== '' && word !== '-' && word !== 'null')
}

/** Sets the id to the one of the item, whatever the file says. */
function withId(content: string, id: string): string {
  return withField(content, 'id', yamlString(id))
}

interface PracticeCopy {
  id: string
  content: string
}

function copyOf(id: string, content: string): PracticeCopy {
  const mark = createHash('sha256').update(content).digest('hex').slice(0, 8)
  const copy = `${[...id].slice(0, 100).join('')}-${mark}`
  const retired = withField(withField(content, 'id', yamlString(copy)), 'status', 'retired')
  return {
    id: copy,
    content: withNote(
      retired,
      `> Another version of the practice ${id}, written at the same time on another machine. Take over what is good in it, then delete this file.`,
    ),
  }
}

/** Sets a field of the front matter, replacing its line if there is one. */
function withField(content: string, name: string, value: string): string {
  const split = splitFrontmatter(content)
  if (split?.front === undefined)
    return [frontmatterFence, `${name}: ${value}`, frontmatterFence, '', content].join('\n')
  const lines = content.split('\n')
  const end = split.bodyLine - 2
  const at = lines.findIndex((line, index) => index > 0 && index < end && isField(line.trimEnd(), name))
  if (at < 0) lines.splice(end, 0, `${name}: ${value}`)
  else if (lines[at]!.trimEnd() !== `${name}: ${value}`) lines[at] = `${name}: ${value}`
  return lines.join('\n')
}

/** Changes the title, so that lists show two names, and adds a note below it. */
function withNote(content: string, note: string): string {
  const lines = content.split('\n')
  const from = (splitFrontmatter(content)?.bodyLine ?? 1) - 1
  const at = lines.findIndex((line, index) => index >= from && /^#[ \t]+\S/.test(line))
  if (at < 0) lines.splice(from, 0, '', note)
  else lines.splice(at, 1, `${lines[at]!.trimEnd()}, another version`, '', note)
  return lines.join('\n')
}
