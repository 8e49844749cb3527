// Records with the user's role: what people typed, results of tools, and much machine text.
import type { Event } from '../../core/session.ts'
import { asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { type Base, baseOf, blocks, textOf } from './content.ts'
import type { Place, Reading } from './reading.ts'
import { readResults } from './results.ts'

export function readUser(record: JsonObject, place: Place, reading: Reading): void {
  let content = blocks(asObject(record.message).content)
  if (reading.isCopy) {
    content = content.filter((block) => asString(block.text).startsWith('<fork-boilerplate>'))
    if (content.length === 0) return
    reading.isCopy = false
  }
  const base = baseOf(record, place.native)
  const results = content.filter((block) => block.type === 'tool_result')
  if (results.length > 0) readResults({ record, results, base }, place, reading)
  const said = saidIn(results.length > 0 ? content.filter((block) => block.type !== 'tool_result') : content)
  if (!said) return
  const kind = place.isSubagent || results.length > 0 ? unlessTyped(record, said) : userKind(record, said)
  if (isTyped(kind)) noteTyped({ record, base, kind }, place, reading)
  const key = results.length > 0 ? `${base.key}/said` : `${base.key}#0`
  place.session.event({ ...base, key, kind: once(kind, reading), role: 'user', text: wordsOf(kind, said) })
}

/** The text without what the machine put around it: editors and reminders stand in blocks or tags before the prompt. */
export function saidIn(content: JsonObject[]): string {
  const own = content.length > 1 ? content.filter((block) => !isMachineText(asString(block.text))) : content
  return textOf(own.length > 0 ? own : content).replace(ideContext, '')
}

const ideContext = /^(?:\s*<(ide_opened_file|ide_selection|ide_diagnostics)>[\s\S]*?<\/\1>)+\s*/

/** Machine text begins with one of these; the same words further inside are a person's. */
export function isMachineText(said: string): boolean {
  return machineText.test(said)
}

const machineText =
  /^\s*(?:<(?:local-command-caveat|local-command-stdout|local-command-stderr|bash-stdout|bash-stderr|task-notification|system-reminder|ci-monitor-event|fork-boilerplate)[\s>]|Caveat: The messages below)/

/** A subagent's task and words put beside a result are not what a person opened a turn with. */
function unlessTyped(record: JsonObject, said: string): Event['kind'] {
  const kind = userKind(record, said)
  return isTyped(kind) ? 'context' : kind
}

function isTyped(kind: Event['kind']): boolean {
  return kind === 'prompt' || kind === 'command' || kind === 'shell'
}

/** A compaction is one event: its boundary where there is one, else its summary. */
function once(kind: Event['kind'], reading: Reading): Event['kind'] {
  if (kind !== 'compaction' || !reading.isCompacting) return kind
  reading.isCompacting = false
  return 'context'
}

export function userKind(record: JsonObject, said: string): Event['kind'] {
  if (record.isCompactSummary === true || said.startsWith(continued)) return 'compaction'
  if (record.isMeta === true || optionalString(record.sourceToolUseID)) return 'context'
  const origin = optionalString(asObject(record.origin).kind)
  if ((origin && origin !== 'human') || record.promptSource === 'system') return 'context'
  if (/^\s*<(?:command-name|command-message|user-memory-input)>/.test(said)) return 'command'
  if (/^\s*<bash-input>/.test(said)) return 'shell'
  if (said.startsWith('[Request interrupted by user')) {
    return record.interruptedByShutdown === true ? 'lifecycle' : 'interrupt'
  }
  return isMachineText(said) ? 'context' : 'prompt'
}

const continued = 'This session is being continued from a previous conversation'

function wordsOf(kind: Event['kind'], said: string): string {
  if (kind === 'command') return commandText(said)
  return kind === 'shell' ? tagged(said, 'bash-input') : said
}

/** A slash command with its arguments as it was typed; `#` was the shortcut for a note to memory. */
export function commandText(said: string): string {
  const note = tagged(said, 'user-memory-input')
  return note ? `# ${note}` : `${tagged(said, 'command-name')} ${tagged(said, 'command-args')}`.trim()
}

function tagged(said: string, tag: string): string {
  const start = said.indexOf(`<${tag}>`)
  const end = said.indexOf(`</${tag}>`, start)
  return start < 0 ? '' : said.slice(start + tag.length + 2, end < 0 ? undefined : end).trim()
}

interface TypedRecord {
  record: JsonObject
  base: Base
  kind: Event['kind']
}

/**
 * Going back to an earlier point leaves the old records in the file: the next prompt then has the same parent as the
 * one that it replaces. Everything typed since that one is taken back.
 */
export function noteTyped({ record, base, kind }: TypedRecord, place: Place, reading: Reading): void {
  const { trail } = reading
  const parent = asString(record.parentUuid)
  if (!base.id || trail.some(({ uuid }) => uuid === base.id)) return
  const at = parent || reading.isLinked ? trail.findIndex((typed) => typed.parent === parent) : -1
  const taken = at < 0 ? [] : trail.splice(at)
  trail.push({ uuid: base.id, parent, isPrompt: kind === 'prompt' })
  if (trail.length > 200) trail.shift()
  const undoes = taken.filter(({ isPrompt }) => isPrompt).length
  if (undoes === 0) return
  const words = `Went back before ${undoes === 1 ? 'the last prompt' : `the last ${undoes} prompts`}`
  place.session.event({ ...base, key: `${base.key}/rewind`, kind: 'lifecycle', role: 'user', text: words, undoes })
}
