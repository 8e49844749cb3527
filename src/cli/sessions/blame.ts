import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { plural, type Zone } from '../../core/units.ts'
import type { Blame, FileExchange, FileSession } from '../../history/blame.ts'
import type { BlameContext } from '../../history/blame-file.ts'
import type { BlamedLines, LineRange, LineSession } from '../../history/blame-lines.ts'
import { resolveProject } from '../../search/resolve-project.ts'
import type { Ledger } from '../../store/ledger.ts'
import { shortLine } from '../../text/truncate.ts'
import { type CommandContext, countOption, examples, projectOption, withLedger } from '../command.ts'
import type { Style, Terminal } from '../terminal.ts'
import { outcomeText } from './sessions.ts'

interface Options {
  json?: boolean
  project?: string
  limit?: string
}

export function addBlame({ program, terminal, exit }: CommandContext): void {
  program
    .command('blame <file>')
    .description('Find the sessions that changed a file or a line, and why')
    .option('--project <project>', 'Project of the file (name, identity or folder)')
    .option('--limit <n>', 'Maximum number of sessions (default: 10)')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect blame src/app.ts',
        'recollect blame src/app.ts:120',
        'recollect blame src/app.ts:120-140 --json',
        'recollect blame src/app.ts --project my-app  # if its folder no longer exists',
      ),
    )
    .action((asked: string, options: Options) =>
      withLedger(async (app, ledger) => {
        const { blame } = await import('../../history/blame.ts')
        const { file, lines } = parseTarget(asked)
        const context = await blameContext(app, ledger, file, options)
        const limit = countOption(options.limit, 'limit') ?? 10
        const result = blame(context, { limit, ...(lines ? { lines } : {}) })
        const isNothing = result.total === 0 && result.lines.every(({ sure }) => sure === 'none')
        if (isNothing) exit(1)
        if (options.json) return terminal.json(result)
        print(terminal, app.zone, result, lines !== undefined)
        if (isNothing) terminal.say(await nothingFoundText(context))
      }),
    )
}

/** Parses `src/app.ts:12`, `:12-20`, and `:12:7` as compilers print it. */
function parseTarget(asked: string): { file: string; lines?: LineRange } {
  const match = /^(.+?):(\d+)(?:-(\d+)|:\d+)?$/.exec(asked)
  if (!match || existsSync(asked)) return { file: asked }
  const from = Number(match[2])
  const to = Number(match[3] ?? match[2])
  if (from < 1 || to < from)
    throw new UserError(`Invalid range: no lines ${from} to ${to}`, 'For example: recollect blame src/app.ts:120-140')
  return { file: match[1]!, lines: { from, to } }
}

export async function blameContext(
  app: App,
  ledger: Ledger,
  asked: string,
  { project }: Pick<Options, 'project'>,
): Promise<BlameContext> {
  const { locateFile: askedFile, toSlashes: slashed } = await import('../../history/blame-file.ts')
  const { env } = app.machine
  const named = projectOption(app, ledger, project)
  if (named !== undefined && !existsSync(asked)) {
    const path = slashed(asked).replace(/^(?:\.\/)+/, '')
    return { ledger, env, project: named, file: { path, absolute: null, folder: null, hasGit: false } }
  }
  const absolute = resolve(asked)
  const around = named ?? projectAround(app, ledger, dirname(absolute))
  return { ledger, env, project: around, file: askedFile(absolute, around) }
}

/** Returns null outside of known projects: sessions of other projects may have changed the file. */
function projectAround({ config }: App, ledger: Ledger, folder: string): string | null {
  try {
    return resolveProject(ledger, folder, config.projects)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

export async function nothingFoundText(context: BlameContext): Promise<string> {
  const { sameNamedFiles: alike } = await import('../../history/blame-file.ts')
  const others = alike(context)
  const hint = others.length > 0 ? ` Did you mean ${others.join(' or ')}?` : ''
  return `No session is known to have changed ${context.file.path}.${hint}`
}

function print(terminal: Terminal, zone: Zone, result: Blame, isAboutLines: boolean): void {
  const { print, say, style } = terminal
  for (const lines of result.lines) print(linesText(lines, zone, style))
  for (const note of result.notes) say(note)
  // The sessions of the file are printed only if none was found for the lines.
  if (isAboutLines && result.lines.some(({ sure }) => sure !== 'none')) return
  if (result.lines.length > 0 && result.total > 0) print('')
  if (result.total > 0) print(result.sessions.map((session) => sessionText(session, zone, style)).join('\n\n'))
  if (result.total > result.sessions.length)
    say(`${plural(result.total - result.sessions.length, 'more session')} changed it. To see more: --limit`)
}

function linesText({ from, to, commit, sessions }: BlamedLines, zone: Zone, style: Style): string {
  const place = from === to ? `line ${from}` : `lines ${from}-${to}`
  const about = commit
    ? `${commit.hash.slice(0, 10)}  ${zone.minute(commit.at)}  ${commit.author}: ${commit.subject}`
    : 'not committed yet'
  const behind = sessions.flatMap((session) => behindText(session, zone, style))
  const none = ['  none: no session is known to have written it']
  return [`${style.bold(place)}  ${style.dim(about)}`, ...(behind.length > 0 ? behind : none)].join('\n')
}

function behindText(
  { sure, because, agent, at, title, id, asked, by }: LineSession,
  zone: Zone,
  style: Style,
): string[] {
  const mark = sure === 'exact' ? style.green(sure) : style.yellow(sure)
  const who = [agent, at && zone.minute(at), shortPlace(id)].filter(Boolean).join('  ')
  const why = asked ? `    ${askedText(asked, by)}` : title ? `    ${title}` : ''
  return [`  ${mark}: ${because}  ${style.dim(who)}`, ...(why ? [why] : [])]
}

export function sessionText(session: FileSession, zone: Zone, style: Style): string {
  const { agent, at, title, outcome, times, added, removed, lineage, isTextGone } = session
  const head = [at && zone.minute(at), agent, lineage === 'subagent' && 'subagent', shortId(session.session)]
  const change = `+${added} -${removed} in ${plural(times, 'change')}`
  const lines = [
    style.dim(head.filter(Boolean).join('  ')),
    [style.bold(title ?? ''), change, outcomeText(outcome, style)].filter(Boolean).join('  '),
    ...session.exchanges.slice(0, maxExchanges).map((exchange) => exchangeText(exchange, style)),
  ]
  const more = session.exchanges.length - maxExchanges
  if (more > 0) lines.push(style.dim(`and ${plural(more, 'more exchange')}`))
  for (const { id, trust, text } of session.memories.slice(0, 5))
    lines.push(style.dim(`learned ${id} (${trust}): ${shortLine(text, 120)}`))
  if (isTextGone)
    lines.push(style.yellow('Parts of the conversation were deleted to save space; the rest is from the digest.'))
  return lines.join('\n  ')
}

const maxExchanges = 4

function exchangeText({ id, asked, by, added, removed }: FileExchange, style: Style): string {
  return `${askedText(asked, by)}  ${style.dim(`+${added} -${removed}  ${shortPlace(id)}`)}`
}

/** The prompt of a subagent was written by an agent. */
function askedText(asked: string, by: 'user' | 'agent' | null): string {
  if (by === null) return 'the prompt is in the session that this one was forked from'
  return `${by === 'user' ? 'you asked' : 'an agent asked'}: ${shortLine(asked, 160)}`
}

function shortPlace(id: string): string {
  const [, session, place = ''] = /^(.+?)(#\d+)?$/s.exec(id)!
  return `${shortId(session!)}${place}`
}
