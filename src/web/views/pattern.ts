// One pattern: what happened, the decision about it, what publishing it would change, and whether it
// helped. The last two take longer, so they are loaded after the page.
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { formatUsd, plural } from '../../core/units.ts'
import { type Html, html, renderProse } from '../../html/html.ts'
import { againLines, reviewText, scopeText, seenText, timesSeen } from '../../patterns/describe.ts'
import { approvePattern, declinePattern, retirePractice, undoDecision } from '../../patterns/review/decide.ts'
import { createDraft, type PracticeDraft } from '../../patterns/review/draft.ts'
import { withWarnings } from '../../patterns/review/queue.ts'
import type { Pattern, Practice } from '../../patterns/types.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listReviews, type Review } from '../../store/patterns/practices.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { findSessions } from '../../store/sessions/sessions.ts'
import { postButton } from '../components.ts'
import { type ListedPattern, loadPatterns, type PatternData, patternIn } from '../pattern-data.ts'
import type { PageRequest, PageResult, PageRoute } from '../request.ts'
import { agentList, crossAgentMark } from './pattern-list.ts'

export const patternRoutes: PageRoute[] = [
  { method: 'GET', path: '/patterns/:id', handle: patternPage },
  { method: 'POST', path: '/patterns/:id/approve', handle: approve },
  { method: 'POST', path: '/patterns/:id/reject', handle: (request) => decline(request, 'rejected') },
  { method: 'POST', path: '/patterns/:id/later', handle: (request) => decline(request, 'later') },
  { method: 'POST', path: '/patterns/:id/retire', handle: retire },
  { method: 'POST', path: '/patterns/:id/undo', handle: undo },
]

async function patternPage(request: PageRequest): Promise<PageResult> {
  const { ledger, app } = request
  const data = await loadPatterns(request)
  const listed = patternIn(data, request)
  const { id, pattern, practice, standing, tab } = listed
  const title = pattern?.title ?? practice!.title
  const reviews = listReviews(ledger).filter((review) => review.pattern === id)
  const isOwn = practice?.id === id
  const state = standing ? againLines(standing, app.zone) : []
  const main = html`<nav class="crumbs" aria-label="Path"><a href="/patterns${tab === 'open' ? '' : `?state=${tab}`}">Patterns</a></nav>
<div class="head"><h1>${renderProse(title)}</h1>${pattern && polarityChip(pattern)}${pattern && crossAgentMark(pattern)}${neighbours(data, listed)}</div>
<div class="reader"><div class="stack wide-stack">
${state.length > 0 && html`<div class="notice row">${practice && !isOwn ? html`<span>Covered by the practice <a href="${urlOfPattern(practice.id)}">${practice.title}</a></span>` : state.map((line) => html`<span>${line}</span>`)}${hasDecision(reviews) && undoButton(request, id)}</div>`}
${pattern && happened(request, pattern)}
${practice && isOwn ? practiceText(request, practice) : pattern && !practice && decisionForm(request, pattern, data)}
${isOwn && deferred(`${urlOfPattern(id)}/effect`, 'Before and after')}
${(isOwn || (pattern && !practice)) && deferred(`${urlOfPattern(id)}/publish`, 'What publishing would change')}
</div>
<aside class="reader-side is-last panel stack" aria-label="About the pattern">${aboutPattern(request, listed, reviews)}</aside></div>`
  return { kind: 'page', title, section: 'patterns', main }
}

export function urlOfPattern(id: string): string {
  return `/patterns/${encodeURIComponent(id)}`
}

function polarityChip({ polarity }: Pick<Pattern, 'polarity'>): Html {
  return polarity === 'problem'
    ? html`<span class="chip bad">problem</span>`
    : html`<span class="chip good">works</span>`
}

/** The pattern before and after it in its list. */
function neighbours({ listed }: PatternData, { id, tab }: ListedPattern): Html {
  const same = listed.filter((each) => each.tab === tab || each.id === id)
  const open = listed.filter((each) => each.tab === 'open')
  const at = same.findIndex((each) => each.id === id)
  const next = same[at + 1] ?? (tab === 'open' ? undefined : open[0])
  return html`<nav class="row push" aria-label="Patterns">${linkTo(same[at - 1], '[', 'Previous')}${linkTo(next, ']', next?.tab === 'open' && tab !== 'open' ? 'Next open' : 'Next')}</nav>`
}

