// Applies a changed, new or deleted file of a person to the ledger.
import { createHash } from 'node:crypto'
import { isoTime } from '../../core/clock.ts'
import { messageOf, UserError } from '../../core/errors.ts'
import { readVaultFile, statVaultFile } from '../../core/vault/files.ts'
import { proposesDeletion } from '../../memory/deletion-proposal.ts'
import { type Memory, maxMemoryLength } from '../../memory/memory.ts'
import { changeMemories, type NewChange } from '../../store/memories/changes.ts'
import {
  deleteMemoryFile,
  filesOfMemories,
  type MemoryFile,
  requeueFile,
  saveMemoryFile,
  sessionFolders,
} from '../../store/memories/files.ts'
import { memoryById, projectsWithMemories } from '../../store/memories/memories.ts'
import { markFilesStale } from '../../store/memories/rows.ts'
import { projectKeys } from '../../store/sessions/projects.ts'
import { changeObstacle, forgetObstacle, secretReason } from '../admission/team-access.ts'
import { markContradictions, withContradictionMark } from '../admission/team-conflicts.ts'
import { decide } from '../change.ts'
import { withEdits } from '../review/edit-memory.ts'
import { type EditsContext, renderContextOf, type VaultScan } from './context.ts'
import { editedMemory, redactFields, withUserLines } from './diff.ts'
import { inboxFolder, indexedFolder, isFolderOf, isTeamFolder, nameOf, parentOf } from './folders.ts'
import { type MemoryFileFields, parseMemoryFile } from './parse.ts'
import { evidenceIn, hashOf, ownNames, renderMemory } from './render.ts'
import { reasonToStay, refuseDeletion, refuseEdit, teamForNewFile } from './team-files.ts'

export async function applyEdit(reading: VaultScan, file: MemoryFile, content: string): Promise<void> {
  const { context, report } = reading
  const { ledger } = context
  const memory = memoryById(ledger, file.memory)
  if (!memory) {
    deleteMemoryFile(ledger, file.path)
    return applyNewFile(reading, file.path)
  }
  const obstacle = changeObstacle(ledger, memory)
  if (obstacle) return refuseEdit(reading, file, content, { memory, obstacle })
  const isTeams = memory.space !== null
  const said = await readFields(reading, file.path, content, { isTeams, known: { memory, written: file.hash } })
  if (!said) return
  if (said.id !== undefined && said.id !== file.memory) {
    report.problems.push({ path: file.path, line: 1, reason: `This is the file of ${file.memory}, not of ${said.id}` })
    return
  }
  if (isOtherTeam(memory, said)) {
    report.problems.push({ path: file.path, line: 1, reason: reasonToStay(memory) })
    return
  }
  const own = await readNames(context, memory, content)
  const isRenamed = own.name !== (file.name ?? null) || own.description !== (file.description ?? null)
  ledger.transaction(() => {
    saveMemoryFile(ledger, { ...file, ...own, hash: hashOf(content) })
    // The index shows the new name.
    if (isRenamed) markFilesStale(ledger, memory.project)
    applyFields(reading, memory, said, { path: file.path, isRenamed })
  })
  if (memory.state !== 'inbox' || !said.decision) return
  try {
    decide(context, memory.id, said.decision)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    report.problems.push({ path: file.path, line: 1, reason: `${error.message}. ${error.hint}` })
    return
  }
  if (said.decision === 'drop' || said.decision === 'accept') report.forgotten++
  else report.edited++
}

/** What a person named the memory in the file, without secrets. */
async function readNames(
  context: EditsContext,
  memory: Pick<Memory, 'id' | 'text'>,
  content: string,
): Promise<Pick<MemoryFile, 'name' | 'description'>> {
  const { name, description } = ownNames(memory, renderContextOf(context), content)
  if (name === null && description === null) return { name, description }
  const { texts } = (await context.loadTools()).redact([name ?? '', description ?? ''])
  return { name: texts[0] || null, description: texts[1] || null }
}

