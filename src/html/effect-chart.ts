// A share of sessions before and after a change as two bars, and the difference with its interval.
import { type Html, html } from './html.ts'

export interface EffectChart {
  before: EffectSide
  after: EffectSide
  difference: { value: number; interval: readonly [number, number]; label: string }
  isLowerBetter: boolean
}

interface EffectSide {
  /** From 0 to 1. */
  share: number
  label: string
  /** What it was measured on. */
  about: string
}

export function effectChart({ before, after, difference, isLowerBetter }: EffectChart): Html {
  const [low, high] = difference.interval
  const limit = Math.min(1, 1.1 * Math.max(Math.abs(low), Math.abs(high), 0.05))
  const isBetter = isLowerBetter ? high < 0 : low > 0
  const isWorse = isLowerBetter ? low > 0 : high < 0
  const state = isBetter ? ' is-good' : isWorse ? ' is-bad' : ''
  return html`<table class="effect"><tbody>
${sideRow('Before', before, 'c7')}
${sideRow('After', after, 'c0')}
<tr><th scope="row">Change</th><td>${intervalBar(difference, limit, state)}</td><td class="num">${difference.label}</td></tr>
</tbody></table>
<p class="effect-ends quiet small" aria-hidden="true"><span>less often</span><span>no change</span><span>more often</span></p>`
}

function sideRow(name: string, { share, label, about }: EffectSide, colour: string): Html {
  return html`<tr><th scope="row">${name}<br><span class="quiet">${about}</span></th><td><svg class="bar ${colour}" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="${name}: ${label}"><rect class="track" width="100" height="4"/><rect width="${(100 * share).toFixed(1)}" height="4"/></svg></td><td class="num">${label}</td></tr>`
}

/** The interval is a bar around the middle, which means no change. */
function intervalBar({ value, interval: [low, high], label }: EffectChart['difference'], limit: number, state: string) {
  const place = (share: number) => 50 + (50 * Math.max(-limit, Math.min(limit, share))) / limit
  const [from, to] = [place(low), place(high)]
  return html`<svg class="interval${state}" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="Change: ${label}"><rect class="track" width="100" height="8"/><rect class="range" x="${from.toFixed(1)}" y="2" width="${Math.max(0.5, to - from).toFixed(1)}" height="4"/><rect class="zero" x="49.85" width="0.3" height="8"/><rect class="point" x="${(place(value) - 0.5).toFixed(1)}" width="1" height="8"/></svg>`
}
