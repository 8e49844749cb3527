#!/usr/bin/env node
// The command line: parses, calls, prints. What a command does lies in the stages; how it is shown, beside this file.
import { Command, CommanderError } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { wantsColour } from '../app.ts'
import { hintOf, messageOf, UserError } from '../core/errors.ts'
import { addBlame } from './blame.ts'
import { addBrief } from './brief.ts'
import type { Door } from './command.ts'
import { addConfig } from './config.ts'
import { addCost } from './cost.ts'
import { addDoctor } from './doctor.ts'
import { addDu } from './du.ts'
import { addExport } from './export.ts'
import { addImport } from './import.ts'
import { addInbox } from './inbox.ts'
import { addInstall, addUninstall } from './install.ts'
import { addJournal } from './journal.ts'
import { addJudge } from './judge.ts'
import { addMcp } from './mcp.ts'
import { addMemories } from './memories.ts'
import { addModels } from './models.ts'
import { addOverview } from './overview.ts'
import { addRebuild } from './rebuild.ts'
import { addRecall } from './recall.ts'
import { addForget, addRemember } from './remember.ts'
import { addSchedule } from './schedule.ts'
import { addSearch } from './search.ts'
import { addSessions } from './sessions.ts'
import { addShow } from './show.ts'
import { addStatus } from './status.ts'
import { addSweep } from './sweep.ts'
import { createTerminal } from './terminal.ts'
import { addTimeline } from './timeline.ts'
import { addHistory, addUndo } from './undo.ts'
import { addWatch } from './watch.ts'
import { addWork } from './work.ts'

await main(process.argv)

async function main(argv: string[]): Promise<void> {
  const terminal = createTerminal(process.stdout, process.stderr, { colour: wantsColour(process.stdout) })
  const program = new Command('recollect')
  const door: Door = { program, terminal, exit: setExitCode }
  program
    .description('Memory for coding agents: what was asked, what was done, how it ended, what it cost.')
    .version(manifest.version)
    .option('--json', 'data as JSON on standard output')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(text) })
    .showSuggestionAfterError()
  for (const add of [
    addOverview,
    addSweep,
    addSessions,
    addSearch,
    addRecall,
    addShow,
    addTimeline,
    addBlame,
    addBrief,
    addCost,
    addStatus,
    addDu,
    addDoctor,
    addConfig,
    addRebuild,
    addInstall,
    addUninstall,
    addSchedule,
    addWork,
    addWatch,
    addMcp,
    addMemories,
    addRemember,
    addForget,
    addInbox,
    addUndo,
    addHistory,
    addImport,
    addExport,
    addJournal,
    addModels,
    addJudge,
  ])
    add(door)
  // A reader that closes early (`| head`) is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
    process.stderr.write(`The output could not be written: ${error.message}\n`)
    process.exit(3)
  })
  // `recollect --json sessions` means the same as `recollect sessions --json`.
  program.hook('preAction', (_, command) => {
    if (program.opts().json) command.setOptionValue('json', true)
  })
  process.umask(0o077) // whatever is made from here on is the user's alone
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error, (text) => terminal.say(text))
  }
}

function setExitCode(code: number): void {
  process.exitCode = code
}

/** Every error is printed here, once. */
function report(error: unknown, say: (text: string) => void): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UserError) {
    say(`${error.message}\n${error.hint}`)
    return error.exitCode
  }
  const hint = hintOf(error)
  if (hint) {
    say(`${messageOf(error)}\n${hint}`)
    return 3
  }
  say(`Something went wrong: ${messageOf(error)}`)
  say(error instanceof Error && error.stack ? error.stack.split('\n').slice(1, 6).join('\n') : '')
  say('Nothing that was captured is lost. "recollect doctor" shows what can be repaired.')
  return 3
}
