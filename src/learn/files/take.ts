// One file of a person, taken into the ledger: an edit, a new memory, a memory that is to be forgotten.
import { createHash } from 'node:crypto'
import { isoTime } from '../../core/clock.ts'
import { messageOf } from '../../core/errors.ts'
import { type Memory, maxMemoryLength } from '../../core/memory.ts'
import { lookAt, readIn } from '../../core/vault-files.ts'
import { changeMemories } from '../../store/changes.ts'
import { memoryById, projectsWithMemories } from '../../store/memories.ts'
import { dropMemoryFile, filesOfMemories, type MemoryFile, saveMemoryFile } from '../../store/memory-files.ts'
import { projectKeys } from '../../store/projects.ts'
import { decide } from '../change.ts'
import { editedMemory, type Redact, redactSaid, withOwnLines } from './edit.ts'
import { folderOf, inboxFolder, nameOf, parentOf } from './folders.ts'
import { parseMemoryFile, type Said } from './parse.ts'
import type { EditReport } from './read.ts'
import { hashOf, renderMemory } from './render.ts'
import { type MemoryFilesContext, surroundingsOf } from './surroundings.ts'
import { writeAgain } from './write.ts'

export interface EditsContext extends MemoryFilesContext {
  /** The name of this machine. */
  origin: string
  loadTools(): Promise<{ redact: Redact }>
}

export interface Reading {
  context: EditsContext
  vault: string
  report: EditReport
  /** Memories whose file was found in another place. */
  moved: Set<string>
}

export async function takeEdit(reading: Reading, file: MemoryFile, content: string): Promise<void> {
  const { context, report } = reading
  const { ledger } = context
  const memory = memoryById(ledger, file.memory)
  if (!memory) {
    dropMemoryFile(ledger, file.path)
    return takeNew(reading, file.path)
  }
  const said = await saidIn(reading, file.path, content, { memory, written: file.hash })
  if (!said) return
  if (said.id !== undefined && said.id !== file.memory) {
    report.problems.push({ path: file.path, line: 1, reason: `This is the file of ${file.memory}, not of ${said.id}` })
    return
  }
  ledger.transaction(() => {
    saveMemoryFile(ledger, { ...file, hash: hashOf(content) })
    applySaid(reading, memory, said, file.path)
  })
  if (memory.state !== 'inbox' || !said.decision) return
  decide(context, memory.id, said.decision)
  if (said.decision === 'drop') report.forgotten++
  else report.edited++
}

function applySaid({ context, report }: Reading, memory: Memory, said: Said, path: string): void {
  const { ledger, clock } = context
  const at = isoTime(clock.nowMs())
  const edited = editedMemory(memory, said, at)
  if (!edited) return
  changeMemories(ledger, { at, kind: 'edited', about: `edited ${nameOf(path)}` }, [edited])
  report.edited++
}

/** A file that we have not written: a new memory, or one of ours in another place. */
export async function takeNew(reading: Reading, path: string): Promise<void> {
  const { context, vault, report } = reading
  const { ledger } = context
  const content = readOrTell(reading, path)
  const found = lookAt(vault, path)
  if (content.trim() === '' || found.kind !== 'file') return
  const said = await saidIn(reading, path, content)
  if (!said) return
  const project = projectOfFolder(reading, parentOf(path), said.project)
  if (project === undefined) {
    const reason =
      parentOf(path) === inboxFolder ? 'New memories go into the folder of their project' : 'No project has this folder'
    report.problems.push({ path, line: 1, reason })
    return
  }
  const known = said.id === undefined ? undefined : memoryById(ledger, said.id)
  const old = known && filesOfMemories(ledger, [known.id]).get(known.id)
  if (old && lookAt(vault, old.path).kind !== 'missing') {
    const reason = `A copy of ${nameOf(old.path)}: without its id line it is a memory of its own`
    report.problems.push({ path, line: 1, reason })
    return
  }
  const file = { path, hash: hashOf(content), stamp: found.stamp }
  ledger.transaction(() => {
    if (old) dropMemoryFile(ledger, old.path)
    if (known) reading.moved.add(known.id)
    const memory = known ? movedTo(reading, known, project, said, path) : newMemory(reading, project, said, path)
    saveMemoryFile(ledger, { ...file, memory: memory.id })
    writeAgain(ledger, memory)
  })
}

function readOrTell({ vault, report }: Reading, path: string): string {
  try {
    return readIn(vault, path)
  } catch (error) {
    report.problems.push({ path, line: 1, reason: messageOf(error) })
    return ''
  }
}

