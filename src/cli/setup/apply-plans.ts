// Shows planned changes of agents' files, asks for consent, applies them and reports the result.
import { join, resolve, sep } from 'node:path'
import type { App } from '../../app.ts'
import { shortPath } from '../../core/paths.ts'
import { plural } from '../../core/units.ts'
import { describeEdit, renderDiff } from '../../install/diff.ts'
import { mcpState, type TargetPlan } from '../../install/hooks.ts'
import type { InstallTarget } from '../../install/targets.ts'
import type { FileEdit } from '../../install/types.ts'
import type { Verification } from '../../install/verify.ts'
import { answerOrEnd, askForConsent, type ConsentOptions, exitCodeOf } from '../prompts.ts'
import { type Terminal, table, wrapText } from '../terminal.ts'

export interface PlanOptions extends ConsentOptions {
  diff?: boolean
}

/** Plans with the MCP server for agents that do not have it, and without. */
export interface PlanChoice {
  all: TargetPlan[]
  withoutOffered: TargetPlan[]
}

/**
 * Shows the plans and asks which to apply: all, all without the offered MCP servers, or none. Every
 * changed line is shown on request.
 */
export async function choosePlans(
  terminal: Terminal,
  app: App,
  { all, withoutOffered }: PlanChoice,
  options: PlanOptions,
): Promise<TargetPlan[] | undefined> {
  const { say, columns } = terminal
  printPlans(terminal, app, usable(all), { ...options, isAsked: true })
  const { about, question, hasHooks } = planQuestion(usable(withoutOffered))
  for (const line of wrapText(about, columns)) say(line)
  for (;;) {
    const [key = ''] = ((await answerOrEnd(question)) ?? '').trim().toLowerCase()
    if (key === 'y') return all
    if (key === 'h' && hasHooks) return withoutOffered
    if (key !== 'd') return undefined
    printPlans(terminal, app, usable(all), { ...options, diff: true })
  }
}

/** If the hooks are installed already, only the MCP server is left to ask about. */
export function planQuestion(withoutOffered: readonly Pick<TargetPlan, 'edits'>[]): {
  about: string
  question: string
  hasHooks: boolean
} {
  const server = 'The MCP server lets an agent search your memory itself.'
  if (withoutOffered.every(({ edits }) => edits.length === 0))
    return {
      about: server,
      question: 'Register the MCP server [y], show all changes first [d], nothing [N]: ',
      hasHooks: false,
    }
  return {
    about: `Hooks capture each turn and start sessions with a brief. ${server}`,
    question: 'Install both [y], only hooks [h], show all changes first [d], nothing [N]: ',
    hasHooks: true,
  }
}

function usable(plans: readonly TargetPlan[]): TargetPlan[] {
  return plans.filter(({ problem }) => !problem)
}

export async function applyPlans(
  terminal: Terminal,
  app: App,
  plans: TargetPlan[],
  options: PlanOptions & { isChosen?: boolean },
  apply: (ready: TargetPlan[]) => Promise<Verification[]>,
): Promise<0 | 1 | 2 | 3> {
  const { say, style } = terminal
  const ready = usable(plans)
  const isNeeded = ready.some(({ edits }) => edits.length > 0)
  if (!options.json && !options.isChosen) printPlans(terminal, app, ready, options)
  const told = new Set<string>()
  // Hooks and MCP servers of an agent may be in the same file, with the same problem.
  const printProblem = ({ target, problem }: TargetPlan) => {
    const text = `${target.name}: ${problem!.message}\n${problem!.hint}`
    if (!told.has(text)) say(style.red(text))
    told.add(text)
  }
  plans.filter(({ problem }) => problem).forEach(printProblem)
  const consent =
    isNeeded && !options.isChosen ? await askForConsent(terminal, options) : options.dryRun ? 'not asked' : 'given'
  const verified = consent === 'given' ? await apply(ready) : []
  ready.filter(({ problem }) => problem).forEach(printProblem)
  const broken = verified.filter(({ problem }) => problem)
  for (const { target, problem } of broken)
    say(style.red(`${target.name}: the ${target.serves ? 'MCP server' : 'hook'} does not work: ${problem}`))
  if (options.json)
    terminal.json({
      isDone: consent === 'given',
      agents: plans.filter(({ target }) => !target.serves).map((plan) => planAsJson(plan, verified)),
      mcp: plans.filter(({ target }) => target.serves).map((plan) => serverAsJson(app, plan, verified)),
    })
  else if (consent === 'given') printDone(terminal, verified, plans, isNeeded)
  return broken.length > 0 || plans.some(({ problem }) => problem) ? 3 : exitCodeOf(consent)
}

