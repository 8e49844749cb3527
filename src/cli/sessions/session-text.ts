// A session for reading: what is known of it, then its events, in the width of the terminal. Paths are not
// broken, because people copy them; code in messages is not either.
import { commandOf, pathsOf } from '../../core/commands.ts'
import { formatCount, formatDuration, formatSize, formatUsd, plural, type Zone } from '../../core/units.ts'
import type { Digest } from '../../digest/digest.ts'
import type { StoredEvent } from '../../store/sessions/bodies.ts'
import type { SessionView } from '../../store/sessions/sessions.ts'
import { fitWidth } from '../../text/display-width.ts'
import { oneLine, shortLine } from '../../text/truncate.ts'
import { type Style, wrapMessage, wrapText } from '../terminal.ts'
import { outcomeText } from './sessions.ts'

export interface ShownSession {
  session: SessionView
  digest: Digest | null
  learning: readonly string[]
}

export interface TextOptions {
  style: Style
  columns: number
  zone: Zone
  /** With tool output and thinking in full. */
  isFull: boolean
}

/** One field per line; the values of a field are below each other. */
export function headText({ session, digest, learning }: ShownSession, options: TextOptions): string {
  const { style, zone, columns } = options
  const { tokens, counts } = session
  const room = columns - fieldWidth
  const short = (text: string) => fitWidth(oneLine(text), room)
  const files = digest?.files ?? []
  const digested = session.digestedAt ? `, digested ${zone.minute(session.digestedAt)}` : ''
  const thread = digest?.thread ?? []
  const times = [session.started, session.ended].flatMap((time) => (time ? [zone.minute(time)] : []))
  const fields: [string, readonly (string | null)[]][] = [
    ['session', [session.id]],
    ['project', [[session.project, session.branch && `branch ${session.branch}`].filter(Boolean).join(', ')]],
    ['time', [times.join(' to ') + (session.endReason ? ` (${session.endReason})` : '')]],
    ['kind', [session.kind]],
    ['outcome', [digest ? `${outcomeText(digest.outcome, style)}: ${digest.because}` : 'not digested yet']],
    [
      'counts',
      [
        `${plural(counts.prompts, 'prompt')}, ${plural(counts.toolCalls, 'tool call')}, ${plural(counts.toolErrors, 'tool error')}, active ${formatDuration(digest?.activeMs ?? 0)}`,
      ],
    ],
    ['model', [session.model ?? 'unknown']],
    [
      'tokens',
      [
        `${formatCount(tokens.input)} in, ${formatCount(tokens.cacheRead)} cached, ${formatCount(tokens.cacheWrite)} written to cache, ${formatCount(tokens.output)} out${tokens.isLowerBound ? ' (at least)' : ''}`,
      ],
    ],
    ['cost', [sessionCost(session)]],
    ['read from', [transcriptText(session)]],
    ['captured', [`${zone.minute(session.capturedAt)}${digested}`]],
    ['from', [session.origin]],
    ['parent', [session.parent]],
    ['fork of', [session.forkedFrom && `${session.forkedFrom} (shares ${plural(session.inherited, 'event')})`]],
    // What was asked first, on the way and last.
    ['asked', thread.length > 1 ? thread.map(({ seq, text }) => short(`#${seq} ${text}`)) : []],
    ['waits for', [digest?.outcome === 'waiting' ? digest.question : null]],
    ['learning', learning],
    [
      'files',
      [
        ...files.slice(0, maxFiles).map((file) => `${file.path} +${file.added} -${file.removed}`),
        files.length > maxFiles ? `and ${files.length - maxFiles} more` : null,
      ],
    ],
    ['errors', (digest?.errors ?? []).slice(0, 5).map((error) => short(`${error.count}× ${error.message}`))],
  ]
  const lines = fields.flatMap(([name, values]) =>
    values
      .filter((value) => value !== null && value !== '')
      .flatMap((value) => (name === 'files' ? [value!] : wrapText(value!, room, { keepsWords: true })))
      .map((line, index) => `${index === 0 ? style.dim(name.padEnd(fieldWidth)) : ' '.repeat(fieldWidth)}${line}`),
  )
  const title = wrapText(session.title ?? session.id, columns).map(style.bold)
  return [...title, ...lines].join('\n')
}

const fieldWidth = 11
const maxFiles = 8

/** With what its subagents cost, if it had some. */
function sessionCost(session: SessionView): string {
  const { costUsd, isCostLowerBound, totalCostUsd, isTotalCostLowerBound } = session
  const own = formatUsd(costUsd, isCostLowerBound)
  const total = formatUsd(totalCostUsd, isTotalCostLowerBound)
  return total === own ? own : `${own}, with subagents ${total}`
}

function transcriptText({ transcript }: SessionView): string {
  if (!transcript) return ''
  const size = transcript.bytes === null ? '' : ` (${formatSize(transcript.bytes)})`
  return `${transcript.path}${size}`
}

/** Every event with its text, which is empty for what is shown in full only. Prompts and replies stand apart. */
export function* eventTexts(
  events: Iterable<StoredEvent>,
  options: TextOptions,
): Generator<{ event: StoredEvent; text: string }> {
  let before: StoredEvent | undefined
  for (const event of events) {
    const text = eventText(event, options)
    const isApart = text !== '' && before !== undefined && (isMessage(event) || isMessage(before))
    yield { event, text: isApart ? `\n${text}` : text }
    if (text !== '') before = event
  }
}

