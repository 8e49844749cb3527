// A memory as the views show it: statement, quote, source, scope, and how often it was said, shown
// and used.
import { shortId } from '../core/session.ts'
import { plural } from '../core/units.ts'
import { type Html, html, joinHtml, renderProse } from '../html/html.ts'
import { validityMarks } from '../memory/age.ts'
import { attributionText, becauseText } from '../memory/attribution.ts'
import type { Memory } from '../memory/memory.ts'
import { projectName } from '../store/sessions/projects.ts'
import { type PageRequest, urlOfSession } from './request.ts'

export function memoryRow(request: PageRequest, memory: Memory): Html {
  return html`<li data-row><a class="title" href="/memories/${memory.id}">${memory.text.slice(0, 400)}</a>${memoryMeta(request, memory)}</li>
`
}

export function memoryMeta(request: PageRequest, memory: Memory): Html {
  const { app, ledger } = request
  const { counts, supersededBy, state, status, score } = memory
  const parts = [
    html`<span class="chip">${memory.kind}</span>`,
    isPinned(memory) && html`<span class="chip accent">pinned</span>`,
    state === 'candidate' &&
      html`<span class="chip warn">candidate${score !== null && ` ${Math.round(score * 100)} %`}</span>`,
    state === 'inbox' && html`<span class="chip warn">inbox</span>`,
    state === 'forgotten' && html`<span class="chip bad">forgotten</span>`,
    supersededBy !== null && html`<a class="chip bad" href="/memories/${supersededBy}">superseded</a>`,
    status !== 'settled' && html`<span class="chip">${status}</span>`,
    html`<span>${scopeText(ledger, memory.project)}</span>`,
    html`<span>${attributionText(memory)}</span>`,
    html`<span>${app.zone.day(memory.validFrom)}</span>`,
    ...validityMarks(memory, app.clock.nowMs()).map(
      (mark) => html`<span class="${mark.startsWith('doubt') && 'mark'}">${mark}</span>`,
    ),
    html`<span>said ${plural(counts.said, 'time')}, shown ${counts.shown}, used ${counts.used}</span>`,
  ]
  return html`<div class="meta">${joinHtml(parts, ' ')}</div>`
}

export function scopeText(ledger: PageRequest['ledger'], project: string | null): string {
  return project === null ? 'everywhere' : projectName(ledger, project)
}

/** A tag, so that it is synced and exported like the rest. */
export const pinTag = 'pinned'

export function isPinned({ tags }: Memory): boolean {
  return tags.includes(pinTag)
}

export function statementOf({ text, why, apply }: Memory): Html {
  return html`<p class="statement">${renderProse(text)}</p>${why && html`<p><b>Why:</b> ${renderProse(why)}</p>`}${apply && html`<p><b>How to apply:</b> ${renderProse(apply)}</p>`}`
}

/** Where it comes from, with links to the events. */
export function evidenceOf(memory: Memory): Html {
  const items = memory.evidence.map(({ session, event, quote, file }) => {
    const source =
      session === null
        ? html`<span>${file ?? 'written by hand'}</span>`
        : html`<a href="${event === null ? urlOfSession(session) : `/event/${encodeURIComponent(session)}/${encodeURIComponent(event)}`}">${session.split(':')[0]} ${shortId(session)}</a>`
    return html`<li><p class="quote">${quote.slice(0, 1000)}</p><p class="small">${source}</p></li>`
  })
  const reason = memory.state === 'forgotten' ? '' : becauseText(memory, 'you')
  return html`<ul class="rows">${items}</ul><p class="quiet small">${reason}</p>`
}
