// Small parts that several views use.
import type { Zone } from '../core/units.ts'
import { type Html, html } from '../html/html.ts'
import { type PageRequest, urlWith } from './request.ts'

export function outcomeChip(outcome: string | null): Html | undefined {
  return outcome === null ? undefined : html`<span class="chip ${outcome}">${outcome}</span>`
}

/** Every agent has its own colour, the same in all views. */
export function agentColour({ app }: Pick<PageRequest, 'app'>, agent: string): string {
  const at = app.agents.findIndex(({ id }) => id === agent)
  return `c${at < 0 ? 7 : at % 8}`
}

export function agentDot(request: Pick<PageRequest, 'app'>, agent: string): Html {
  return html`<span class="nowrap"><span class="dot ${agentColour(request, agent)}"></span> ${agent}</span>`
}

/** `10:00–11:30`, or with days where it is another one. */
export function timeOf(zone: Zone, started: string | null, ended: string | null): string {
  const [from, to] = [started ?? ended, ended ?? started]
  if (from === null || to === null) return ''
  const [begin, end] = [zone.minute(from), zone.minute(to)]
  if (begin === end) return begin.slice(11)
  return begin.slice(0, 10) === end.slice(0, 10) ? `${begin.slice(11)}–${end.slice(11)}` : `${begin} to ${end}`
}

/** `5 min ago`, `3 h ago`, `12 days ago`. */
export function agoText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000))
  if (minutes < 90) return `${minutes} min ago`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`
}

type Choice = string | readonly [value: string, label: string]

export function selectOf(name: string, label: string, choices: readonly Choice[], query: URLSearchParams): Html {
  const current = query.get(name) ?? ''
  const options = choices.map((choice) => {
    const [value, text] = typeof choice === 'string' ? [choice, choice] : choice
    return html`<option value="${value}"${value === current && html` selected`}>${text}</option>`
  })
  return html`<label>${label}<select name="${name}"><option value="">any</option>${options}</select></label>`
}

export function pagerOf(request: PageRequest, page: number, pages: number): Html | undefined {
  if (pages <= 1) return undefined
  return html`<nav class="pager" aria-label="Pages">${page > 0 && html`<a class="button" rel="prev" href="${urlWith(request, { page: page - 1 || undefined })}" data-key="[">Previous</a>`}<span class="quiet">Page ${page + 1} of ${pages}</span>${page < pages - 1 && html`<a class="button" rel="next" href="${urlWith(request, { page: page + 1 })}" data-key="]">Next</a>`}</nav>`
}

/** A form that changes something: one button with the token against forgery. */
export function postButton(
  { formToken }: Pick<PageRequest, 'formToken'>,
  { action, label, key, fields = {}, style = '' }: PostButton,
): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${action}"><input type="hidden" name="_token" value="${formToken}">${inputs}<button class="${style}"${key !== undefined && html` data-key="${key}"`}>${label}${key !== undefined && html` <kbd>${key}</kbd>`}</button></form>`
}

export interface PostButton {
  action: string
  label: string
  /** Pressed instead of a click. */
  key?: string
  fields?: Readonly<Record<string, string>>
  style?: '' | 'primary' | 'danger' | 'ghost'
}

/** A share from 0 to 1 as a bar. */
export function barOf(share: number, label: string): Html {
  const percent = Math.min(100, Math.max(0, share * 100))
  const state = share >= 1 ? ' is-bad' : share >= 0.8 ? ' is-warn' : ''
  return html`<svg class="bar${state}" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="${label}"><rect class="track" width="100" height="4" rx="2"/><rect width="${percent.toFixed(1)}" height="4" rx="2"/></svg>`
}