/** One line per file, or the diff. */
function printPlans(
  { print, style, columns }: Terminal,
  app: App,
  plans: TargetPlan[],
  options: PlanOptions & { isAsked?: boolean },
): void {
  const changing = plans.filter(({ edits }) => edits.length > 0)
  if (changing.length === 0) {
    const names = [...new Set(plans.map(({ target }) => target.name))].join(', ')
    print(wrapText(`Nothing to change for ${names}.`, columns).join('\n'))
  } else if (options.diff) {
    for (const { target, edits } of changing) print(`${style.bold(target.name)}\n${renderDiff(shownEdits(edits, app))}`)
  } else {
    const titles = ['agent', 'part', 'file', 'change'].map((title) => ({ title, isFlexible: title === 'file' }))
    const place = ({ target: { agent, serves, statusLineOf } }: TargetPlan) => {
      const index = app.agents.findIndex((one) => one === (agent ?? serves ?? statusLineOf))
      return index < 0 ? app.agents.length : index
    }
    const rows = changing.toSorted((a, b) => place(a) - place(b)).flatMap((plan) => planRows(plan, app))
    print(table(titles, rows, columns))
    if (!options.isAsked) print(style.dim('To see every changed line: add --diff'))
  }
  for (const { target } of plans.filter(({ target }) => target.serves && mcpState(app, target) === 'by hand'))
    print(
      wrapText(
        `${target.name}: ${shortPath(target.files[0]!.path, app.machine.home)} has an MCP server "recollect" that you added; it is left as it is.`,
        columns,
      ).join('\n'),
    )
}

function planRows({ target, edits }: TargetPlan, app: App): string[][] {
  // All files of the plugin are in one folder of ours.
  if (!target.agent && !target.serves && !target.statusLineOf)
    return [
      ['Plugin', '-', shortPath(join(app.layout.root, target.id), app.machine.home), plural(edits.length, 'file')],
    ]
  const part = target.serves ? 'MCP' : target.statusLineOf ? 'status line' : 'hooks'
  return shownEdits(edits, app).map((edit) => [
    target.name,
    part,
    shortPath(edit.path, app.machine.home),
    describeEdit(edit),
  ])
}

/** Without the files in our own folder, unless there are no others. */
function shownEdits(edits: readonly FileEdit[], { layout }: App): readonly FileEdit[] {
  const others = edits.filter(({ path }) => !path.startsWith(join(resolve(layout.root), sep)))
  return others.length > 0 ? others : edits
}

function planAsJson({ target, edits, problem }: TargetPlan, verified: Verification[]): object {
  const check = verified.find((one) => one.target === target)
  return {
    agent: target.id,
    files: edits.map(({ path }) => path),
    isVerified: check !== undefined && !check.problem,
    problem: problem?.message ?? check?.problem ?? null,
    afterwards: check && !check.problem ? (target.afterwards ?? null) : null,
  }
}

function serverAsJson(app: App, { target, edits, problem }: TargetPlan, verified: Verification[]): object {
  const check = verified.find((one) => one.target === target)
  return {
    agent: target.serves!.id,
    state: mcpState(app, target),
    files: edits.map(({ path }) => path),
    isVerified: check !== undefined && !check.problem,
    problem: problem?.message ?? check?.problem ?? null,
  }
}

function printDone(
  { print, columns }: Terminal,
  verified: Verification[],
  plans: readonly TargetPlan[],
  isNeeded: boolean,
): void {
  const working = verified.filter(({ problem }) => !problem).map(({ target }) => target)
  const names = (targets: readonly InstallTarget[]) => targets.map(({ name }) => name).join(', ')
  const sayOf = (targets: readonly InstallTarget[], text: string) => {
    if (targets.length > 0) print(wrapText(text, columns).join('\n'))
  }
  const hooked = working.filter(({ agent }) => agent)
  sayOf(hooked, `Hooks: installed in ${names(hooked)}; a test event was received from each.`)
  for (const { name, afterwards, agent } of working) {
    if (!afterwards) continue
    // The plugin names commands to copy, which a line break would break.
    if (agent) print(wrapText(`${name}: ${afterwards}`, columns).join('\n'))
    else print(`${name}: written. To add it to an agent:\n${afterwards.replaceAll(/^/gm, '  ')}`)
  }
  const isNew = new Set(plans.filter(({ edits }) => edits.length > 0).map(({ target }) => target))
  const servers = working.filter((target) => target.serves && isNew.has(target))
  sayOf(servers, `MCP server: registered with ${names(servers)}; it answered a test request. New sessions can use it.`)
  if (verified.length === 0 && isNeeded) print('Done.')
}