function applyFields(
  { context, report }: VaultScan,
  memory: Memory,
  said: MemoryFileFields,
  { path, isRenamed = false }: { path: string; isRenamed?: boolean },
): void {
  const { ledger, clock } = context
  const at = isoTime(clock.nowMs())
  const edits = editedMemory(memory, said, at) ?? (isRenamed ? withEdits(memory, {}, at) : undefined)
  if (!edits) return
  // A decision in the same file says whether the other memory stays.
  const isOpen = memory.state === 'inbox' && (said.decision !== undefined || proposesDeletion(memory))
  const edited: Memory = isOpen ? { ...edits, state: 'inbox', contradicts: memory.contradicts } : edits
  writeChange(context, { at, kind: 'edited', about: `edited ${nameOf(path)}` }, [withContradictionMark(ledger, edited)])
  report.edited++
}

/** Writes one change and updates contradiction marks. */
function writeChange({ ledger }: EditsContext, change: NewChange, memories: readonly Memory[]): void {
  markContradictions(ledger, memories, changeMemories(ledger, change, memories))
}

/**
 * A field `space` of a person may mean anything; only the name of a team asks to move the memory
 * there.
 */
function isOtherTeam(memory: Memory, { space }: MemoryFileFields): boolean {
  if (memory.space !== null) return space !== undefined && space !== memory.space
  return space?.startsWith('team:') ?? false
}

/** A file that Recollect did not write: a new memory, or a known one that was moved. */
export async function applyNewFile(reading: VaultScan, path: string): Promise<void> {
  const { context, vault, report } = reading
  const { ledger } = context
  const content = readOrReport(reading, path)
  const found = statVaultFile(vault, path)
  if (content.trim() === '' || found.kind !== 'file') return
  const isTeams = isTeamFolder(parentOf(path))
  const said = await readFields(reading, path, content, { isTeams })
  if (!said) return
  const isInInbox = parentOf(path) === inboxFolder && said.id !== undefined
  const project = isInInbox ? (said.project ?? null) : projectOfMemoryFolder(reading, parentOf(path), said.project)
  if (project === undefined) {
    const reason =
      parentOf(path) === inboxFolder ? 'New memories go into the folder of their project' : 'No project has this folder'
    report.problems.push({ path, line: 1, reason })
    return
  }
  const known = said.id === undefined ? undefined : memoryById(ledger, said.id)
  const old = known && filesOfMemories(ledger, [known.id]).get(known.id)
  if (old && statVaultFile(vault, old.path).kind !== 'missing') {
    const reason = `A copy of ${nameOf(old.path)}: delete its id line to make it a new memory`
    report.problems.push({ path, line: 1, reason })
    return
  }
  const place = placeOf(reading, path, { project, isTeams, said, known })
  if ('reason' in place) {
    report.problems.push({ path, line: 1, reason: place.reason })
    if (known) restoreFile(reading, known, old)
    return
  }
  const subject = known ?? { id: said.id ?? '', text: said.text }
  const file = { path, hash: hashOf(content), stamp: found.stamp, ...(await readNames(context, subject, content)) }
  ledger.transaction(() => {
    if (old) deleteMemoryFile(ledger, old.path)
    if (known) reading.moved.add(known.id)
    const memory = known ? movedTo(reading, known, project, said, path) : newMemory(reading, place, said, path)
    saveMemoryFile(ledger, { ...file, memory: memory.id })
    requeueFile(ledger, memory)
  })
}

interface MemoryLocation {
  project: string | null
  space: string | null
}

/**
 * The project and space that the place of a new file implies, or the reason why it cannot be there.
 */
