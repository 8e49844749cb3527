// Health: the checks of doctor, what waits for a model, hooks of each agent, storage by class, model
// calls and background runs.
import { spawn } from 'node:child_process'
import { isoTime } from '../../core/clock.ts'
import { formatSize, formatUsd, plural } from '../../core/units.ts'
import type { HealthCheck } from '../../doctor/check.ts'
import { runChecks } from '../../doctor/run-checks.ts'
import { type Html, html } from '../../html/html.ts'
import { type AgentStatus, hookStatus } from '../../install/status.ts'
import { budgetState } from '../../models/governor.ts'
import { storageState, storageUse } from '../../retain/describe.ts'
import { listDeadLetters, makeDeadLettersDue } from '../../store/memories/dead-letters.ts'
import { callsSince } from '../../store/memories/model-calls.ts'
import { storeSizes, totalBytes } from '../../store/sizes.ts'
import { readRuns, type WorkRun } from '../../store/work-log.ts'
import { barOf, postButton } from '../components.ts'
import { type PageRequest, type PageResult, type PageRoute, urlOfSession } from '../request.ts'

export const healthRoutes: PageRoute[] = [
  { method: 'GET', path: '/health', handle: health },
  { method: 'GET', path: '/health/checks', handle: checksPart },
  { method: 'POST', path: '/health/sweep', handle: startSweep },
]

function health(request: PageRequest): PageResult {
  const main = html`<div class="head"><h1>Health</h1><span class="push">${postButton(request, { action: '/health/sweep', label: 'Sweep now' })}</span></div>
${request.query.get('started') === '1' && html`<p class="notice notice-good" role="status">A sweep was started in the background; the list of runs shows what it did.</p>`}
<div class="grid">
<section class="span-6 panel"><h2>Checks</h2><div hx-get="/health/checks" hx-trigger="load" hx-swap="outerHTML"><a href="/health/checks">Run the checks of doctor</a></div></section>
<div class="span-6 stack">${storage(request)}${models(request)}</div>
<section class="span-12 panel"><h2>Hooks</h2>${hooks(request)}</section>
<section class="span-12 panel"><h2>Questions that wait for a model</h2>${deadLetters(request)}</section>
<section class="span-12 panel"><h2>Background runs</h2>${runs(request)}</section></div>`
  return { kind: 'page', title: 'Health', section: 'health', main }
}

/** Checks read much of the store, so they are not part of the page itself. */
function checksPart(request: PageRequest): PageResult {
  const checks = runChecks(request.app, request.program)
  const list = html`<ul class="rows">${checks.toSorted((a, b) => Number(a.ok) - Number(b.ok)).map(checkItem)}</ul>`
  if (request.isFragment) return { kind: 'fragment', html: list }
  return {
    kind: 'page',
    title: 'Checks',
    section: 'health',
    main: html`<div class="head"><h1>Checks</h1></div>${list}`,
  }
}

function checkItem({ name, ok, isPending, detail, fix }: HealthCheck): Html {
  const chip = isPending ? '' : ok ? 'good' : 'bad'
  const state = isPending ? 'not seen yet' : ok ? 'ok' : 'problem'
  return html`<li><span class="chip ${chip}">${state}</span> <b>${name}</b> <span class="quiet lines">${detail}</span>${fix && html`<p class="small lines">${/^recollect \S/.test(fix) ? html`To fix it: <code>${fix}</code>` : fix}</p>`}</li>`
}

function storage({ ledger, app }: PageRequest): Html {
  const sizes = storeSizes(ledger)
  const state = storageState(ledger, app.config, sizes)
  const rows = Object.entries(sizes).filter(([, bytes]) => bytes > 0)
  return html`<section class="panel"><h2>Storage</h2><p class="quiet small">${storageUse(state)}</p>${barOf(state.usedBytes / state.softBytes, `Storage: ${storageUse(state)}`)}
<table><tbody>${rows.map(([name, bytes]) => html`<tr><td>${name}</td><td class="num">${formatSize(bytes)}</td></tr>`)}<tr><td><b>total</b></td><td class="num">${formatSize(totalBytes(sizes))}</td></tr></tbody></table></section>`
}

const weekMs = 7 * 86_400_000

