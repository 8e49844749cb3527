// Memories: the list, one memory with its source and history, and its changes by a person. Every
// change can be undone.
import { UserError } from '../../core/errors.ts'
import { type Html, html } from '../../html/html.ts'
import { type ChangeContext, forgetMemories, undo } from '../../learn/change.ts'
import { versionText } from '../../learn/change-text.ts'
import { refreshMemoryFiles } from '../../learn/files/refresh.ts'
import { cleanEdits } from '../../learn/review/clean-edits.ts'
import { editMemories, type MemoryEdits } from '../../learn/review/edit-memory.ts'
import { type Memory, memoryKinds, memoryStatuses } from '../../memory/memory.ts'
import { lastUndoableChange, memoryHistory } from '../../store/memories/changes.ts'
import { listMemories, memoriesSupersededBy, memoryById } from '../../store/memories/memories.ts'
import { memoryShowings } from '../../store/memories/usage.ts'
import { projectNames, projectsByName } from '../../store/sessions/projects.ts'
import { pagerOf, postButton, selectOf } from '../components.ts'
import { evidenceOf, isPinned, memoryMeta, memoryRow, pinTag, statementOf } from '../memory-card.ts'
import {
  NotFoundError,
  numberIn,
  ownAddress,
  type PageRequest,
  type PageResult,
  type PageRoute,
  urlOfSession,
} from '../request.ts'

export const memoryRoutes: PageRoute[] = [
  { method: 'GET', path: '/memories', handle: memoryList },
  { method: 'GET', path: '/memories/:id', handle: memoryView },
  { method: 'POST', path: '/memories/:id/edit', handle: editMemory },
  { method: 'POST', path: '/memories/:id/pin', handle: pinMemory },
  { method: 'POST', path: '/memories/:id/move', handle: moveMemory },
  { method: 'POST', path: '/memories/:id/forget', handle: forgetMemory },
  { method: 'POST', path: '/undo', handle: undoChange },
]

const pageSize = 50

function memoryList(request: PageRequest): PageResult {
  const { ledger, query } = request
  const value = (name: string) => query.get(name) || undefined
  const [project, kind, state, text] = ['project', 'kind', 'state', 'text'].map(value)
  const all = listMemories(ledger, {
    ...(project === undefined ? {} : { project: project === everywhere ? null : project }),
    ...(kind === undefined ? {} : { kind }),
    ...(state === 'superseded' ? {} : { state: (state ?? 'kept') as Memory['state'] }),
    isCurrent: state !== 'superseded',
  })
    .filter(({ supersededBy }) => state !== 'superseded' || supersededBy !== null)
    .filter(matching(text))
    .sort((a, b) => Number(isPinned(b)) - Number(isPinned(a)))
  const page = numberIn(query, 'page') ?? 0
  const shown = all.slice(page * pageSize, (page + 1) * pageSize)
  const main = html`<div class="head"><h1>Memories</h1><span class="quiet">${all.length}</span><a class="push button" href="/inbox">Review what rules propose</a></div>
${filterForm(request)}
<div id="list">${
    shown.length === 0
      ? html`<p class="empty">No memory matches. Rules propose candidates, which you keep in the <a href="/inbox">inbox</a>; on the command line <code>recollect remember</code> adds one.</p>`
      : html`<ul class="rows">${shown.map((memory) => memoryRow(request, memory))}</ul>`
  }${pagerOf(request, page, Math.ceil(all.length / pageSize))}</div>`
  return { kind: 'page', title: 'Memories', section: 'memories', main }
}

/** In the address, where null cannot be written. */
const everywhere = 'everywhere'

function matching(text: string | undefined): (memory: Memory) => boolean {
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return ({ text: own, why, apply, tags, id }) => {
    const all = [own, why, apply, tags.join(' '), id].join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  }
}

