// recollect handoff: writes a session for another agent, or prints the packet.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import type { App } from '../../app.ts'
import { agentNamed } from '../../core/agent-names.ts'
import { shortId } from '../../core/session.ts'
import { plural } from '../../core/units.ts'
import { type HandoffResult, handOver, writeHandedOver } from '../../handoff/handoff.ts'
import { packetOf } from '../../handoff/packet.ts'
import { lookUpSessions } from '../../history/resume.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { SessionView } from '../../store/sessions/sessions.ts'
import { sweepIfWritable } from '../../sweep.ts'
import { type CommandContext, countOption, examples, sessionNamed, withLedger } from '../command.ts'
import type { Terminal } from '../terminal.ts'

interface Options {
  to?: string
  out?: string
  packet?: boolean
  full?: boolean
  maxTokens?: string
  json?: boolean
}

/** Half of a usual context, so that there is room to go on. */
const defaultTokens = 100_000

export function addHandoff({ program, terminal }: CommandContext): void {
  program
    .command('handoff <session...>')
    .description('Continue a session with another agent')
    .option('--to <agent>', 'Agent that continues: claude, codex, gemini, qwen, pi, droid, copilot')
    .option('--packet', 'Print goal, state, decisions, open ends and next step instead')
    .option('--out <file>', 'Write to this file, which must not exist yet')
    .option('--max-tokens <n>', `Size of the conversation that is handed over (default: ${defaultTokens})`)
    .option('--full', 'Everything: also from before a compaction, without a limit')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect handoff 0a1b2c3d --to codex',
        'recollect handoff codex:019f15f7-b472-7bc3-8651-5547781e25cf --to claude',
        'recollect handoff tide table cache --to gemini   # found by these words',
        'recollect handoff 0a1b2c3d --packet              # at most 1,500 tokens',
      ),
    )
    .action((words: string[], options: Options) =>
      withLedger(async (app, ledger) => {
        await sweepIfWritable(app, { part: 'capture' }) // the last turns may not be captured yet
        const session = sessionFor(app, ledger, words.join(' '))
        const to = options.to === undefined ? undefined : agentNamed(app.agents, options.to)
        const isNative = to !== undefined && !options.packet
        const maxTokens = countOption(options.maxTokens, 'max-tokens') ?? defaultTokens
        const result = isNative
          ? handOver(contextOf(app, ledger), {
              ...{ session, to, maxTokens, isFull: options.full ?? false },
              ...(options.out === undefined ? {} : { out: options.out }),
            })
          : undefined
        if (result) return options.json ? terminal.json(result) : printResult(terminal, session, result, to!)
        givePacket(app, ledger, terminal, session, { ...options, to, isNative })
      }),
    )
}

function contextOf(app: App, ledger: Ledger) {
  return { ledger, clock: app.clock, machine: app.machine, agents: app.agents }
}

/** An id as `show` takes it, or words: then the session that search finds first. */
function sessionFor(app: App, ledger: Ledger, words: string): SessionView {
  const [found, ...others] = lookUpSessions(ledger, { words, project: undefined, nowMs: app.clock.nowMs() }, 1)
  return found && others.length === 0 ? found : sessionNamed(ledger, words)
}

function printResult(
  { print, say, style }: Terminal,
  session: SessionView,
  { path, command, events, omitted, shortened }: HandoffResult,
  { name }: Agent,
): void {
  say(`${style.bold(session.title ?? session.id)}  ${style.dim(shortId(session.id))}`)
  const parts = [
    `${plural(events, 'event')} written for ${name}`,
    omitted > 0 ? `the oldest ${omitted} left out` : '',
    shortened > 0 ? `long texts of ${plural(shortened, 'older call')} shortened` : '',
  ]
  say(`${parts.filter((part) => part !== '').join(', ')}.`)
  if (omitted + shortened > 0) say('To hand over everything: --full, or a larger --max-tokens')
  say(style.dim(path))
  if (session.cwd !== null && !existsSync(session.cwd)) say(`The folder ${session.cwd} does not exist any more.`)
  say(command === '' || command.startsWith('cd ') ? '\nTo continue:' : `\nTo continue, in ${session.cwd}:`)
  print(command === '' ? path : command)
}

interface PacketOptions extends Pick<Options, 'out' | 'json'> {
  to: Agent | undefined
  /** A transcript was wanted, and is not possible. */
  isNative: boolean
}

function givePacket(
  app: App,
  ledger: Ledger,
  terminal: Terminal,
  session: SessionView,
  { to, out, json, isNative }: PacketOptions,
): void {
  const { text, tokens, isDigestOnly } = packetOf({ ledger, clock: app.clock, zone: app.zone }, session)
  const path = out === undefined ? undefined : resolve(out)
  if (path !== undefined) writeHandedOver(path, `${text}\n`, app.layout.run)
  const reason = isNative ? reasonFor(to!, session, isDigestOnly) : null
  if (json)
    return terminal.json({
      packet: text,
      tokens,
      path: path ?? null,
      session: session.id,
      agent: to?.id ?? null,
      reason,
    })
  if (reason) terminal.say(`${reason} The packet instead:\n`)
  if (path === undefined) terminal.print(text)
  if (path !== undefined) terminal.say(`Written to ${path} (${tokens} tokens).`)
  else if (to) terminal.say(`\nPaste it as the first message of ${to.name}, in ${session.cwd ?? 'the same folder'}.`)
  if (path !== undefined && to) terminal.say(`Start ${to.name} there with: Read ${path} and go on.`)
}

function reasonFor(to: Agent, { id }: SessionView, isDigestOnly: boolean): string {
  if (!to.handoff) return `${to.name} has no form for a conversation of another agent.`
  return isDigestOnly
    ? `The text of ${id} was deleted to save space.`
    : `Nothing was said in ${id} that could be handed over.`
}