function models({ app, ledger }: PageRequest): Html {
  const budget = budgetState({ ...app, ledger })
  const calls = callsSince(ledger, app.clock.nowMs() - weekMs)
  const share = budget.limits.usd > 0 ? budget.usd / budget.limits.usd : 0
  const text = `${formatUsd(budget.usd)} of ${formatUsd(budget.limits.usd)} today, ${plural(budget.calls, 'paid call')}`
  return html`<section class="panel"><h2>Model calls</h2><p class="quiet small">${text}</p>${barOf(share, `Models: ${text}`)}
${
  calls.length === 0
    ? html`<p class="quiet">None in the last seven days.</p>`
    : html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th>Time</th><th>Purpose</th><th>Model</th><th class="num">Cost</th><th>Result</th></tr></thead><tbody>${calls
        .slice(-15)
        .reverse()
        .map(
          (call) =>
            html`<tr><td class="nowrap">${app.zone.minute(isoTime(call.at))}</td><td>${call.purpose}</td><td>${call.model}</td><td class="num">${formatUsd(call.costUsd)}</td><td>${call.result}</td></tr>`,
        )}</tbody></table></div>`
}</section>`
}

function hooks({ app, ledger, program }: PageRequest): Html {
  const present = hookStatus(app, program, ledger).filter(
    ({ isPresent, lastTranscript }) => isPresent || lastTranscript,
  )
  if (present.length === 0) return html`<p class="quiet">No agent was found on this machine.</p>`
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th>Agent</th><th>Hooks</th><th>MCP server</th><th>Last event</th><th>Last session</th><th></th></tr></thead><tbody>${present.map((status) => hookRow(app, status))}</tbody></table></div>`
}

function hookRow(
  { zone }: PageRequest['app'],
  { name, hooks: state, mcp, lastEvent, lastTranscript, problem, afterwards }: AgentStatus,
): Html {
  const time = (iso: string | null) => (iso === null ? '' : zone.minute(iso))
  const isGood = state === 'installed'
  return html`<tr><td>${name}</td><td><span class="chip ${isGood ? 'good' : 'warn'}">${state}</span></td><td>${mcp ?? ''}</td><td class="nowrap">${time(lastEvent)}</td><td class="nowrap">${time(lastTranscript)}</td><td>${problem ? html`<span class="mark">${problem.message}</span> ${problem.hint}` : isGood ? afterwards : html`<code>recollect install</code>`}</td></tr>`
}

function deadLetters(request: PageRequest): Html {
  const letters = listDeadLetters(request.ledger)
  if (letters.length === 0) return html`<p class="quiet">None.</p>`
  const { zone } = request.app
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th>Since</th><th>Purpose</th><th>Session</th><th>Reason</th><th class="num">Tries</th><th>Next</th></tr></thead><tbody>${letters
    .slice(0, 50)
    .map(
      (letter) =>
        html`<tr><td class="nowrap">${zone.minute(letter.createdAt)}</td><td>${letter.purpose}</td><td><a href="${urlOfSession(letter.session)}">${letter.session}</a></td><td>${letter.reason.slice(0, 200)}</td><td class="num">${letter.rounds}</td><td class="nowrap">${letter.isQuarantined ? 'waits for you' : zone.minute(isoTime(letter.nextMs))}</td></tr>`,
    )}</tbody></table></div><div class="actions">${postButton(request, { action: '/health/sweep', label: 'Ask again now', fields: { retry: '1' } })}</div>`
}

function runs({ app, ledger }: PageRequest): Html {
  const list = readRuns(ledger, { limit: 15 })
  if (list.length === 0) return html`<p class="quiet">None yet.</p>`
  return html`<ul class="rows">${list.map((run) => runItem(app, run))}</ul>`
}

const maxEntries = 30

function runItem({ zone }: PageRequest['app'], { atMs, parts, entries }: WorkRun): Html {
  const ms = parts.reduce((sum, part) => sum + (part.ms ?? 0), 0)
  const done = parts.map(({ detail }) => detail).join('; ')
  const head = html`<b>${zone.minute(isoTime(atMs))}</b> <span class="quiet">${ms} ms</span> ${done.slice(0, 200)}`
  if (entries.length === 0) return html`<li>${head}</li>`
  return html`<li><details><summary>${head} <span class="quiet">${plural(entries.length, 'entry', 'entries')}</span></summary><ul>${entries.slice(0, maxEntries).map(({ session, what, detail }) => html`<li>${session !== '' && html`<a href="${urlOfSession(session)}">${session.slice(0, 40)}</a> `}${what}: ${detail.slice(0, 300)}</li>`)}</ul></details></li>`
}

/** In a process of its own: the page must stay responsive, and a sweep has its own locks. */
function startSweep({ app, ledger, program, form }: PageRequest): PageResult {
  if (form.get('retry') === '1') makeDeadLettersDue(ledger)
  const env = { ...app.machine.env, RECOLLECT_HOME: app.layout.root, HOME: app.machine.home }
  const child = spawn(program.node, [program.cli, 'sweep', '--json'], { detached: true, stdio: 'ignore', env })
  child.on('error', () => {})
  child.unref()
  return { kind: 'redirect', to: '/health?started=1' }
}
