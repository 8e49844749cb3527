// Events of a session as HTML, for the reader of the page and for an exported session. All text is
// untrusted.
import { commandOf, pathsOf } from '../core/commands.ts'
import { diffLinesOf } from '../core/diff-lines.ts'
import type { Zone } from '../core/units.ts'
import { formatSize } from '../core/units.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { oneLine, shortLine, truncate } from '../text/truncate.ts'
import { type Html, html, trustedHtml } from './html.ts'
import { renderMarkdown } from './markdown.ts'

export interface EventOptions {
  zone: Zone
  /** Address of an event. */
  urlOf(seq: number): string
  /** Shown in the margin: what was learned from the event. */
  marks?(event: StoredEvent): Html | undefined
  /** Tokens and cost of the exchange that begins with a prompt. */
  spend?(seq: number): string | undefined
  /** Whole texts: otherwise a long one is cut, with a link to all of it. */
  isWhole?: boolean
  /** In a file there is nothing to link to. */
  isStatic?: boolean
}

/** A text of a megabyte would stop the browser. */
const maxTextLength = 20_000
const maxOutputLength = 6000

export function renderEvent(event: StoredEvent, options: EventOptions): Html {
  const isFailed = event.error !== undefined || (event.tests?.failed ?? 0) > 0
  const classes = ['event', event.kind, isFailed && 'is-error'].filter(Boolean).join(' ')
  return html`<article class="${classes}" id="e${event.seq}" data-kind="${kindsOf(event, isFailed)}">${headOf(event, options)}${bodyOf(event, options)}${options.marks?.(event)}</article>
`
}

/** What the keys of the reader jump to. */
function kindsOf({ kind }: StoredEvent, isFailed: boolean): string {
  const jumps = [kind === 'prompt' && 'prompt', (isFailed || kind === 'error') && 'error', kind === 'edit' && 'edit']
  return jumps.filter(Boolean).join(' ')
}

const names: Readonly<Record<StoredEvent['kind'], string>> = {
  prompt: 'You',
  command: 'Command',
  shell: 'Shell',
  reply: 'Agent',
  thinking: 'Thinking',
  tool_call: 'Call',
  tool_result: 'Result',
  test_run: 'Tests',
  edit: 'Edit',
  error: 'Error',
  interrupt: 'Stopped by the user',
  compaction: 'Compaction',
  context: 'Context',
  lifecycle: 'Session',
}

function headOf(event: StoredEvent, { zone, urlOf, spend }: EventOptions): Html {
  const time = event.ts ? zone.minute(event.ts).slice(11) : ''
  const spent = event.kind === 'prompt' ? spend?.(event.seq) : undefined
  return html`<div class="event-head"><b>${names[event.kind]}</b>${event.tool && event.kind !== 'edit' && html`<span class="tool">${event.tool}</span>`}${resultMark(event)}<a class="anchor" href="${urlOf(event.seq)}">${time} #${event.seq}</a>${spent !== undefined && html`<span class="spend">${spent}</span>`}</div>`
}

function resultMark({ error, tests, exit }: StoredEvent): Html | undefined {
  if (tests && tests.failed > 0)
    return html`<span class="chip bad">${tests.failed} of ${tests.passed + tests.failed} tests failed</span>`
  if (tests) return html`<span class="chip good">${tests.passed} tests passed</span>`
  if (error) return html`<span class="chip bad">${error}${exit !== undefined && ` (exit code ${exit})`}</span>`
  return undefined
}

