// The journal: the list of its days, and one day as its file tells it, with what was spent.
import { shortId } from '../../core/session.ts'
import { formatUsd, plural } from '../../core/units.ts'
import { type Html, html, trustedHtml } from '../../html/html.ts'
import { renderMarkdown, withoutTitle } from '../../html/markdown.ts'
import { monthNames, yearCalendar } from '../../html/year-calendar.ts'
import { spendText } from '../../journal/entry.ts'
import { type JournalDay, journalDays, readDay } from '../../journal/read-day.ts'
import { totalsText } from '../../journal/write-day.ts'
import type { Ledger } from '../../store/ledger.ts'
import { articlesCiting } from '../../store/wiki/articles.ts'
import { type JournalSession, sessionsOfDay, totalsOfDay } from '../../store/wiki/journal.ts'
import { type ListedDay, listedDays, titlesOfDays } from '../../store/wiki/journal-days.ts'
import { agentDot, pagerOf } from '../components.ts'
import {
  NotFoundError,
  numberIn,
  type PageRequest,
  type PageResult,
  type PageRoute,
  urlOfSession,
  urlWith,
} from '../request.ts'
import { sessionMarks, urlOfArticle, urlOfDay, vaultLinks } from '../vault-links.ts'

export const journalRoutes: PageRoute[] = [
  { method: 'GET', path: '/journal', handle: journalList },
  { method: 'GET', path: '/journal/:day', handle: journalDay },
]

const pageSize = 40

function journalList(request: PageRequest): PageResult {
  const { ledger, query } = request
  const all = allDays(ledger)
  const years = [...new Set(all.map(({ day }) => day.slice(0, 4)))]
  const chosen = years.find((year) => year === query.get('year'))
  const days = chosen === undefined ? all : all.filter(({ day }) => day.startsWith(chosen))
  const page = numberIn(query, 'page') ?? 0
  const shown = days.slice(page * pageSize, (page + 1) * pageSize)
  const year = chosen ?? shown[0]?.day.slice(0, 4)
  const titles = titlesOfDays(
    ledger,
    shown.map(({ day }) => day),
  )
  const months = [...Map.groupBy(shown, ({ day }) => day.slice(0, 7))]
  const main = html`<div class="head"><h1>Journal</h1><span class="quiet">${plural(days.length, 'day')}, ${sumText(days)}</span></div>
${
  all.length === 0
    ? html`<p class="empty">The journal is empty. To capture sessions: <code>recollect sweep</code></p>`
    : html`${years.length > 1 && html`<nav class="tabs" aria-label="Years">${yearLink(request, undefined, chosen)}${years.map((each) => yearLink(request, each, chosen))}</nav>`}
${year !== undefined && html`<section class="panel calendar">${yearCalendar(Number(year), calendarDays(all))}</section>`}
${months.map(([month, own]) => monthSection(month, own, titles))}
${pagerOf(request, page, Math.ceil(days.length / pageSize))}`
}`
  return { kind: 'page', title: 'Journal', section: 'journal', main }
}

/** Days with entries, and days that only a person wrote about. */
function allDays(ledger: Ledger): ListedDay[] {
  const listed = listedDays(ledger)
  const known = new Set(listed.map(({ day }) => day))
  const others = journalDays(ledger.layout).filter((day) => !known.has(day))
  const empty = { sessions: 0, starts: 0, costUsd: 0, responses: 0, unpriced: 0 }
  return [...listed, ...others.map((day) => ({ day, ...empty }))].sort((a, b) => (a.day < b.day ? 1 : -1))
}

function sumText(days: readonly ListedDay[]): string {
  const sum = (name: 'sessions' | 'costUsd') => days.reduce((total, each) => total + each[name], 0)
  return `${plural(sum('sessions'), 'entry', 'entries')}, ${formatUsd(sum('costUsd'))}`
}

function yearLink(request: PageRequest, year: string | undefined, chosen: string | undefined): Html {
  return html`<a href="${urlWith(request, { year, page: undefined })}"${year === chosen && html` aria-current="true"`}>${year ?? 'All'}</a>`
}

function calendarDays(days: readonly ListedDay[]) {
  return new Map(
    days.map(({ day, ...totals }) => [
      day,
      { value: totals.sessions, url: urlOfDay(day), label: `${day}: ${totalsText(totals)}` },
    ]),
  )
}

function monthSection(month: string, days: readonly ListedDay[], titles: ReadonlyMap<string, string[]>): Html {
  const name = `${monthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`
  return html`<section><h2 class="day">${name}</h2><ul class="rows dated">${days.map((day) => dayRow(day, titles.get(day.day) ?? []))}</ul></section>`
}

const maxTitles = 3

function dayRow({ day, sessions, costUsd, unpriced }: ListedDay, titles: readonly string[]): Html {
  const rest = titles.length - maxTitles
  return html`<li data-row><a class="title nowrap" href="${urlOfDay(day)}"><span class="quiet">${weekdayOf(day).slice(0, 3)}</span> ${day}</a><div class="about">${titles.slice(0, maxTitles).map((title) => html`<span>${title.slice(0, 120)}</span>`)}${rest > 0 && html`<span class="quiet">${rest} more</span>`}</div><span class="num quiet">${sessions === 0 ? 'notes' : plural(sessions, 'session')}</span><span class="num">${spendText({ costUsd, unpriced, responses: 0 }).replace('at least', '≥')}</span></li>
`
}

function weekdayOf(day: string): string {
  const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
  return names[new Date(`${day}T00:00:00Z`).getUTCDay()]!
}