function filterForm({ ledger, query }: PageRequest): Html {
  const names = projectsByName(ledger)
  const projects: (readonly [string, string])[] = [[everywhere, 'everywhere'], ...names]
  return html`<form class="filters" method="get" action="/memories" hx-get="/memories" hx-trigger="change, input changed delay:250ms from:find input[type=search]" hx-target="#list" hx-select="#list" hx-swap="outerHTML" hx-push-url="true">
<label class="grow">Words<input type="search" name="text" value="${query.get('text') ?? ''}" data-key="/" autocomplete="off"></label>
${selectOf('project', 'Scope', projects, query)}${selectOf('kind', 'Kind', memoryKinds, query)}${selectOf('state', 'State', ['kept', 'candidate', 'inbox', 'superseded', 'forgotten'], query)}
<button>Filter</button></form>`
}

function memoryView(request: PageRequest): PageResult {
  const { ledger, app } = request
  const memory = memoryIn(request)
  const history = memoryHistory(ledger, memory.id)
  const replaced = memoriesSupersededBy(ledger, memory.id)
  const showings = memoryShowings(ledger, memory.id).slice(0, 10)
  const main = html`<div class="head"><h1>Memory</h1><code>${memory.id}</code><a class="push" href="/memories">All memories</a></div>
${undoNotice(request)}
<div class="grid"><div class="span-8 stack"><article class="card stack">${statementOf(memory)}${memoryMeta(request, memory)}${memory.state !== 'forgotten' && actions(request, memory)}</article>
<section class="panel"><h2>Source</h2>${evidenceOf(memory)}</section>
${replaced.length > 0 && html`<section class="panel"><h2>Replaces</h2><ul class="rows">${replaced.map((old) => memoryRow(request, old))}</ul></section>`}</div>
<aside class="span-4 stack"><section class="panel"><h2>History</h2><ol class="rows">${history.map((version) => html`<li><span class="quiet small">${app.zone.minute(version.change.at)}</span><br>${versionText(version)}</li>`)}</ol>${history.length === 0 && html`<p class="quiet">Proposed by rules; nothing was changed.</p>`}</section>
<section class="panel"><h2>Shown to agents</h2>${
    showings.length === 0
      ? html`<p class="quiet">Not yet.</p>`
      : html`<ul class="rows">${showings.map(({ session, at, isUsed }) => html`<li><a href="${urlOfSession(session)}">${app.zone.minute(at)}</a>${isUsed && html` <span class="chip good">used</span>`}</li>`)}</ul>`
  }</section></aside></div>`
  return { kind: 'page', title: memory.text.slice(0, 60), section: 'memories', main }
}

function memoryIn({ ledger, params }: PageRequest): Memory {
  const memory = memoryById(ledger, params.id!)
  if (memory) return memory
  throw new NotFoundError(`There is no memory ${params.id}`, 'Choose one from the list.')
}

function actions(request: PageRequest, memory: Memory): Html {
  const path = `/memories/${memory.id}`
  const pin = isPinned(memory)
  return html`<div class="actions">
<details class="edit"><summary class="button" data-key="e">Edit <kbd>e</kbd></summary>${editForm(request, memory)}</details>
${postButton(request, { action: `${path}/pin`, label: pin ? 'Unpin' : 'Pin', key: 'p' })}
<details><summary class="button" data-key="m">Move <kbd>m</kbd></summary>${moveForm(request, memory)}</details>
${postButton(request, { action: `${path}/forget`, label: 'Forget', key: 'x', style: 'danger' })}</div>`
}

function editForm({ formToken }: PageRequest, memory: Memory): Html {
  const option = (value: string, current: string) =>
    html`<option${value === current && html` selected`}>${value}</option>`
  return html`<form class="stack" method="post" action="/memories/${memory.id}/edit"><input type="hidden" name="_token" value="${formToken}">
<label>Statement<textarea name="text" rows="3" required maxlength="1400">${memory.text}</textarea></label>
<label>Why<textarea name="why" rows="2" maxlength="1400">${memory.why ?? ''}</textarea></label>
<label>How to apply<textarea name="apply" rows="2" maxlength="1400">${memory.apply ?? ''}</textarea></label>
<div class="row"><label>Kind<select name="kind">${memoryKinds.map((kind) => option(kind, memory.kind))}</select></label><label>Status<select name="status">${memoryStatuses.map((status) => option(status, memory.status))}</select></label><label>Tags<input name="tags" value="${memory.tags.join(', ')}"></label></div>
<button class="primary">Save</button></form>`
}