function bodyOf(event: StoredEvent, options: EventOptions): Html | undefined {
  switch (event.kind) {
    case 'prompt':
    case 'reply':
      return longText(event, options, (text) => html`<div class="prose">${renderText(text)}</div>`)
    case 'compaction':
    case 'thinking':
    case 'context':
      return folded(oneLine(event.text), longText(event, options, plainText))
    case 'tool_call':
      return callBody(event)
    case 'tool_result':
    case 'test_run':
      return outputBody(event, options)
    case 'edit':
      return html`<div class="tool">${(event.files ?? []).map(
        ({ path, added, removed }) =>
          html`<div>${path} <span class="quiet">+${added ?? 0} −${removed ?? 0}</span></div>`,
      )}</div>`
    case 'command':
    case 'shell':
      return html`<div class="tool plain">${truncate(event.text, maxOutputLength)}</div>`
    case 'error':
    case 'lifecycle':
      return html`<div class="plain">${truncate(event.text, maxOutputLength)}</div>`
    case 'interrupt':
      return undefined
    default:
      return event.kind satisfies never
  }
}

function plainText(text: string): Html {
  return html`<div class="plain">${text}</div>`
}

/** Images are stored as a note in brackets. */
const imageNote = /\[image(?:[ :][^\]\n]{0,200})?\]/gi

function renderText(text: string): Html {
  const markdown = renderMarkdown(
    text.replace(imageNote, (note) => `\u0060${note}\u0060`),
    () => undefined,
  )
  return trustedHtml(markdown.replace(/<code>(\[image[^<]{0,200}\])<\/code>/gi, '<span class="image">$1</span>'))
}

function longText(event: StoredEvent, options: EventOptions, render: (text: string) => Html): Html {
  const { text } = event
  if (options.isWhole || text.length <= maxTextLength) return render(text)
  return html`${render(truncate(text, maxTextLength))}${restOf(event, options)}`
}

function restOf({ seq, text }: StoredEvent, { urlOf, isStatic }: EventOptions): Html {
  const size = formatSize(text.length)
  if (isStatic) return html`<p class="small quiet">Cut; the whole text has ${size}.</p>`
  return html`<p class="small"><a href="${wholeUrl(urlOf(seq), seq)}">Show all ${size}</a></p>`
}

function wholeUrl(url: string, seq: number): string {
  const [address, anchor = ''] = url.split('#')
  return `${address}${address!.includes('?') ? '&' : '?'}whole=${seq}#${anchor}`
}

function folded(line: string, body: Html): Html {
  return html`<details><summary>${shortLine(line, 120)}</summary>${body}</details>`
}

function callBody(event: StoredEvent): Html {
  const diff = diffLinesOf(event.input)
  const line = commandOf(event.input) || pathsOf(event.input).join(' ')
  if (diff.length > 0)
    return html`<details class="call"><summary class="tool">${shortLine(line || 'change', 160)}</summary>${renderDiff(diff)}</details>`
  const input = typeof event.input === 'string' ? event.input : JSON.stringify(event.input ?? {}, null, 2)
  if (line !== '' && line.length < 160 && !line.includes('\n')) return html`<div class="tool plain">${line}</div>`
  return html`<details><summary class="tool">${shortLine(line || oneLine(input), 160)}</summary><pre class="wrap">${truncate(line || input, maxOutputLength)}</pre></details>`
}

export function renderDiff(lines: readonly { kind: string; text: string }[]): Html {
  return html`<div class="diff" tabindex="0" role="group" aria-label="Changes">${lines.map(({ kind, text }) => html`<span class="${kind}">${text === '' ? ' ' : text.slice(0, 2000)}</span>`)}</div>`
}

function outputBody(event: StoredEvent, options: EventOptions): Html | undefined {
  const text = event.text.trimEnd()
  if (text === '') return undefined
  const lines = text.split('\n')
  const shown = options.isWhole ? text : truncate(text, maxOutputLength)
  const rest = shown.length < text.length && restOf(event, options)
  if (lines.length === 1 && text.length < 160) return html`<div class="tool plain quiet">${text}</div>`
  const summary = `${shortLine(oneLine(lines.find((line) => line.trim() !== '') ?? ''), 120)} (${lines.length} lines)`
  return html`<details${event.error !== undefined && html` open`}><summary class="tool quiet">${summary}</summary><pre class="wrap" tabindex="0">${shown}</pre>${rest}</details>`
}
