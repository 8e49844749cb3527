// The inbox: candidates and contradictions, one after the other, with one key each. The trail of
// decisions is in the form, so that each can be taken back, the last one first.

import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import { type Html, html } from '../../html/html.ts'
import { type ChangeContext, decide, undo } from '../../learn/change.ts'
import { cleanEdits } from '../../learn/review/clean-edits.ts'
import { editMemories } from '../../learn/review/edit-memory.ts'
import { quoteInContext } from '../../learn/review/quote-context.ts'
import {
  dismissCandidate,
  keepCandidate,
  type MemoryReviewItem,
  mergeCandidate,
  mergeTarget,
  postponeReview,
  resumeReview,
  reviewItem,
  reviewQueue,
} from '../../learn/review/review.ts'
import type { Memory } from '../../memory/memory.ts'
import { listChanges } from '../../store/memories/changes.ts'
import { countWaiting, memoryById } from '../../store/memories/memories.ts'
import { projectsByName } from '../../store/sessions/projects.ts'
import { selectOf } from '../components.ts'
import { evidenceOf, memoryMeta, memoryRow, scopeText, statementOf } from '../memory-card.ts'
import type { PageRequest, PageResult, PageRoute } from '../request.ts'
import { changeContextOf, refreshFiles } from './memories.ts'

export const inboxRoutes: PageRoute[] = [
  { method: 'GET', path: '/inbox', handle: (request) => inbox(request) },
  { method: 'POST', path: '/inbox', handle: decideItem },
]

/** How many are listed below the one that is decided. */
const maxNext = 8

function inbox(
  request: PageRequest,
  trail: readonly string[] = trailIn(request.query.get('trail')),
  said?: string,
): PageResult {
  const { ledger, query, app } = request
  const project = query.get('project') || undefined
  const now = isoTime(app.clock.nowMs())
  const queue = reviewQueue(ledger, { ...(project === undefined ? {} : { project }), limit: maxNext + 1, now })
  const waiting = countWaiting(ledger, project)
  const first = firstOf(ledger, trail, queue)
  const decided = trail.filter(isDecision).length
  const count = waiting.inbox + waiting.candidates
  const main = html`<div id="inbox"><div class="head"><h1>Inbox</h1><span class="quiet" role="status">${plural(waiting.inbox, 'memory', 'memories')} in the inbox, ${plural(waiting.candidates, 'candidate')}</span>${decided > 0 && html`<span class="chip good">${decided} decided</span>`}</div>
${projectFilter(request)}
${said !== undefined && html`<p class="notice" role="status">${said}</p>`}
${
  first
    ? reviewCard(request, first, trail)
    : html`<p class="empty">${count === 0 ? 'Nothing waits for a decision.' : 'The rest was put off until later.'}</p>${undoForm(request, trail)}`
}
${
  queue.length > 1 &&
  html`<section><h2 class="day">Next</h2><ul class="rows">${queue
    .filter(({ memory }) => memory.id !== first?.memory.id)
    .slice(0, maxNext)
    .map(({ memory }) => memoryRow(request, memory))}</ul></section>`
}</div>`
  if (request.isFragment) return { kind: 'fragment', html: main }
  return { kind: 'page', title: 'Inbox', section: 'inbox', main }
}

/** What was just taken back comes first again. */
function firstOf(
  ledger: PageRequest['ledger'],
  trail: readonly string[],
  queue: readonly MemoryReviewItem[],
): MemoryReviewItem | undefined {
  const last = trail.at(-1)
  const back = last?.startsWith('back:') ? memoryById(ledger, last.slice(5)) : undefined
  return back && (back.state === 'candidate' || back.state === 'inbox') ? reviewItem(ledger, back) : queue[0]
}

function projectFilter({ ledger, query }: PageRequest): Html {
  const names = projectsByName(ledger)
  return html`<form class="filters" method="get" action="/inbox">${selectOf('project', 'Project', names, query)}<button>Filter</button></form>`
}