function placeOf(
  reading: VaultScan,
  path: string,
  { project, isTeams, said, known }: NewFileDetails,
): MemoryLocation | { reason: string } {
  if (known && ((known.space !== null) !== isTeams || isOtherTeam(known, said))) return { reason: reasonToStay(known) }
  if (!isTeams) {
    if (said.space?.startsWith('team:'))
      return { reason: `Team memories belong in ${indexedFolder(parentOf(path))}/team` }
    return { project, space: null }
  }
  const obstacle = known && changeObstacle(reading.context.ledger, { space: known.space, project })
  if (obstacle) return { reason: `${obstacle.reason}. ${obstacle.hint}` }
  if (known) return { project, space: known.space }
  const team = teamForNewFile(reading, said, project)
  return 'reason' in team ? team : { project, space: team.space }
}

interface NewFileDetails {
  project: string | null
  isTeams: boolean
  said: MemoryFileFields
  known: Memory | undefined
}

/** A moved file that is refused: the memory was not forgotten, so its file is written again. */
function restoreFile({ context: { ledger }, moved }: VaultScan, memory: Memory, old: MemoryFile | undefined): void {
  moved.add(memory.id)
  ledger.transaction(() => {
    if (old) deleteMemoryFile(ledger, old.path)
    requeueFile(ledger, memory)
  })
}

function readOrReport({ vault, report }: VaultScan, path: string): string {
  try {
    return readVaultFile(vault, path)
  } catch (error) {
    report.problems.push({ path, line: 1, reason: messageOf(error) })
    return ''
  }
}

/** Also restores a forgotten memory whose file is brought back. */
function movedTo(
  reading: VaultScan,
  memory: Memory,
  project: string | null,
  said: MemoryFileFields,
  path: string,
): Memory {
  const { ledger, clock } = reading.context
  const at = isoTime(clock.nowMs())
  const isBack = memory.state === 'forgotten'
  if (memory.project === project && !isBack) {
    applyFields(reading, memory, said, { path })
    return memory
  }
  const moved: Memory = {
    ...memory,
    project,
    state: isBack ? 'kept' : memory.state,
    because: 'person',
    version: memory.version + 1,
  }
  const about = `${isBack ? 'brought back' : 'moved'} ${nameOf(path)}`
  writeChange(reading.context, { at, kind: 'edited', about }, [
    withContradictionMark(ledger, editedMemory(moved, said, at) ?? moved),
  ])
  reading.report.edited++
  return moved
}

function newMemory(
  { context, report }: VaultScan,
  { project, space }: MemoryLocation,
  said: MemoryFileFields,
  path: string,
): Memory {
  const now = isoTime(context.clock.nowMs())
  // A file of ours that a lost ledger does not know keeps what it says about its history.
  const known = said.id === undefined ? undefined : said
  const at = known?.learnedAt !== undefined && known.learnedAt <= now ? known.learnedAt : now
  const isInInbox = known !== undefined && parentOf(path) === inboxFolder
  const memory: Memory = {
    id: said.id ?? newFileId(project, path, said.text),
    project,
    type: said.type ?? (project === null && space === null ? 'user' : 'project'),
    kind: said.kind ?? 'fact',
    status: said.status ?? 'settled',
    state: isInInbox ? 'inbox' : 'kept',
    text: said.text,
    why: said.why,
    apply: said.apply,
    importance: said.importance ?? 0.8,
    tags: said.tags ?? [],
    keywords: [],
    links: said.links ?? [],
    evidence: evidenceIn(known?.tail ?? []) ?? [{ session: null, event: null, quote: '', file: path }],
    trust: known?.trust ?? 'user said',
    because: known?.because ?? 'person',
    score: null,
    learnedAt: at,
    validFrom: at,
    confirmedAt: known?.confirmedAt ?? at,
    supersededAt: said.supersededBy ? (known?.confirmedAt ?? at) : null,
    supersededBy: said.supersededBy ?? null,
    contradicts: (isInInbox && known.contradicts) || null,
    doubt: known?.doubt ?? null,
    counts: { said: known?.timesSaid ?? 1, shown: 0, used: 0 },
    version: 1,
    origin: context.origin,
    space,
    author: null,
  }
  const marked = isInInbox ? memory : withContradictionMark(context.ledger, memory)
  const about = known ? `restored from ${nameOf(path)}` : `wrote ${nameOf(path)}`
  writeChange(context, { at, kind: 'remembered', about }, [marked])
  report.added++
  return marked
}

