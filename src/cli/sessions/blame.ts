import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { plural, type Zone } from '../../core/units.ts'
import type { Blame, FileExchange, FileSession } from '../../history/blame.ts'
import type { BehindLines, BlamedLines, LineRange } from '../../history/blame-lines.ts'
import type { BlameContext } from '../../history/blame-touches.ts'
import { projectNamed } from '../../search/project.ts'
import type { Ledger } from '../../store/ledger.ts'
import { type CommandContext, countOption, examples, projectOption, withLedger } from '../command.ts'
import { type Style, type Terminal, withoutControls } from '../terminal.ts'
import { outcomeText } from './sessions.ts'

interface Options {
  json?: boolean
  project?: string
  limit?: string
}

export function addBlame({ program, terminal, exit }: CommandContext): void {
  program
    .command('blame <file>')
    .description('the sessions that touched a file, or some lines of it, and why')
    .option('--project <project>', 'the file lies in this project: its name, its identity or a folder in it')
    .option('--limit <n>', 'how many sessions (default: 10)')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect blame src/app.ts',
        'recollect blame src/app.ts:120',
        'recollect blame src/app.ts:120-140 --json',
        'recollect blame src/app.ts --project my-app     where its folder is gone',
      ),
    )
    .action((asked: string, options: Options) =>
      withLedger(async (app, ledger) => {
        const { blame } = await import('../../history/blame.ts')
        const { file, lines } = placeIn(asked)
        const context = await contextOf(app, ledger, file, options)
        const limit = countOption(options.limit, 'limit') ?? 10
        const told = blame(context, { limit, ...(lines ? { lines } : {}) })
        const isNothing = told.total === 0 && told.lines.every(({ sure }) => sure === 'none')
        if (isNothing) exit(1)
        if (options.json) return terminal.json(told)
        print(terminal, app.zone, told, lines !== undefined)
        if (isNothing) terminal.say(await nothingKnown(context))
      }),
    )
}

/** `src/app.ts:12`, `:12-20`, and `:12:7` as compilers write it. */
function placeIn(asked: string): { file: string; lines?: LineRange } {
  const match = /^(.+?):(\d+)(?:-(\d+)|:\d+)?$/.exec(asked)
  if (!match || existsSync(asked)) return { file: asked }
  const from = Number(match[2])
  const to = Number(match[3] ?? match[2])
  if (from < 1 || to < from)
    throw new UserError(`There are no lines ${from} to ${to}`, 'For example: recollect blame src/app.ts:120-140')
  return { file: match[1]!, lines: { from, to } }
}

async function contextOf(app: App, ledger: Ledger, asked: string, { project }: Options): Promise<BlameContext> {
  const { askedFile, slashed } = await import('../../history/blame-path.ts')
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

/** A file of a project that nobody knows may still have been changed from another one. */
function projectAround({ config }: App, ledger: Ledger, folder: string): string | null {
  try {
    return projectNamed(ledger, folder, config.projects)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

async function nothingKnown(context: BlameContext): Promise<string> {
  const { alike } = await import('../../history/blame-touches.ts')
  const others = alike(context)
  const hint = others.length > 0 ? ` Did you mean ${others.join(' or ')}?` : ''
  return `No session is known to have touched ${context.file.path}.${hint}`
}

function print(terminal: Terminal, zone: Zone, told: Blame, isAboutLines: boolean): void {
  const { print, say, style } = terminal
  for (const lines of told.lines) print(linesText(lines, zone, style))
  for (const note of told.notes) say(note)
  // Lines that led somewhere have answered the question; the file answers where they did not.
  if (isAboutLines && told.lines.some(({ sure }) => sure !== 'none')) return
  if (told.lines.length > 0 && told.total > 0) print('')
  if (told.total > 0) print(told.sessions.map((session) => sessionText(session, zone, style)).join('\n\n'))
  if (told.total > told.sessions.length)
    say(`${plural(told.total - told.sessions.length, 'more session')} touched it. See --limit.`)
}

function linesText({ from, to, commit, sessions }: BlamedLines, zone: Zone, style: Style): string {
  const place = from === to ? `line ${from}` : `lines ${from}-${to}`
  const about = commit
    ? `${commit.hash.slice(0, 10)}  ${zone.minute(commit.at)}  ${withoutControls(`${commit.author}: ${commit.subject}`)}`
    : 'not committed yet'
  const behind = sessions.flatMap((session) => behindText(session, zone, style))
  const nobody = ['  none: no session is known to be behind it']
  return [`${style.bold(place)}  ${style.dim(about)}`, ...(behind.length > 0 ? behind : nobody)].join('\n')
}

function behindText(
  { sure, because, agent, at, title, id, asked, by }: BehindLines,
  zone: Zone,
  style: Style,
): string[] {
  const mark = sure === 'exact' ? style.green(sure) : style.yellow(sure)
  const who = [agent, at && zone.minute(at), shortPlace(id)].filter(Boolean).join('  ')
  const why = asked ? `    ${askedText(asked, by)}` : title ? `    ${withoutControls(title)}` : ''
  return [`  ${mark}: ${because}  ${style.dim(who)}`, ...(why ? [why] : [])]
}

function sessionText(session: FileSession, zone: Zone, style: Style): string {
  const { agent, at, title, outcome, times, added, removed, kind, isTextGone } = session
  const head = [at && zone.minute(at), agent, kind === 'subagent' && 'subagent', shortId(session.session)]
  const change = `+${added} -${removed} in ${plural(times, 'change')}`
  const lines = [
    style.dim(head.filter(Boolean).join('  ')),
    [style.bold(withoutControls(title ?? '')), change, outcomeText(outcome, style)].filter(Boolean).join('  '),
    ...session.exchanges.slice(0, maxExchanges).map((exchange) => exchangeText(exchange, style)),
  ]
  const more = session.exchanges.length - maxExchanges
  if (more > 0) lines.push(style.dim(`and ${plural(more, 'more exchange')}`))
  for (const { id, trust, text } of session.memories.slice(0, 5))
    lines.push(style.dim(`learned ${id} (${trust}): ${clip(text, 120)}`))
  if (isTextGone) lines.push(style.yellow('Not all of its text is there any more: the digest tells the rest.'))
  return lines.join('\n  ')
}

const maxExchanges = 4

function exchangeText({ id, asked, by, added, removed }: FileExchange, style: Style): string {
  return `${askedText(asked, by)}  ${style.dim(`+${added} -${removed}  ${shortPlace(id)}`)}`
}

/** What a subagent was told is an agent's word. */
function askedText(asked: string, by: 'user' | 'agent' | null): string {
  if (by === null) return 'what was asked stands in the session that it shares its beginning with'
  return `${by === 'user' ? 'you asked' : 'an agent asked'}: ${clip(asked, 160)}`
}

function shortPlace(id: string): string {
  const [, session, place = ''] = /^(.+?)(#\d+)?$/s.exec(id)!
  return `${shortId(session!)}${place}`
}

function clip(text: string, max: number): string {
  const line = withoutControls(text.replace(/\s+/g, ' ').trim())
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`
}
