// `recollect restore` and `recollect resume`.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { commandInFolder, ownCommand } from '../../core/shell/command-line.ts'
import { formatSize, plural } from '../../core/units.ts'
import { type RestoreReport, restoreSession } from '../../history/restore.ts'
import { lookUpSessions, type ResumePlan, resumePlan } from '../../history/resume.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { SessionView } from '../../store/sessions/sessions.ts'
import { agentOption, type CommandContext, examples, projectOption, sessionNamed, withLedger } from '../command.ts'
import { currentProject } from '../memories/remember.ts'
import type { Terminal } from '../terminal.ts'

export function addRestore({ program, terminal }: CommandContext): void {
  program
    .command('restore <session>')
    .description('Write a transcript that its agent has deleted again')
    .option('--out <file>', 'Write it to this file instead')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect restore 0a1b2c3d',
        'recollect restore 0a1b2c3d --out session.jsonl',
        'recollect resume 0a1b2c3d      # restores it if needed, and continues it',
      ),
    )
    .action((id: string, options: { out?: string; json?: boolean }) =>
      withLedger((app, ledger) => {
        const out = options.out === undefined ? undefined : resolve(options.out)
        const report = restoreSession(ledger, sessionNamed(ledger, id), { agents: app.agents, out })
        if (options.json) return terminal.json(report)
        printReport(terminal, report)
      }),
    )
}

function printReport({ print, say }: Terminal, { others, ...main }: RestoreReport): void {
  for (const { path, lines, bytes } of [main, ...others])
    print(`${path}  ${plural(lines, 'line')}, ${formatSize(bytes)}`)
  const all = [main, ...others]
  const redacted = all.reduce((sum, one) => sum + one.redacted, 0)
  const missing = all.reduce((sum, one) => sum + one.missing, 0)
  if (redacted > 0) say(`${plural(redacted, 'secret')} removed; otherwise as the agent wrote it.`)
  if (missing > 0) say(`${plural(missing, 'part')} of it was not kept.`)
  const images = all.reduce((sum, { leftOut }) => sum + leftOut.image, 0)
  const thinking = all.reduce((sum, { leftOut }) => sum + leftOut.thinking, 0)
  if (images > 0) say(`${plural(images, 'image')} replaced by text: what is kept of it is damaged.`)
  if (thinking > 0)
    say(
      `${plural(thinking, 'part')} of the thinking left out: its signature is of the text before secrets were removed.`,
    )
}

interface ResumeOptions {
  print?: boolean
  agent?: string
  project?: string
  json?: boolean
}

export function addResume({ program, terminal, exit }: CommandContext): void {
  program
    .command('resume [words...]')
    .description('Continue a session, by id or words, or the latest one here')
    .option('--print', 'Print the command instead of starting the agent')
    .option('--agent <agent>', 'Only sessions of this agent')
    .option('--project <project>', 'Project to look in first (default: that of this folder)')
    .option('--json', 'Print the command as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect resume                       # the latest session of this project',
        'recollect resume 0a1b2c3d',
        'recollect resume flaky login test      # finds it by words',
        'recollect resume 0a1b2c3d --print',
      ),
    )
    .action(async (words: string[], options: ResumeOptions) => {
      const plan = await withLedger((app, ledger) => planned(app, ledger, words.join(' ').trim(), options))
      const { session, command, folder, restored } = plan
      if (options.json) return terminal.json({ session: session.id, command, folder, restored: restored?.path ?? null })
      terminal.say(`${session.title ?? shortId(session.id)} (${session.id})`)
      if (restored) terminal.say(`Restored ${restored.path}`)
      if (options.print) {
        const line = printable(plan)
        if (folder !== null && !line.startsWith('cd ')) terminal.say(`To be run in ${folder}`)
        return terminal.print(line)
      }
      exit(await runAgent(plan))
    })
}

type StartablePlan = ResumePlan & { restored?: RestoreReport }

function planned(app: App, ledger: Ledger, words: string, options: ResumeOptions): StartablePlan {
  const project = projectOption(app, ledger, options.project) ?? currentProject(app)
  const agent = agentOption(app, options.agent)
  const [session] = lookUpSessions(ledger, { words, project, agent, nowMs: app.clock.nowMs() }, 1)
  if (!session) throw notFound(words)
  const plan = resumePlan(ledger, app.agents, session)
  if (!plan) throw cannotContinue(session)
  if (plan.transcript === 'lost')
    throw new UserError(
      `The transcript of ${shortId(session.id)} is gone and was not kept`,
      `To continue it anyway: ${ownCommand('handoff', shortId(session.id), '--to', session.agent)}`,
      1,
    )
  if (plan.transcript === 'there') return plan
  return { ...plan, restored: restoreSession(ledger, session, { agents: app.agents }) }
}

function notFound(words: string): UserError {
  return words === ''
    ? new UserError('No session in this project yet', 'Name one: recollect sessions lists them.', 1)
    : new UserError(`No session matches "${words}"`, 'Try other words, or an id from: recollect sessions', 1)
}

function cannotContinue({ id, agent }: SessionView): UserError {
  return new UserError(
    `${agent} has no command that continues ${shortId(id)}`,
    `To continue it in another agent: ${ownCommand('handoff', shortId(id), '--to', 'claude-code')}`,
    1,
  )
}

function printable({ command, folder }: ResumePlan): string {
  return commandInFolder(folder, command, process.platform) ?? command.join(' ')
}

/** Agents look for a session in the folder in which it was started. */
async function runAgent(plan: ResumePlan): Promise<0 | 1 | 2 | 3> {
  const { command, folder } = plan
  if (folder !== null && !existsSync(folder))
    throw new UserError(`The folder of the session is gone: ${folder}`, `Create it, then: ${printable(plan)}`, 1)
  const { spawn } = await import('node:child_process')
  const [program, ...args] = command
  return await new Promise((done, fail) => {
    const child = spawn(program!, args, { stdio: 'inherit', ...(folder === null ? {} : { cwd: folder }) })
    child.on('error', () =>
      fail(new UserError(`${program} cannot be started`, `Is it installed? ${printable(plan)}`, 3)),
    )
    child.on('exit', (code) => done(code === 0 ? 0 : 3))
  })
}