function newFileId(project: string | null, path: string, text: string): string {
  const hex = createHash('sha256')
    .update(`${project ?? ''}\n${path}\n${text}`)
    .digest('hex')
  return `m-${hex.slice(0, 10)}`
}

/** Forgets all of them in one change, so that one `undo` restores them. */
export function forgetMissing(reading: VaultScan, missing: readonly MemoryFile[]): void {
  const { context, report, moved } = reading
  const { ledger, clock } = context
  const at = isoTime(clock.nowMs())
  ledger.transaction(() => {
    const gone = missing.filter((file) => !moved.has(file.memory) && !isRefused(reading, file))
    if (gone.length === 0) return
    const forgotten = gone
      .flatMap(({ memory }) => memoryById(ledger, memory) ?? [])
      .filter(({ state }) => state !== 'forgotten')
      .map((memory): Memory => ({ ...memory, state: 'forgotten', version: memory.version + 1 }))
    for (const { path } of gone) deleteMemoryFile(ledger, path)
    const about = gone.length === 1 ? `deleted ${nameOf(gone[0]!.path)}` : `deleted ${gone.length} memory files`
    if (forgotten.length > 0) writeChange(context, { at, kind: 'forgotten', about }, forgotten)
    report.forgotten += forgotten.length
  })
}

function isRefused(reading: VaultScan, file: MemoryFile): boolean {
  const { ledger } = reading.context
  const memory = memoryById(ledger, file.memory)
  const obstacle = memory && forgetObstacle(ledger, memory)
  if (obstacle) refuseDeletion(reading, file, { memory, obstacle })
  return obstacle !== undefined
}

/** The redacted fields of a file; undefined if it has a problem, which is reported. */
async function readFields(
  { context, report }: VaultScan,
  path: string,
  content: string,
  { isTeams, known }: { isTeams: boolean; known?: { memory: Memory; written: string } },
): Promise<MemoryFileFields | undefined> {
  const parsed = await parseMemoryFile(content)
  if (parsed.kind === 'bad') {
    report.problems.push({ path, line: parsed.line, reason: parsed.reason })
    return undefined
  }
  const around = renderContextOf(context)
  const isCurrent = known !== undefined && known.written === hashOf(renderMemory(known.memory, around, content))
  const said = known ? withUserLines(parsed.said, known.memory, around, isCurrent) : parsed.said
  if (said.text.length > maxMemoryLength) {
    const reason = `${said.text.length} characters; the limit is ${maxMemoryLength}: split it into two files`
    report.problems.push({ path, line: 1, reason })
    return undefined
  }
  const redacted = redactFields(said, (await context.loadTools()).redact)
  // Secrets in memories of a team are not masked silently: the author has to remove them.
  const secret = isTeams ? secretReason(redacted.counts) : undefined
  if (!secret) return redacted.said
  report.problems.push({ path, line: 1, reason: `${secret}: remove it, the team would see it` })
  return undefined
}

/** `named` is the project in the file itself; it counts only if the folder matches. */
function projectOfMemoryFolder(
  { context: { ledger } }: VaultScan,
  folder: string,
  named: string | undefined,
): string | null | undefined {
  const own = isTeamFolder(folder) ? parentOf(indexedFolder(folder)) : indexedFolder(folder)
  const keys = projectKeys(ledger)
  const known = [null, ...(named ? [named] : []), ...projectsWithMemories(ledger), ...keys]
  const project = known.find((one) => isFolderOf(one, own))
  if (project === null || (project !== undefined && keys.includes(project))) return project
  // The folder of a worktree, which was a project until its repository was known.
  const sessions = sessionFolders(ledger).find(({ cwd }) => isFolderOf(cwd, own))
  return sessions?.project ?? project
}
