// Parts of the page of a pattern that take longer: the files that publishing would change, and the
// sessions before and after.
import { isoTime } from '../../core/clock.ts'
import { diffLinesOf } from '../../core/diff-lines.ts'
import { plural } from '../../core/units.ts'
import { effectChart } from '../../html/effect-chart.ts'
import { renderDiff } from '../../html/events.ts'
import { type Html, html } from '../../html/html.ts'
import { renderDiff as unifiedDiff } from '../../install/diff.ts'
import { type InstructionPlan, planInstructions } from '../../install/instructions/plan.ts'
import { changeText, percent, points } from '../../patterns/measure/change-text.ts'
import type { CohortSummary, Effect } from '../../patterns/measure/effect.ts'
import { type MeasuredPractice, measure } from '../../patterns/measure/measure.ts'
import { desiredFiles } from '../../patterns/publish/desired-files.ts'
import { createDraft, practiceFromDraft } from '../../patterns/review/draft.ts'
import type { Practice } from '../../patterns/types.ts'
import { type ListedPattern, loadPatterns, patternIn } from '../pattern-data.ts'
import type { PageRequest, PageResult, PageRoute } from '../request.ts'
import { urlOfPattern } from './pattern.ts'

export const patternPartRoutes: PageRoute[] = [
  { method: 'GET', path: '/patterns/:id/publish', handle: publishPart },
  { method: 'GET', path: '/patterns/:id/effect', handle: effectPart },
]

/** A preview of `recollect patterns publish`: nothing is written. */
async function publishPart(request: PageRequest): Promise<PageResult> {
  const { app, ledger } = request
  const { layout, machine } = app
  const data = await loadPatterns(request)
  const listed = patternIn(data, request)
  const practice = practiceToPublish(request, listed)
  if (!practice) return part(request, listed, 'What publishing would change', html`<p class="quiet">Nothing.</p>`)
  const others = data.practices.filter(({ id }) => id !== practice.id)
  const selection = { practices: [practice.id], isRemoving: false }
  const context = { ledger, layout, machine, rules: app.config.projects }
  const { files, leftOut } = desiredFiles(context, [...others, practice], selection)
  const plans = planInstructions(files, machine.home)
  const changing = plans.filter(({ edit, problem, warnings }) => edit || problem || warnings.length > 0)
  const content = html`<div class="stack">${!listed.practice && html`<p class="quiet small">If it is approved as drafted.</p>`}
${leftOut.map(({ reason }) => html`<p class="mark">Not published: ${reason}</p>`)}
${plans.length > 0 && changing.length === 0 && html`<p class="quiet">Nothing: all files are up to date.</p>`}
${changing.slice(0, maxFiles).map((plan, at) => planPart(plan, at === 0))}
${changing.length > maxFiles && html`<p class="quiet">${changing.length - maxFiles} more files.</p>`}
<p class="quiet small">To write it: <code>recollect patterns publish --practice ${practice.id} --apply</code></p></div>`
  return part(request, listed, 'What publishing would change', content)
}

const maxFiles = 10

function practiceToPublish({ app }: PageRequest, { id, pattern, practice }: ListedPattern): Practice | undefined {
  if (practice) return practice.id === id ? practice : undefined
  return pattern && practiceFromDraft(app.layout, pattern, createDraft(pattern), { day: '', note: '' })
}

function planPart({ file, edit, warnings, problem }: InstructionPlan, isOpen: boolean): Html {
  const agents = [...new Set(file.entries.flatMap((entry) => entry.agents))].sort()
  return html`<details class="file"${isOpen && html` open`}><summary><code>${file.path}</code> <span class="quiet small">${agents.join(', ')}${edit && (edit.before === undefined ? ', new file' : edit.after === undefined ? ', removed' : '')}</span></summary>
${problem && html`<p class="mark">${problem.message}</p>`}${warnings.map((warning) => html`<p class="mark small">${warning}</p>`)}
${edit && renderDiff(linesOf(edit))}</details>`
}

