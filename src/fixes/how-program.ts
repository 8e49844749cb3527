// How a program is run here: the commands that passed, and the errors that it had with what helped.

import { tellCommand } from '../gate/gate.ts'
import { listFixes, type StoredFix } from '../store/fixes/fixes.ts'
import { type ProgramCommand, passedCommands, programsOf } from '../store/fixes/program-runs.ts'
import type { Ledger } from '../store/ledger.ts'
import { type FixMatch, type FoundFix, toldFixes } from './find-fixes.ts'

export interface ProgramUse {
  program: string
  project: string | null
  /** The best first: often and lately. */
  commands: ProgramCommand[]
  traps: FoundFix[]
  /** How many commands and traps are not told, because they may harm. */
  held: number
}

const dayMs = 86_400_000
const maxTraps = 4

/** `program` may have a subcommand: `npm test`. */
export function howProgram(
  ledger: Ledger,
  program: string,
  { project, limit }: { project: string | null; limit: number },
): ProgramUse {
  const passed = passedCommands(ledger, program, project ?? undefined).filter(({ command }) => runs(command, program))
  const commands = passed.filter(({ command }) => 'told' in tellCommand(command, [program]))
  const { fixes, held } = toldFixes(fixesOf(ledger, program, project))
  const latestMs = Math.max(0, ...commands.map(timeOf))
  // A command of last month counts half.
  const weight = (one: ProgramCommand) => Math.log2(1 + one.passed) * 0.5 ** ((latestMs - timeOf(one)) / (30 * dayMs))
  return {
    program,
    project,
    commands: commands.toSorted((a, b) => weight(b) - weight(a)).slice(0, limit),
    traps: trapsIn(fixes),
    held: passed.length - commands.length + held.length,
  }
}

/** Programs with similar names, for a name that was never run. */
export function knownPrograms(ledger: Ledger, project: string | null): string[] {
  return [...new Set(programsOf(ledger, project ?? undefined).flatMap((name) => [name, name.split(' ')[0]!]))]
}

function timeOf({ at }: ProgramCommand): number {
  return at === null ? 0 : Date.parse(at)
}

/** Also behind another program: `mise exec -- golangci-lint run`. */
function runs(command: string, program: string): boolean {
  const words = program.split(' ').map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  // Options may stand between a program and its subcommand: `git -C app push`.
  return new RegExp(`(?:^|[\\s/;&|(])${words.join('(?:\\s+-\\S+(?:[ =]\\S+)?)*\\s+')}(?=$|[\\s;&|)])`).test(command)
}

/** Edits are not about how a program is run. */
function fixesOf(ledger: Ledger, program: string, project: string | null): StoredFix[] {
  return listFixes(ledger, project ? { project } : {}).filter(
    ({ kind, command }) => kind !== 'edit' && runs(command, program),
  )
}

function trapsIn(known: readonly StoredFix[]): FoundFix[] {
  const groups = Map.groupBy(known, ({ shape, remedy }) => `${shape}\n${remedy}`)
  return [...groups.values()]
    .map((all) => foundFix(all))
    .toSorted((a, b) => b.times - a.times)
    .slice(0, maxTraps)
}

function foundFix(all: readonly StoredFix[]): FoundFix {
  const [latest] = all
  const match: FixMatch = 'same'
  const sessions = new Set(all.map(({ session }) => session)).size
  return { ...latest!, match, asked: latest!.error, times: all.length, sessions }
}