function journalDay(request: PageRequest): PageResult {
  const { ledger, params, app } = request
  const day = params.day!
  const file = isDay(day) ? readDay(app.layout, day) : undefined
  const sessions = isDay(day) ? sessionsOfDay(ledger, day) : []
  if (!file && sessions.length === 0)
    throw new NotFoundError(`There is no entry for ${day}`, 'Choose a day from the journal.')
  const days = allDays(ledger).map((each) => each.day)
  const at = days.indexOf(day)
  const totals = totalsOfDay(ledger, day)
  const main = html`<div class="head"><h1>${weekdayOf(day)}, ${day}</h1><span class="quiet">${totalsText(totals)}</span><nav class="row push" aria-label="Days">${neighbour(days[at + 1], 'prev', '[', 'Previous')}${neighbour(at > 0 ? days[at - 1] : undefined, 'next', ']', 'Next')}</nav></div>
<div class="reader"><div>${file ? dayText(request, file) : html`<p class="empty">The file of this day was deleted.</p>`}</div>
<aside class="reader-side is-last panel stack" aria-label="About the day">${aboutDay(request, day, sessions, file)}</aside></div>`
  return { kind: 'page', title: `Journal ${day}`, section: 'journal', main }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

function neighbour(day: string | undefined, rel: 'prev' | 'next', key: string, label: string): Html {
  return day === undefined
    ? html`<span class="button ghost" aria-disabled="true">${label}</span>`
    : html`<a class="button" rel="${rel}" href="${urlOfDay(day)}" data-key="${key}" title="${day}">${label} <kbd>${key}</kbd></a>`
}

/** In characters of Markdown: a view must stay small, however much happened. */
const maxPart = 45_000

function dayText(request: PageRequest, { text, entries }: JournalDay): Html {
  const { ledger, query, app } = request
  const parts = partsOf(withoutTitle(text).replace(/^_[^\n]*_$/m, ''))
  const page = Math.min(numberIn(query, 'page') ?? 0, parts.length - 1)
  const sessions = new Map(entries.map(({ session }) => [shortId(session), session]))
  const marks = sessionMarks(app.agents)
  const resolveCode = (code: string) => (sessions.has(code) ? urlOfSession(sessions.get(code)!) : marks(code))
  return html`<article class="prose article">${trustedHtml(renderMarkdown(parts[page]!, vaultLinks(ledger), resolveCode))}</article>${pagerOf(request, page, parts.length)}`
}

/** Splits before headings of entries. */
function partsOf(text: string): string[] {
  const parts = ['']
  for (const entry of text.split(/^(?=### )/m)) {
    if (parts.at(-1) !== '' && parts.at(-1)!.length + entry.length > maxPart) parts.push('')
    parts[parts.length - 1] += entry.slice(0, 2 * maxPart)
  }
  return parts
}

function aboutDay(
  request: PageRequest,
  day: string,
  sessions: readonly JournalSession[],
  file: JournalDay | undefined,
): Html {
  const { ledger } = request
  const articles = articlesCiting(ledger, [`journal/${day}`])
  const told = new Set(file?.entries.map(({ session }) => session))
  const untold = file ? sessions.filter(({ uid }) => !told.has(uid)) : []
  return html`${spendOfDay(request, day, sessions)}
${articles.length > 0 && html`<div><h2>Articles from this day</h2><ul class="plain-list">${articles.slice(0, maxListed).map(({ path, title }) => html`<li><a href="${urlOfArticle(path)}">${title}</a></li>`)}${articles.length > maxListed && html`<li class="quiet">${articles.length - maxListed} more</li>`}</ul></div>`}
${untold.length > 0 && html`<div><h2>Active without an entry</h2><ul class="plain-list">${untold.slice(0, maxListed).map(sessionLink)}</ul></div>`}
<p><a href="/sessions?day=${day}">Sessions of the day</a></p>
${file && html`<p class="quiet">journal/${day}.md <button type="button" class="ghost" data-copy="${file.path}">Copy path</button></p>`}`
}

function sessionLink({ uid, title }: JournalSession): Html {
  return html`<li><a href="${urlOfSession(uid)}">${title ?? shortId(uid)}</a></li>`
}

const maxListed = 12

/** By agent, then the sessions that cost most. */
function spendOfDay(request: PageRequest, day: string, sessions: readonly JournalSession[]): Html | undefined {
  const spent = sessions
    .map((session) => ({ session, costUsd: session.entries.find((entry) => entry.day === day)?.spend.costUsd ?? 0 }))
    .sort((a, b) => b.costUsd - a.costUsd)
  if (spent.length === 0) return undefined
  const agents = [...Map.groupBy(spent, ({ session }) => session.agent)].map(([agent, own]) => ({
    agent,
    sessions: own.length,
    costUsd: own.reduce((sum, { costUsd }) => sum + costUsd, 0),
  }))
  const rest = spent.length - maxListed
  return html`<div><h2>Spend</h2><table><tbody>${agents.map(({ agent, sessions: count, costUsd }) => html`<tr><td>${agentDot(request, agent)}</td><td class="num quiet">${plural(count, 'session')}</td><td class="num">${costText(costUsd)}</td></tr>`)}</tbody></table></div>
<div><h2>Sessions</h2><table><tbody>${spent.slice(0, maxListed).map(({ session, costUsd }) => html`<tr><td><a href="${urlOfSession(session.uid)}">${(session.title ?? shortId(session.uid)).slice(0, 80)}</a></td><td class="num">${costText(costUsd)}</td></tr>`)}</tbody></table>${rest > 0 && html`<p><a href="/sessions?day=${day}">${rest} more</a></p>`}</div>`
}

function costText(costUsd: number): string {
  return costUsd === 0 ? '–' : formatUsd(costUsd)
}