const maxLines = 120

/** Without the names of the file, which stand above. */
function linesOf(edit: NonNullable<InstructionPlan['edit']>) {
  const diff = unifiedDiff([edit]).replaceAll('\r\n', '\n').trimEnd()
  return diffLinesOf(diff)
    .filter(({ text }) => !/^(?:---|\+\+\+) /.test(text))
    .slice(0, maxLines)
}

async function effectPart(request: PageRequest): Promise<PageResult> {
  const listed = patternIn(await loadPatterns(request), request)
  const { practice } = listed
  const [measured] = practice ? measure(request.ledger, [practice]).practices : []
  const content = html`<div>${practice && measured ? effectText(request, measured, isProblem(practice)) : html`<p class="quiet">It is not a practice, so there is nothing to compare.</p>`}</div>`
  return part(request, listed, 'Before and after', content)
}

/** A recovery is measured by its error. */
function isProblem({ pattern }: Practice): boolean {
  return pattern?.polarity !== 'success' || pattern.type === 'recovery'
}

function effectText(request: PageRequest, measured: MeasuredPractice, isLowerBetter: boolean): Html {
  switch (measured.kind) {
    case 'not published':
      return html`<p class="quiet">Not published yet: sessions are compared from the day on which it is.</p>`
    case 'no pattern':
      return html`<p class="quiet">Written by hand, without a pattern: there is nothing to measure.</p>`
    case 'measured':
      return measuredText(request, measured, isLowerBetter)
    default:
      return measured satisfies never
  }
}

function measuredText({ app }: PageRequest, effect: Effect, isLowerBetter: boolean): Html {
  const { verdict, because, before, after, change, others } = effect
  const span = ({ sessions, firstMs, lastMs }: CohortSummary) =>
    sessions === 0 ? 'no sessions' : `${plural(sessions, 'session')}, ${day(firstMs)} to ${day(lastMs)}`
  const day = (ms: number) => app.zone.day(isoTime(ms))
  const clear = others.filter((other) => other.verdict !== 'no clear change')
  return html`<p class="row"><span class="chip ${verdictStyle[verdict]}">${verdict}</span>${because !== '' && html`<span>${because}</span>`}</p>
${
  change
    ? effectChart({
        before: { share: change.before, label: percent(change.before), about: span(before) },
        after: { share: change.after, label: percent(change.after), about: span(after) },
        difference: {
          value: change.difference,
          interval: change.interval,
          label: `${points(change.difference)} points, ${points(change.interval[0])} to ${points(change.interval[1])}`,
        },
        isLowerBetter,
      })
    : html`<p class="quiet">Before: ${span(before)}. After: ${span(after)}.</p>`
}
${clear.length > 0 && html`<ul class="plain-list small">${clear.map(({ metric, kind, verdict: how, ...other }) => html`<li><span class="chip ${how === 'better' ? 'good' : 'bad'}">${how}</span> ${metric}: ${changeText(kind, other)}</li>`)}</ul>`}
<p class="quiet small">Share of sessions in which it occurs, with a 95 % interval of the change. A verdict rules out chance and a steady trend, but not other causes at the same time.</p>`
}

const verdictStyle: Readonly<Record<Effect['verdict'], string>> = {
  helps: 'good',
  hurts: 'bad',
  'no effect': '',
  'too early': 'warn',
}

/** Alone it is a page of its own, for a browser without scripts. */
function part(
  request: PageRequest,
  { id, pattern, practice }: ListedPattern,
  heading: string,
  content: Html,
): PageResult {
  if (request.isFragment) return { kind: 'fragment', html: content }
  const title = pattern?.title ?? practice?.title ?? id
  const main = html`<nav class="crumbs" aria-label="Path"><a href="/patterns">Patterns</a> / <a href="${urlOfPattern(id)}">${title}</a></nav><div class="head"><h1>${heading}</h1></div>${content}`
  return { kind: 'page', title: heading, section: 'patterns', main }
}