function linkTo(listed: ListedPattern | undefined, key: string, label: string): Html | undefined {
  return (
    listed && html`<a class="button" href="${urlOfPattern(listed.id)}" data-key="${key}">${label} <kbd>${key}</kbd></a>`
  )
}

function hasDecision(reviews: readonly Review[]): boolean {
  return reviews.some(({ undoneAtMs }) => undoneAtMs === null)
}

function undoButton(request: PageRequest, id: string): Html {
  return postButton(request, { action: `${urlOfPattern(id)}/undo`, label: 'Undo', key: 'u' })
}

function happened({ ledger, app }: PageRequest, pattern: Pattern): Html {
  const about = { zone: app.zone, names: projectNames(ledger) }
  return html`<section><h2>What happened</h2><p class="quiet">${seenText(pattern, about)}</p>
<ul class="rows evidence">${pattern.examples.map((example) => exampleRow(ledger, example))}</ul></section>`
}

function exampleRow(ledger: Ledger, { session, seq, detail }: Pattern['examples'][number]): Html {
  const found = findSessions(ledger, session)[0]
  const label = `${shortId(session)}${seq === null ? '' : `#${seq}`}`
  return html`<li data-row><pre class="wrap" tabindex="0">${detail.slice(0, 1000)}</pre><div class="meta"><a href="${urlOfEvent(session, seq)}">${found?.title ?? label}</a><span>${found?.projectName}</span><code>${label}</code></div></li>
`
}

/** Everything is shown, because the focused view leaves out calls and errors. */
function urlOfEvent(session: string, seq: number | null): string {
  const path = `/sessions/${encodeURIComponent(session)}`
  return seq === null ? path : `${path}?at=${seq}&view=all#e${seq}`
}

/** One form for all decisions, so that the reason is sent with each of them. */
function decisionForm(request: PageRequest, pattern: Pattern, { practices }: PatternData): Html {
  const { ledger, app, formToken } = request
  const draft = createDraft(pattern)
  const context = { ledger, clock: app.clock, zone: app.zone }
  const standing = { kind: 'waiting' as const, again: null }
  const { warnings } = withWarnings(context, { pattern, standing, draft, warnings: [] }, practices)
  const action = urlOfPattern(pattern.id)
  return html`<section class="card"><h2>As a practice ${scopeText(draft, projectNames(ledger))}</h2>
${warnings.map(({ text }) => html`<p class="mark small">${text}</p>`)}
<form method="post" action="${action}/approve" class="stack fields"><input type="hidden" name="_token" value="${formToken}">
<label>Title<input type="text" name="title" value="${draft.title}" required></label>
<label>Rule for agents<textarea name="rule" rows="4" required>${draft.rule}</textarea></label>
<label>Steps, one per line (published as a skill)<textarea name="steps" rows="${Math.max(2, draft.steps.length)}">${draft.steps.join('\n')}</textarea></label>
<label>Reason, optional<input type="text" name="note" autocomplete="off"></label>
<div class="actions"><button class="primary" data-key="a">Approve <kbd>a</kbd></button><button formaction="${action}/reject" formnovalidate data-key="r">Reject <kbd>r</kbd></button><button formaction="${action}/later" formnovalidate data-key="l">Later <kbd>l</kbd></button><span class="quiet small">Nothing is published yet.</span></div></form></section>`
}

function practiceText(request: PageRequest, practice: Practice): Html {
  const { id, title, rule, steps, path, version, status } = practice
  return html`<section class="card"><div class="split"><h2>${renderProse(title)}</h2><span class="row"><span class="chip ${status === 'approved' ? 'good' : ''}">${status}</span><span class="quiet small">${version}</span></span></div>
<p class="statement">${renderProse(rule)}</p>${steps.length > 0 && html`<ol class="steps">${steps.map((step) => html`<li class="plain">${step}</li>`)}</ol>`}
<p class="quiet small">${path}.md, ${scopeText(practice, projectNames(request.ledger))}</p>
${status === 'approved' && html`<div class="actions">${postButton(request, { action: `${urlOfPattern(id)}/retire`, label: 'Retire', style: 'danger' })}<span class="quiet small">It stays in the catalogue, and the next publish removes it from the files.</span></div>`}</section>`
}