function moveForm({ ledger, formToken }: PageRequest, memory: Memory): Html {
  const names = projectsByName(ledger)
  return html`<form class="row" method="post" action="/memories/${memory.id}/move"><input type="hidden" name="_token" value="${formToken}"><label>To<select name="project"><option value="${everywhere}">everywhere</option>${names.map(([key, name]) => html`<option value="${key}"${key === memory.project && html` selected`}>${name}</option>`)}</select></label><button class="primary">Move</button></form>`
}

export function changeContextOf({ app, ledger }: PageRequest): ChangeContext {
  return { ledger, clock: app.clock, origin: app.machine.name ?? '' }
}

export function refreshFiles({ app, ledger }: PageRequest): Promise<void> {
  return refreshMemoryFiles(app.context(ledger))
}

async function applyEdits(request: PageRequest, edits: MemoryEdits, kind: 'edited' | 'moved'): Promise<PageResult> {
  const memory = memoryIn(request)
  const { edits: clean } = cleanEdits(memory, edits)
  const { changed } = editMemories(changeContextOf(request), [memory.id], clean, kind)
  if (changed.length > 0) await refreshFiles(request)
  // What was a candidate may have become part of another memory.
  const id = memoryById(request.ledger, memory.id) ? memory.id : (changed[0]?.id ?? memory.id)
  return { kind: 'redirect', to: `/memories/${id}${changed.length > 0 ? '?done=1' : ''}` }
}

function editMemory(request: PageRequest): Promise<PageResult> {
  const { form } = request
  const text = (name: string) => (form.get(name) ?? '').replace(/\r\n/g, '\n').trim()
  const kind = memoryKinds.find((each) => each === form.get('kind'))
  const status = memoryStatuses.find((each) => each === form.get('status'))
  const edits: MemoryEdits = {
    text: text('text'),
    why: text('why') || null,
    apply: text('apply') || null,
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
    tags: text('tags')
      .split(/[,\s]+/)
      .filter(Boolean),
  }
  return applyEdits(request, edits, 'edited')
}

function pinMemory(request: PageRequest): Promise<PageResult> {
  const { tags } = memoryIn(request)
  const others = tags.filter((tag) => tag !== pinTag)
  return applyEdits(request, { tags: others.length < tags.length ? others : [...tags, pinTag] }, 'edited')
}

function moveMemory(request: PageRequest): Promise<PageResult> {
  const chosen = request.form.get('project') ?? ''
  const project = chosen === everywhere ? null : chosen
  if (project !== null && !projectNames(request.ledger).has(project))
    throw new UserError(`There is no project ${chosen}`, 'Choose one from the list.')
  return applyEdits(request, { project }, 'moved')
}

async function forgetMemory(request: PageRequest): Promise<PageResult> {
  const memory = memoryIn(request)
  forgetMemories(changeContextOf(request), [memory.id])
  await refreshFiles(request)
  return { kind: 'redirect', to: `/memories/${memory.id}?done=1` }
}

/** After a change: what to press to take it back. */
function undoNotice(request: PageRequest): Html | undefined {
  if (request.query.get('done') !== '1') return undefined
  const change = lastUndoableChange(request.ledger)
  if (!change) return undefined
  return html`<div class="notice notice-good row" role="status"><span>Done.</span>${postButton(request, { action: '/undo', label: 'Undo', key: 'u', fields: { change: String(change.id), back: request.path } })}</div>`
}

async function undoChange(request: PageRequest): Promise<PageResult> {
  const id = Number(request.form.get('change'))
  undo(changeContextOf(request), Number.isSafeInteger(id) && id > 0 ? id : undefined)
  await refreshFiles(request)
  return { kind: 'redirect', to: ownAddress(request.form.get('back'), '/memories') }
}
