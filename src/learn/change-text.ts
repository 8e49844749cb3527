// Says in words what a change did to memories: one line for the list of changes, and the fields that
// changed for the history of one memory.
import { shortId } from '../core/session.ts'
import { plural } from '../core/units.ts'
import type { Memory } from '../memory/memory.ts'
import type { ChangeKind, ChangeRecord, MemoryVersion } from '../store/memories/changes.ts'
import { oneLine } from '../text/truncate.ts'

/** For example `learned 2 memories from codex 0a1b2c3d: Always use pnpm`. */
export function changeSummary({ kind, about }: ChangeRecord, versions: readonly MemoryVersion[]): string {
  const [first, ...others] = mainVersions(versions)
  if (!first || kind === 'deleted') return `${verbs[kind]}: ${oneLine(about)}`
  const what = actionOf(first)
  const verb = kind === 'reviewed' || kind === 'edited' ? what : verbs[kind]
  const count = others.length === 0 ? '' : ` ${plural(others.length + 1, 'memory', 'memories')}`
  return `${verb}${count}${sourceText(kind, about)}: ${subjectOf(first, what)}`
}

const verbs: Record<ChangeKind, string> = {
  learned: 'learned',
  remembered: 'remembered',
  imported: 'imported',
  edited: 'edited',
  forgotten: 'forgot',
  reviewed: 'reviewed',
  moved: 'moved',
  linked: 'linked',
  'taken back': 'took back',
  consolidated: 'consolidated',
  synced: 'synced',
  deleted: 'deleted',
  undone: 'undid',
}

function sourceText(kind: ChangeKind, about: string): string {
  const session = kind === 'learned' || kind === 'taken back' ? /^(?:from|in) (\S+:\S+)$/.exec(about)?.[1] : undefined
  if (session) return ` ${kind === 'learned' ? 'from' : 'in'} ${sessionText(session)}`
  return kind === 'consolidated' ? ` (${oneLine(about)})` : ''
}

function sessionText(session: string): string {
  return `${session.split(':')[0]} ${shortId(session)}`
}

/** Memories that a change is about; others change because of these, and are named if there are none. */
function mainVersions(versions: readonly MemoryVersion[]): readonly MemoryVersion[] {
  const main = versions.filter((version) => !sideEffects.has(actionOf(version)))
  return main.length > 0 ? main : versions
}

const sideEffects = new Set(['superseded', 'removed', 'confirmed', 'changed'])

function actionOf({ before, after }: MemoryVersion): string {
  if (!after) return 'removed'
  if (!before) return after.state === 'inbox' ? 'put into the inbox' : 'added'
  if (after.state !== before.state) {
    if (after.state === 'forgotten') return 'forgot'
    if (before.state === 'forgotten') return 'restored'
    return after.state === 'kept' ? (after.text === before.text ? 'kept' : 'edited') : 'put into the inbox'
  }
  if (after.supersededBy && after.supersededBy !== before.supersededBy) return 'superseded'
  if (after.text !== before.text) return 'edited'
  if (after.project !== before.project) return 'moved'
  if (after.counts.said > before.counts.said) return 'confirmed'
  return after.confirmedAt === before.confirmedAt ? 'changed' : 'edited'
}

function subjectOf(version: MemoryVersion, action: string): string {
  const { before, after } = version
  const text = oneLine((after ?? before)!.text)
  if (!before || !after || action === 'kept') return text
  if (after.text !== before.text) return `${oneLine(before.text)} -> ${text}`
  const fields = action === 'edited' || action === 'changed' || action === 'moved' ? changedFields(before, after) : []
  return fields.length > 0 ? `${text} (${fields.join('; ')})` : text
}

/** One entry of the history of a memory: who or what changed it, and how. */
export function versionText(version: MemoryVersion): string {
  const { change, before, after } = version
  const who = causes[change.kind](change, after ?? before!)
  if (!before) return `${who}: ${oneLine(after!.text)}`
  if (!after) return `${who}: removed`
  const fields = changedFields(before, after).filter((words) => words !== change.kind)
  return fields.length > 0 ? `${who}: ${fields.join('; ')}` : who
}

const causes: Record<ChangeKind, (change: ChangeRecord, memory: Memory) => string> = {
  learned: ({ about }) => `learned${sourceText('learned', about)}`,
  remembered: ({ about }, { because }) => {
    if (/^(?:wrote|restored) /.test(about)) return about
    return because === 'agent' ? 'stored by an agent' : 'remembered by you'
  },
  imported: ({ about }) => `imported with ${about}`,
  edited: ({ about }) =>
    /^(?:edited|moved|brought back) \S+\.md$/.test(about) ? `${about} in the vault` : 'edited by you',
  forgotten: ({ about }) => (/^deleted /.test(about) ? `${about} in the vault` : 'forgotten by you'),
  reviewed: () => 'reviewed by you',
  moved: ({ about }) =>
    / is /.test(about) && about.includes('/') ? `the project was renamed (${about})` : 'moved by you',
  linked: () => 'linked by you',
  'taken back': ({ about }) => `taken back${sourceText('taken back', about)}`,
  consolidated: ({ about }) => `consolidated (${about})`,
  synced: ({ about }) => `synced (${about})`,
  deleted: ({ about }) => `deleted with ${about}`,
  undone: () => 'undone',
}

/** In words; fields that follow from others are left out. */
function changedFields(before: Memory, after: Memory): string[] {
  const was = <Name extends keyof Memory>(name: Name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const value = (name: 'type' | 'kind' | 'status' | 'importance') =>
    was(name) ? [`${name} ${before[name]} -> ${after[name]}`] : []
  const text = (name: 'why' | 'apply', label: string) =>
    was(name) ? [after[name] ? `${label}: ${oneLine(after[name])}` : `${label} removed`] : []
  return [
    ...stateWords(before, after),
    ...(was('text') ? [`"${oneLine(before.text)}" -> "${oneLine(after.text)}"`] : []),
    ...text('why', 'why'),
    ...text('apply', 'how to apply'),
    ...value('kind'),
    ...value('status'),
    ...value('type'),
    ...value('importance'),
    ...(was('project') ? [after.project === null ? 'applies everywhere' : `moved to ${after.project}`] : []),
    ...(was('tags') ? [after.tags.length > 0 ? `tags ${after.tags.join(', ')}` : 'tags removed'] : []),
    ...(was('links') ? [after.links.length > 0 ? `links ${after.links.join(', ')}` : 'links removed'] : []),
    ...(was('supersededBy') ? [after.supersededBy ? `superseded by ${after.supersededBy}` : 'valid again'] : []),
    ...(was('contradicts')
      ? [after.contradicts ? `may contradict ${after.contradicts}` : 'contradiction settled']
      : []),
    ...(was('doubt') ? [after.doubt ? `doubtful: ${after.doubt}` : 'doubt removed'] : []),
    ...(after.counts.said === before.counts.said ? [] : [`said ${plural(after.counts.said, 'time')}`]),
  ]
}

function stateWords(before: Memory, after: Memory): string[] {
  if (before.state === after.state) return []
  if (after.state === 'forgotten') return ['forgotten']
  if (after.state === 'inbox') return ['put into the inbox']
  if (after.state === 'candidate') return ['a candidate again']
  return [before.state === 'forgotten' ? 'restored' : 'kept']
}