function isMessage({ kind }: StoredEvent): boolean {
  return kind === 'prompt' || kind === 'reply'
}

/** Prompts and replies in full, tool calls and results on one line. */
function eventText(event: StoredEvent, options: TextOptions): string {
  const { style, columns, zone, isFull } = options
  const time = event.ts ? style.dim(zone.minute(event.ts).slice(11)) : '     '
  const room = columns - indent.length
  switch (event.kind) {
    case 'prompt':
      return `${time} ${style.bold(style.blue('You'))}\n${messageText(event.text, columns)}`
    case 'reply':
      return `${time} ${style.bold('Agent')}\n${messageText(event.text, columns)}`
    case 'command':
    case 'shell':
      return `${time} ${style.blue(event.kind === 'shell' ? '!' : '>')} ${indented(event.text, room)}`
    case 'thinking':
      return isFull ? style.dim(`${time} (thinking) ${event.text}`) : ''
    case 'tool_call': {
      const call = isFull ? JSON.stringify(event.input) : fitWidth(oneLine(callText(event)), toolRoom(event, room))
      return `${time} ${style.yellow('●')} ${event.tool} ${call}`
    }
    case 'tool_result':
    case 'test_run':
      return resultText(event, room, options)
    case 'edit':
      return (event.files ?? [])
        .map((file) => `${indent}${style.green('✎')} ${file.path} +${file.added ?? 0} -${file.removed ?? 0}`)
        .join('\n')
    case 'error':
      return `${time} ${style.red('error')} ${isFull ? event.text : indented(shortLine(event.text, 200), room - 4)}`
    case 'interrupt':
      return `${time} ${style.red('■')} stopped by the user`
    case 'compaction':
      return style.dim(
        `${time} ── compaction: ${isFull ? event.text : indented(shortLine(event.text, 100), room - 13)}`,
      )
    case 'context':
      return isFull ? style.dim(`${time} (context) ${event.text}`) : ''
    case 'lifecycle':
      return style.dim(`${time} ${indented(event.text, room)}`)
    default:
      event.kind satisfies never
      return ''
  }
}

/** Below the text of a call, which follows its time and a mark. */
const indent = ' '.repeat(8)

function toolRoom({ tool }: StoredEvent, room: number): number {
  return Math.max(20, room - (tool ?? '').length - 1)
}

function indented(text: string, room: number): string {
  return wrapText(text, room, { keepsWords: true }).join(`\n${indent}`)
}

/** Sentences are wrapped; code and tables are left as they are. */
function messageText(text: string, columns: number): string {
  let isCode = false
  const lines = text.trim().split('\n')
  return lines
    .map((line) => {
      const isFence = /^\s*(?:```|~~~)/.test(line)
      if (isFence) isCode = !isCode
      return isFence || isCode || /^(?: {4}|\t|\s*\|)/.test(line) ? line : wrapMessage(line, columns)
    })
    .join('\n')
}

function callText(event: StoredEvent): string {
  return (
    commandOf(event.input) || pathsOf(event.input).join(' ') || patchedFiles(event) || JSON.stringify(event.input ?? {})
  )
}

/** The files of a patch in a tool's input; its changes are shown by the edit event that follows. */
function patchedFiles({ input }: StoredEvent): string {
  const source = typeof input === 'string' ? input : typeof input === 'object' ? JSON.stringify(input) : ''
  return [...source.matchAll(/\*\*\* (?:Add|Update|Delete) File: (.+?)(?=\\n|\n|")/g)]
    .map((match) => match[1]!)
    .join(' ')
}

function resultText(event: StoredEvent, room: number, { style, isFull }: TextOptions): string {
  const lines = event.text.split('\n').filter((line) => line.trim() !== '')
  const mark = event.tests ? testMark(event.tests) : event.error ? `✗ ${event.error}` : ''
  const paint = event.error || event.tests?.failed ? style.red : style.green
  if (isFull) return `${indent}${paint(mark)}\n${event.text}`
  const folded = lines.length > 1 ? ` (+${plural(lines.length - 1, 'line')})` : ''
  if (event.error) {
    const said = `${shortLine(lines.slice(0, 3).join(' / '), 200)}${folded}`
    const [first = '', ...rest] = wrapText(`${mark} ${said}`, room)
    const head = first.startsWith(mark) ? `${paint(mark)}${style.dim(first.slice(mark.length))}` : paint(first)
    return [head, ...rest.map(style.dim)].map((line) => `${indent}${line}`).join('\n')
  }
  const shown = fitWidth(oneLine(lines[0] ?? ''), Math.max(20, room - (mark ? mark.length + 1 : 0) - folded.length))
  return `${indent}${[mark && paint(mark), style.dim(shown)].filter(Boolean).join(' ')}${style.dim(folded)}`
}

function testMark({ passed, failed }: { passed: number; failed: number }): string {
  return failed > 0 ? `✗ ${failed} of ${passed + failed} tests failed` : `✓ ${passed} tests passed`
}
