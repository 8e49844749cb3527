// Files that sessions changed, and one file with its lines coloured by session. Only files that a
// session changed can be opened: the page must not read others.
import { existsSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { shortId } from '../../core/session.ts'
import { plural } from '../../core/units.ts'
import { type Blame, blame, type FileSession } from '../../history/blame.ts'
import { type BlameContext, fileTouches, locateFile, toSlashes } from '../../history/blame-file.ts'
import type { BlamedLines, LineSession } from '../../history/blame-lines.ts'
import { type Html, html } from '../../html/html.ts'
import { changedFiles } from '../../store/sessions/file-edits.ts'
import { projectName } from '../../store/sessions/projects.ts'
import { agentDot, outcomeChip } from '../components.ts'
import {
  NotFoundError,
  numberIn,
  type PageRequest,
  type PageResult,
  type PageRoute,
  urlOfSession,
  urlWith,
} from '../request.ts'

export const fileRoutes: PageRoute[] = [{ method: 'GET', path: '/files', handle: fileView }]

function fileView(request: PageRequest): PageResult {
  const path = request.query.get('path')
  return path ? oneFile(request, path) : fileList(request)
}

const maxFiles = 100

function fileList({ ledger, app, query }: PageRequest): PageResult {
  const words = (query.get('text') ?? '').split(/\s+/).filter(Boolean)
  const files = changedFiles(ledger, words, maxFiles)
  const rows = files.map(({ path, project, sessions, added, removed, lastAt }) => {
    const address = new URLSearchParams({ path, ...(project === null ? {} : { project }) }).toString()
    return html`<tr data-row><td><a href="/files?${address}">${path}</a></td><td class="nowrap">${project === null ? '' : projectName(ledger, project)}</td><td class="num">${sessions}</td><td class="num hide-narrow">+${added} −${removed}</td><td class="nowrap hide-narrow">${lastAt === null ? '' : app.zone.day(lastAt)}</td></tr>`
  })
  const main = html`<div class="head"><h1>Files</h1><span class="quiet">Changed by agents, the latest first</span></div>
<form class="filters" method="get" action="/files" hx-get="/files" hx-trigger="input changed delay:250ms from:find input[type=search], submit" hx-target="#list" hx-select="#list" hx-swap="outerHTML" hx-push-url="true"><label class="grow">Path<input type="search" name="text" value="${query.get('text') ?? ''}" data-key="/" autocomplete="off"></label><button>Filter</button></form>
<div id="list">${rows.length === 0 ? html`<p class="empty">No session changed such a file.</p>` : html`<div class="wide panel" tabindex="0" role="group" aria-label="Files"><table><thead><tr><th>File</th><th>Project</th><th class="num">Sessions</th><th class="num hide-narrow">Lines</th><th class="hide-narrow">Last</th></tr></thead><tbody>${rows}</tbody></table></div>`}</div>`
  return { kind: 'page', title: 'Files', section: 'files', main }
}

const maxSessions = 20
/** Lines of one page. */
const pageLines = 300

function oneFile(request: PageRequest, path: string): PageResult {
  const context = contextFor(request, path)
  if (fileTouches(context, context.file).length === 0)
    throw new NotFoundError(`No session changed ${path}`, 'Choose a file from the list.')
  const from = numberIn(request.query, 'from') || 1
  const isThere = context.file.absolute !== null && existsSync(context.file.absolute)
  const lines = isThere ? { lines: { from, to: from + pageLines - 1 } } : {}
  const result = blame(context, { limit: maxSessions, ...lines })
  const main = html`<div class="head"><h1 class="mono">${context.file.path}</h1><span class="quiet">${plural(result.total, 'session')}</span><a class="push" href="/files">All files</a></div>
${result.notes.map((note) => html`<p class="notice small">${note}</p>`)}
<div class="grid"><section class="span-8 panel">${isThere ? linesOf(request, result, from) : html`<p class="quiet">The file is not on this machine, so its lines cannot be shown.</p>`}</section>
<aside class="span-4 panel"><h2>Sessions that changed it</h2><ul class="rows">${result.sessions.map((session, at) => sessionItem(request, session, colourOf(result, session.session, at)))}</ul></aside></div>`
  return { kind: 'page', title: context.file.path, section: 'files', main }
}

/** A relative path belongs to the folder of a session; the project tells which. */
function contextFor({ ledger, app, query }: PageRequest, path: string): BlameContext {
  const project = query.get('project') || null
  const { env } = app.machine
  const found = isAbsolute(path) ? path : project !== null && isAbsolute(project) ? join(project, path) : undefined
  const isFile = found !== undefined && statSync(found, { throwIfNoEntry: false })?.isFile() === true
  if (isFile) return { ledger, env, project, file: locateFile(found, project) }
  const relative = toSlashes(path).replace(/^(?:\.\/)+/, '')
  const absolute = isAbsolute(path) ? path : null
  return { ledger, env, project, file: { path: relative, absolute, folder: null, hasGit: false } }
}

/** The first sessions have a colour each; the others share one. */
function colourOf(
  result: Blame,
  session: string,
  at = result.sessions.findIndex((one) => one.session === session),
): string {
  return at < 0 || at > 6 ? 'c7' : `c${at}`
}

function linesOf(request: PageRequest, result: Blame, from: number): Html {
  const last = result.lines.at(-1)?.to ?? from - 1
  const hasMore = last - from + 1 >= pageLines
  return html`<div class="blame" tabindex="0" role="group" aria-label="Lines with the session that wrote them">${result.lines.map((group) => lineGroup(result, group))}</div>
${(from > 1 || hasMore) && html`<nav class="pager" aria-label="Lines">${from > 1 && html`<a class="button" href="${urlWith(request, { from: Math.max(1, from - pageLines) })}">Earlier lines</a>`}${hasMore && html`<a class="button" href="${urlWith(request, { from: from + pageLines })}">Later lines</a>`}</nav>`}`
}

function lineGroup(result: Blame, { from, text, sessions, commit }: BlamedLines): Html {
  const [first] = sessions
  const colour = first ? colourOf(result, first.session) : ''
  const why = first
    ? whyOf(first)
    : commit
      ? html`<span class="quiet">${commit.subject.slice(0, 60)}</span>`
      : undefined
  return html`${text.map((line, at) => html`<div class="why ${colour}">${at === 0 && why}</div><div class="${colour}"><span class="quiet">${String(from + at).padStart(4)}</span> ${line}</div>`)}`
}

function whyOf({ session, id, asked, title, sure }: LineSession): Html {
  const seq = Number(/#(\d+)$/.exec(id)?.[1] ?? Number.NaN)
  const url = urlOfSession(session, Number.isNaN(seq) ? undefined : seq)
  const text = (asked || title || shortId(session)).replace(/\s+/g, ' ').slice(0, 40)
  return html`<a href="${url}" title="${sure}: ${asked}">${text}</a>`
}

function sessionItem(request: PageRequest, session: FileSession, colour: string): Html {
  const { at, title, outcome, agent, added, removed, times } = session
  return html`<li><span class="dot ${colour}"></span> <a class="title" href="${urlOfSession(session.session)}">${title ?? shortId(session.session)}</a><div class="meta">${agentDot(request, agent)}${outcomeChip(outcome)}<span>${at === null ? '' : request.app.zone.minute(at)}</span><span>+${added} −${removed} in ${plural(times, 'change')}</span></div>
${session.exchanges.slice(0, 3).map(({ asked, id }) => {
  const seq = Number(/#(\d+)$/.exec(id)?.[1] ?? 0)
  return html`<p class="small"><a href="${urlOfSession(session.session, seq)}">#${seq}</a> ${asked.replace(/\s+/g, ' ').slice(0, 140)}</p>`
})}</li>`
}
