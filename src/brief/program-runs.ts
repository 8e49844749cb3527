// Section of a brief with how programs are run here: of each the form that is used most, the one with
// most options, and one more. An agent would find them out by trying.
import { tellName } from '../gate/evidence.ts'
import { tellCommand } from '../gate/gate.ts'
import { commandsOfProject, type ProjectCommand } from '../store/fixes/program-runs.ts'
import type { Ledger } from '../store/ledger.ts'
import type { BriefSection } from './budget.ts'
import { shortLine } from './short-line.ts'

const dayMs = 86_400_000
const maxRead = 1500
const maxLines = 40
const maxCommand = 170
const maxFolder = 100

export function howThingsAreRun(ledger: Ledger, project: string): BriefSection {
  const all = mergedForms(commandsOfProject(ledger, project, maxRead).filter(isTold))
  const latestMs = Math.max(0, ...all.map(({ atMs }) => atMs))
  const groups = Map.groupBy(all, ({ program }) => program)
  const ranked = [...groups.values()]
    .flatMap((forms) => formsOf(forms).map((form, place) => ({ form, score: scoreOf(forms, latestMs) - place })))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxLines)
  const items = ranked.map(({ form }) => ({ text: lineOf(form) }))
  return { title: 'How things are run here (commands that passed)', share: 0.27, items }
}

/** Calls that differ in their values only are one form; its latest call is the example. */
function mergedForms(commands: readonly ProjectCommand[]): ProjectCommand[] {
  const skeleton = ({ program, command, folder }: ProjectCommand) =>
    [folder, program, ...(command.match(/(?<=\s)--?[A-Za-z][\w-]*/g) ?? []).toSorted()].join(' ')
  return [...Map.groupBy(commands, skeleton).values()].map((calls) => ({
    ...calls[0]!,
    passed: calls.reduce((sum, { passed }) => sum + passed, 0),
    failed: calls.reduce((sum, { failed }) => sum + failed, 0),
    sessions: Math.max(...calls.map(({ sessions }) => sessions)),
  }))
}

function isTold({ command, program, folder }: ProjectCommand): boolean {
  if (command.length > maxCommand || !command.includes(' ') || folder.length > maxFolder) return false
  return tellName(folder) === folder && 'told' in tellCommand(command, [program])
}

/** By sessions, uses and recency of all of its forms. */
function scoreOf(forms: readonly ProjectCommand[], latestMs: number): number {
  const sessions = Math.max(...forms.map((form) => form.sessions))
  const uses = forms.reduce((sum, { passed }) => sum + passed, 0)
  const days = (latestMs - Math.max(...forms.map(({ atMs }) => atMs))) / dayMs
  return sessions + 0.5 * Math.log2(1 + uses) + 0.5 ** (days / 14)
}

function formsOf(forms: readonly ProjectCommand[]): ProjectCommand[] {
  const common = forms.toSorted((a, b) => b.sessions - a.sessions || b.passed - a.passed || b.atMs - a.atMs)
  const longest = forms.toSorted((a, b) => options(b) - options(a) || b.atMs - a.atMs)
  return [...new Set([common[0]!, longest[0]!, ...common.slice(1, 2)])]
}

function options({ command }: ProjectCommand): number {
  return command.match(/\s--?[A-Za-z]/g)?.length ?? 0
}

function lineOf({ command, folder, sessions }: ProjectCommand): string {
  const where = folder === '' ? '' : ` (in ${shortLine(folder, maxFolder)})`
  return `- \`${shortLine(command, maxCommand)}\`${where}${sessions > 1 ? `, ${sessions} sessions` : ''}`
}