function reviewCard(request: PageRequest, item: MemoryReviewItem, trail: readonly string[]): Html {
  const { memory, against, kind } = item
  const target = kind === 'candidate' ? mergeTarget(request.ledger, memory) : undefined
  const heading = {
    candidate: 'Rules propose to remember',
    contradiction: 'Two memories may contradict each other',
    deletion: 'An agent asks to forget this',
    saved: 'An agent saved this on its own; it waits for you before agents are told',
  }[kind]
  return html`<form class="card stack" method="post" action="/inbox" hx-post="/inbox" hx-target="#inbox" hx-swap="outerHTML">
${hiddenFields(request, memory, trail)}
<h2>${heading}</h2>
<div class="${against ? 'sides' : 'stack'}"><div class="stack">${
    kind === 'deletion'
      ? statementOf(against ?? memory)
      : html`<label class="grow">Statement<textarea name="text" rows="${Math.min(8, 1 + Math.ceil(memory.text.length / 90))}" maxlength="1400" data-key="e" data-submit="accept">${memory.text}</textarea></label>`
  }${memory.why && html`<p><b>Why:</b> ${memory.why}</p>`}${memoryMeta(request, memory)}${quoteOf(request, memory)}</div>
${against && kind === 'contradiction' && html`<div class="stack"><p class="quiet small">Now remembered, ${scopeText(request.ledger, against.project)}</p>${statementOf(against)}${memoryMeta(request, against)}</div>`}</div>
${target && html`<p class="small quiet">Similar: ${target.text.slice(0, 200)} <input type="hidden" name="into" value="${target.id}"></p>`}
<div class="actions">${buttons[kind].map(([decision, key, label]) => (decision === 'merge' && !target ? undefined : html`<button name="decision" value="${decision}" data-key="${key}"${decision === 'accept' && html` class="primary"`}>${label} <kbd>${key}</kbd></button>`))}${trail.some(isDecision) && html`<button name="decision" value="undo" data-key="u" class="ghost" formnovalidate>Undo <kbd>u</kbd></button>`}<span class="quiet small hide-narrow">In the text: Ctrl-Enter keeps it, Esc leaves it</span></div></form>`
}

type Decision = 'accept' | 'reject' | 'merge' | 'later' | 'both' | 'everywhere' | 'undo'

const buttons: Readonly<Record<MemoryReviewItem['kind'], readonly (readonly [Decision, string, string])[]>> = {
  candidate: [
    ['accept', 'a', 'Accept'],
    ['everywhere', 'w', 'Accept everywhere'],
    ['reject', 'r', 'Reject'],
    ['merge', 'm', 'Merge with the similar one'],
    ['later', 'l', 'Later'],
  ],
  contradiction: [
    ['accept', 'a', 'Accept the new one'],
    ['both', 'b', 'Keep both'],
    ['reject', 'r', 'Reject the new one'],
    ['later', 'l', 'Later'],
  ],
  saved: [
    ['accept', 'a', 'Keep it'],
    ['reject', 'r', 'Forget it'],
    ['later', 'l', 'Later'],
  ],
  deletion: [
    ['accept', 'a', 'Forget it'],
    ['reject', 'r', 'Keep it'],
    ['later', 'l', 'Later'],
  ],
}

function hiddenFields({ formToken, query }: PageRequest, memory: Memory, trail: readonly string[]): Html {
  return html`<input type="hidden" name="_token" value="${formToken}"><input type="hidden" name="id" value="${memory.id}"><input type="hidden" name="project" value="${query.get('project') ?? ''}"><input type="hidden" name="trail" value="${trail.join(' ')}">`
}

function undoForm(request: PageRequest, trail: readonly string[]): Html | undefined {
  if (!trail.some(isDecision)) return undefined
  return html`<form method="post" action="/inbox" hx-post="/inbox" hx-target="#inbox" hx-swap="outerHTML"><input type="hidden" name="_token" value="${request.formToken}"><input type="hidden" name="trail" value="${trail.join(' ')}"><button name="decision" value="undo" data-key="u">Undo <kbd>u</kbd></button></form>`
}

const reach = 160

function quoteOf(request: PageRequest, memory: Memory): Html {
  const source = memory.evidence.findLast(({ session }) => session !== null)
  const quote = source && quoteInContext(request.ledger, source, reach)
  if (!quote) return evidenceOf(memory)
  return html`<p class="quote">${quote.before}<mark>${quote.quote}</mark>${quote.after}</p>`
}

/** Of a trail only decisions are undone; `back:` says which item to show. */
function isDecision(step: string): boolean {
  return /^(?:change|later):/.test(step)
}