/** Also one that was forgotten, when its file is brought back. */
function movedTo(reading: Reading, memory: Memory, project: string | null, said: Said, path: string): Memory {
  const { ledger, clock } = reading.context
  const at = isoTime(clock.nowMs())
  const isBack = memory.state === 'forgotten'
  if (memory.project === project && !isBack) {
    applySaid(reading, memory, said, path)
    return memory
  }
  const moved: Memory = { ...memory, project, state: isBack ? 'kept' : memory.state, version: memory.version + 1 }
  const about = `${isBack ? 'brought back' : 'moved'} ${nameOf(path)}`
  changeMemories(ledger, { at, kind: 'edited', about }, [editedMemory(moved, said, at) ?? moved])
  reading.report.edited++
  return moved
}

function newMemory({ context, report }: Reading, project: string | null, said: Said, path: string): Memory {
  const at = isoTime(context.clock.nowMs())
  const memory: Memory = {
    id: said.id ?? idOf(project, path, said.text),
    project,
    type: said.type ?? (project === null ? 'user' : 'project'),
    kind: said.kind ?? 'fact',
    status: said.status ?? 'settled',
    state: 'kept',
    text: said.text,
    why: said.why,
    apply: said.apply,
    importance: said.importance ?? 0.8,
    tags: said.tags ?? [],
    keywords: [],
    evidence: [{ session: null, event: null, quote: '', file: path }],
    // A file of ours that the ledger does not know, as after its loss, is no more than it was.
    trust: (said.id && said.trust) || 'user said',
    learnedAt: at,
    validFrom: at,
    confirmedAt: at,
    supersededAt: said.supersededBy ? at : null,
    supersededBy: said.supersededBy ?? null,
    contradicts: null,
    doubt: null,
    counts: { said: 1, shown: 0, used: 0 },
    version: 1,
    origin: context.origin,
    space: null,
    author: null,
  }
  changeMemories(context.ledger, { at, kind: 'remembered', about: `wrote ${nameOf(path)}` }, [memory])
  report.added++
  return memory
}

function idOf(project: string | null, path: string, text: string): string {
  const hex = createHash('sha256')
    .update(`${project ?? ''}\n${path}\n${text}`)
    .digest('hex')
  return `m-${hex.slice(0, 10)}`
}

/** One change for all of them, so that one `undo` brings them back. */
export function forgetMissing({ context, report, moved }: Reading, missing: readonly MemoryFile[]): void {
  const { ledger, clock } = context
  const gone = missing.filter(({ memory }) => !moved.has(memory))
  if (gone.length === 0) return
  const at = isoTime(clock.nowMs())
  ledger.transaction(() => {
    const forgotten = gone
      .flatMap(({ memory }) => memoryById(ledger, memory) ?? [])
      .filter(({ state }) => state !== 'forgotten')
      .map((memory): Memory => ({ ...memory, state: 'forgotten', version: memory.version + 1 }))
    for (const { path } of gone) dropMemoryFile(ledger, path)
    const about = gone.length === 1 ? `deleted ${nameOf(gone[0]!.path)}` : `deleted ${gone.length} memory files`
    if (forgotten.length > 0) changeMemories(ledger, { at, kind: 'forgotten', about }, forgotten)
    report.forgotten += forgotten.length
  })
}

/** What a file says, without secrets; undefined where it is a problem, which is told. */
async function saidIn(
  { context, report }: Reading,
  path: string,
  content: string,
  known?: { memory: Memory; written: string },
): Promise<Said | undefined> {
  const parsed = await parseMemoryFile(content)
  if (parsed.kind === 'bad') {
    report.problems.push({ path, line: parsed.line, reason: parsed.reason })
    return undefined
  }
  const around = surroundingsOf(context)
  const isCurrent = known !== undefined && known.written === hashOf(renderMemory(known.memory, around, content))
  const said = known ? withOwnLines(parsed.said, known.memory, around, isCurrent) : parsed.said
  if (said.text.length > maxMemoryLength) {
    const reason = `${said.text.length} characters, and a memory has at most ${maxMemoryLength}: make two files of it`
    report.problems.push({ path, line: 1, reason })
    return undefined
  }
  return redactSaid(said, (await context.loadTools()).redact)
}

/** `named` is what the file itself says: only the folder of that very project is taken for it. */
function projectOfFolder(
  { context: { ledger } }: Reading,
  folder: string,
  named: string | undefined,
): string | null | undefined {
  const own = folder.replace(/\/archive$/, '')
  const known = [null, ...(named ? [named] : []), ...projectsWithMemories(ledger), ...projectKeys(ledger)]
  return known.find((project) => folderOf(project) === own)
}