function deferred(url: string, heading: string): Html {
  return html`<section><h2>${heading}</h2><div hx-get="${url}" hx-trigger="load" hx-swap="outerHTML"><a href="${url}">Show</a></div></section>`
}

function aboutPattern(
  request: PageRequest,
  { id, pattern, practice }: ListedPattern,
  reviews: readonly Review[],
): Html {
  const { app, ledger } = request
  const names = projectNames(ledger)
  const day = (ms: number) => app.zone.day(new Date(ms).toISOString())
  const projects = [...new Set(pattern?.projects.map((key) => names.get(key) ?? key))]
  const facts: [string, Html | string | undefined | false][] = [
    ['Kind', pattern?.type ?? practice?.pattern?.type],
    ['Seen', pattern && `${plural(timesSeen(pattern), 'time')} in ${plural(pattern.sessions, 'session')}`],
    ['Agents', pattern && html`<span class="stacked">${agentList(request, pattern)}</span>`],
    ['Projects', projects.slice(0, maxProjects).join(', ') + (projects.length > maxProjects ? ' …' : '')],
    ['Cost', pattern && pattern.costUsd >= 0.005 && `about ${formatUsd(pattern.costUsd)}`],
    ['First', pattern && pattern.firstMs > 0 && day(pattern.firstMs)],
    ['Last', pattern && pattern.lastMs > 0 && day(pattern.lastMs)],
    ['Id', html`<code>${id}</code>`],
  ]
  return html`<dl class="facts">${facts.map(([name, value]) => value && html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${practice && practice.history.length > 0 && html`<div><h2>History</h2><ul class="plain-list">${practice.history.map(({ version, day: on, what }) => html`<li>${version}, ${on}: ${what}</li>`)}</ul></div>`}
${reviews.length > 0 && html`<div><h2>Decisions</h2><ul class="plain-list">${reviews.slice(0, maxReviews).map((review) => html`<li>${reviewText(review, app.zone)}${review.undoneAtMs !== null && html` <span class="quiet">undone</span>`}</li>`)}</ul></div>`}`
}

const maxProjects = 8
const maxReviews = 20

async function approve(request: PageRequest): Promise<PageResult> {
  const pattern = await patternOf(request)
  await approvePattern(contextOf(request), pattern, draftIn(request.form, createDraft(pattern)), noteIn(request.form))
  return backTo(pattern.id)
}

/** Fields that were sent replace those of the draft. */
function draftIn(form: URLSearchParams, draft: PracticeDraft): PracticeDraft {
  const field = (name: 'title' | 'rule') => form.get(name)?.replaceAll('\r\n', '\n').trim() ?? draft[name]
  const [title, rule] = [field('title'), field('rule')]
  if (title === '' || rule === '')
    throw new UserError('The title and the rule of a practice must not be empty', 'Go back, and write some text.')
  const steps = form
    .get('steps')
    ?.split(/\r?\n/)
    .map((step) => step.trim())
  return { ...draft, title, rule, steps: steps?.filter((step) => step !== '') ?? draft.steps }
}

async function decline(request: PageRequest, verdict: 'rejected' | 'later'): Promise<PageResult> {
  const pattern = await patternOf(request)
  await declinePattern(contextOf(request), pattern, verdict, noteIn(request.form))
  return backTo(pattern.id)
}

async function retire(request: PageRequest): Promise<PageResult> {
  const { id } = patternIn(await loadPatterns(request), request)
  await retirePractice(contextOf(request), id, noteIn(request.form))
  return backTo(id)
}

/** A practice without a pattern is gone when its approval is undone. */
async function undo(request: PageRequest): Promise<PageResult> {
  const { id, pattern } = patternIn(await loadPatterns(request), request)
  await undoDecision(contextOf(request), id)
  return pattern ? backTo(id) : { kind: 'redirect', to: '/patterns' }
}

async function patternOf(request: PageRequest): Promise<Pattern> {
  const { pattern, id } = patternIn(await loadPatterns(request), request)
  if (pattern) return pattern
  throw new UserError(`${id} is a practice without a pattern`, 'Edit its file, or retire it.')
}

function contextOf({ ledger, app }: PageRequest) {
  return { ledger, clock: app.clock, zone: app.zone }
}

function noteIn(form: URLSearchParams): { note: string } {
  return { note: form.get('note')?.trim() ?? '' }
}

function backTo(id: string): PageResult {
  return { kind: 'redirect', to: urlOfPattern(id) }
}