const maxTrail = 100

function trailIn(text: string | null): string[] {
  return (text ?? '').split(' ').filter(Boolean).slice(-maxTrail)
}

async function decideItem(request: PageRequest): Promise<PageResult> {
  const { form, query } = request
  const trail = trailIn(form.get('trail')).filter(isDecision)
  const decision = form.get('decision') as Decision | null
  if (form.get('project')) query.set('project', form.get('project')!)
  const id = form.get('id') ?? ''
  if (decision === 'undo') {
    const { trail: rest, id: back } = takeBack(changeContextOf(request), trail)
    await refreshFiles(request)
    return answer(request, back === undefined ? rest : [...rest, `back:${back}`])
  }
  const { step, said } = apply(request, decision, id)
  if (!step.startsWith('later:')) await refreshFiles(request)
  return answer(request, [...trail, step], said)
}

/** Without a script, the page is loaded again by its address: that must not decide again. */
function answer(request: PageRequest, trail: readonly string[], said?: string): PageResult {
  if (request.isFragment) return inbox(request, trail, said)
  const address = new URLSearchParams({ trail: trail.join(' ') })
  const project = request.query.get('project')
  if (project) address.set('project', project)
  return { kind: 'redirect', to: `/inbox?${address}` }
}

interface Step {
  step: string
  said?: string
}

function apply(request: PageRequest, decision: Decision | null, id: string): Step {
  const { ledger, form } = request
  const context = changeContextOf(request)
  const memory = memoryById(ledger, id)
  if (!memory || (memory.state !== 'candidate' && memory.state !== 'inbox'))
    throw new UserError('This was decided already', 'Open the inbox again.')
  const { kind } = reviewItem(ledger, memory)
  const before = lastChange(ledger)
  const text = (form.get('text') ?? memory.text).replace(/\r\n/g, '\n').trim()
  switch (decision) {
    case 'accept':
    case 'everywhere':
      accept(context, memory, kind, text, decision === 'everywhere')
      break
    case 'reject':
      if (kind === 'candidate') dismissCandidate(context, id)
      else decide(context, id, kind === 'deletion' ? 'refuse' : 'drop')
      break
    case 'both':
      decide(context, id, 'both')
      break
    case 'merge':
      mergeCandidate(context, id, form.get('into') ?? '')
      break
    case 'later':
      postponeReview(context, id)
      return { step: `later:${id}` }
    case 'undo':
    case null:
      throw new UserError('Choose what to do with it', 'Press one of the buttons.')
    default:
      decision satisfies never
  }
  const after = lastChange(ledger)
  const isWaiting = memoryById(ledger, id)?.state === 'inbox'
  return {
    step: `change:${after === before ? 0 : after}`,
    ...(isWaiting ? { said: 'It may contradict another memory, so it waits here for a decision.' } : {}),
  }
}

function accept(
  context: ChangeContext,
  memory: Memory,
  kind: MemoryReviewItem['kind'],
  text: string,
  isEverywhere: boolean,
): void {
  if (kind === 'deletion') return void decide(context, memory.id, 'accept')
  const isReworded = text !== '' && text !== memory.text
  const place = isEverywhere ? { project: null } : {}
  if (isReworded) {
    const { edits } = cleanEdits(memory, { text, ...place })
    return void editMemories(context, [memory.id], edits)
  }
  if (kind !== 'candidate') return void decide(context, memory.id, 'keep')
  keepCandidate(context, memory.id, place)
}

function lastChange(ledger: PageRequest['ledger']): number {
  return listChanges(ledger, 1)[0]?.id ?? 0
}

function takeBack(context: ChangeContext, trail: readonly string[]): { trail: string[]; id: string | undefined } {
  const last = trail.at(-1)
  const rest = trail.slice(0, -1)
  if (last === undefined) throw new UserError('There is nothing to undo', 'Decide about something first.')
  const value = last.slice(last.indexOf(':') + 1)
  if (last.startsWith('later:')) {
    resumeReview(context.ledger, value)
    return { trail: rest, id: value }
  }
  const { versions } = undo(context, Number(value))
  const item = versions.find(({ before }) => before?.state === 'candidate' || before?.state === 'inbox')
  return { trail: rest, id: item?.before?.id }
}
