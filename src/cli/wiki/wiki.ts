import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { plural } from '../../core/units.ts'
import { modelsMayJudge } from '../../learn/context.ts'
import type { Ledger } from '../../store/ledger.ts'
import { countMemories, countWaiting } from '../../store/memories/memories.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { saveVaultSize } from '../../store/sizes.ts'
import { type ArticleRow, articleRows } from '../../store/wiki/articles.ts'
import { unescapeMarkdown } from '../../text/markdown.ts'
import { nearest } from '../../text/nearest.ts'
import { slugKey, slugOf } from '../../text/slug.ts'
import type { Article } from '../../wiki/article.ts'
import type { FileAnswerResult } from '../../wiki/ask/article.ts'
import { type CommandContext, examples, projectOption, sinceOption, withLedger } from '../command.ts'
import { lockOwnerText } from '../reports.ts'
import { type Terminal, wrapText } from '../terminal.ts'
import { linkedArticles, maxColumns, pageText } from './page-text.ts'

interface Options {
  json?: boolean
  project?: string
}

export function addWiki(cli: CommandContext): void {
  const { program, terminal, exit } = cli
  const wiki = program
    .command('wiki')
    .description('List, read, build, query and check wiki articles')
    .option('--project <project>', 'Only this project (name, identity or folder)')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect wiki',
        'recollect wiki show retries',
        'recollect wiki ask "why do we not retry uploads?"',
        'recollect wiki build',
        'recollect wiki lint --fix',
      ),
    )
    .action((options: Options) =>
      withLedger((app, ledger) => {
        const project = projectOption(app, ledger, options.project)
        const rows = existingArticles(ledger).filter((row) => project === undefined || row.project === project)
        if (rows.length === 0) exit(1)
        if (options.json) return terminal.json(rows.map(articleJson))
        if (rows.length === 0) return terminal.say(noArticles(ledger, project))
        terminal.print(articleList(ledger, rows, terminal))
        terminal.say('\nTo read one: recollect wiki show <title or name>')
      }),
    )
  addShowArticle(wiki, cli)
  addBuild(wiki, cli)
  addAsk(wiki, cli)
  addLint(wiki, cli)
}

function addShowArticle(wiki: Command, { terminal }: CommandContext): void {
  wiki
    .command('show <article>')
    .description('Show an article, by name, title or path')
    .option('--path', 'Print only the path of the file')
    .option('--raw', 'Print the Markdown of the file')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect wiki show retries', 'recollect wiki show wiki/concepts/retries --path'))
    .action((name: string, options: Options & { path?: boolean; raw?: boolean }) =>
      withLedger((app, ledger) => {
        const row = articleNamed(ledger, name)
        if (options.path) return terminal.print(join(app.layout.vault, `${row.path}.md`))
        const text = readPage(app, row.path)
        if (options.json) return terminal.json({ ...articleJson(row), text })
        if (options.raw) return terminal.print(text.trimEnd())
        terminal.print(pageText(text, { ...terminal, nowMs: app.clock.nowMs() }))
        sayLinked(terminal, text)
      }),
    )
}

function addBuild(wiki: Command, { terminal, exit }: CommandContext): void {
  wiki
    .command('build')
    .description('Build articles from what is new (sweeps do so once an hour)')
    .option('--all', 'Build all articles again, also those you deleted')
    .option('--since <time>', 'Build again what is newer than this: 7d, 24h or a date')
    .option('--dry-run', 'Show what would be written without writing it')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect wiki build',
        'recollect wiki build --since 7d --dry-run',
        'recollect wiki build --all --json',
      ),
    )
    .action((options: Options & { all?: boolean; since?: string; dryRun?: boolean }) =>
      withLedger(async (app, ledger) => {
        const { buildWiki } = await import('../../wiki/build.ts')
        const progress = terminal.progress()
        const build = await buildWiki(wikiContext(app, ledger), {
          isAll: options.all ?? false,
          isDryRun: options.dryRun ?? false,
          sinceMs: sinceOption(options.since, app),
          onProgress: (done, of) => progress.show('Compiling', done, of, 'projects'),
        })
        progress.end()
        if (build.kind === 'busy')
          throw new UserError(
            `The wiki is being built by ${lockOwnerText(build.owner)}`,
            'Try again when that is done.',
            3,
          )
        const { report } = build
        if (!options.dryRun) saveVaultSize(ledger)
        if (report.problems.length > 0) exit(3)
        if (options.json) return terminal.json(report)
        const would = options.dryRun ? 'would be ' : ''
        for (const name of ['created', 'updated', 'removed'] as const)
          for (const path of report[name].slice(0, 20)) terminal.print(`${name.padEnd(8)} ${path}`)
        for (const { path, reason } of report.problems) terminal.say(`${path}.md: ${reason}. The file was not changed.`)
        for (const { title, reason } of report.model?.refused ?? [])
          terminal.say(`Rejected from the model: ${title}: ${reason}`)
        const stopped = report.model?.stopped
        if (stopped === 'failed' || stopped === 'limit') terminal.say(stoppedText[stopped])
        terminal.say(
          `${plural(report.created.length, 'article')} ${would}created, ${report.updated.length} updated, ${report.removed.length} removed`,
        )
      }),
    )
}

const stoppedText = {
  failed: 'The model failed; a later build tries again. For details: recollect doctor',
  limit: 'The model has not read everything; the next build continues',
}

function addAsk(wiki: Command, { terminal, exit }: CommandContext): void {
  wiki
    .command('ask <question...>')
    .description('Answer a question from articles and sessions, with links')
    .option('--project <project>', 'Only this project (name, identity or folder)')
    .option('--all', 'Print every source that was found, not only the best')
    .option('--file-back', 'Save the answer as an article')
    .option('--raw', 'Print the answer as Markdown')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect wiki ask why do we not retry uploads',
        'recollect wiki ask --file-back "how is a release made?"',
      ),
    )
    .action((words: string[], options: Options & { all?: boolean; fileBack?: boolean; raw?: boolean }) =>
      withLedger(async (app, ledger) => {
        const { askWiki } = await import('../../wiki/ask/ask.ts')
        const { article, ...answer } = await askWiki(wikiContext(app, ledger), words.join(' '), {
          project: projectOption(app, ledger, options.project) ?? null,
          fileBack: options.fileBack ?? false,
          isBrief: !(options.all || options.fileBack || options.raw || options.json),
        })
        const filed = article && (await fileAnswer(app, ledger, article))
        if (!answer.known) exit(1)
        if (filed?.kind === 'busy') exit(3)
        const path = filed?.kind === 'filed' ? filed.path : null
        if (options.json) terminal.json({ ...answer, filed: path })
        else if (options.raw) terminal.print(answer.answer)
        else terminal.print(pageText(answer.answer, { ...terminal, nowMs: app.clock.nowMs() }))
        if (answer.more > 0) terminal.say(`\n${plural(answer.more, 'more source')}: add --all`)
        if (!options.json && !options.raw) sayLinked(terminal, answer.answer)
        // Print the answer even if it could not be saved: a model may have been paid for it.
        if (filed?.kind === 'busy')
          terminal.say(
            `Not saved: the wiki is being built by ${lockOwnerText(filed.owner)}. Ask again when that is done.`,
          )
        else if (path && !options.json) terminal.say(`Saved as ${join(app.layout.vault, `${path}.md`)}`)
      }),
    )
}

async function fileAnswer(app: App, ledger: Ledger, article: Article): Promise<FileAnswerResult> {
  const { fileAnswer } = await import('../../wiki/ask/article.ts')
  return fileAnswer(wikiContext(app, ledger), article)
}

function addLint(wiki: Command, { terminal, exit }: CommandContext): void {
  wiki
    .command('lint')
    .description('Check links, frontmatter, sources and the index')
    .option('--fix', 'Repair what can be repaired without changing your edits')
    .option('--structural-only', 'Do not ask a model about contradictions')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect wiki lint', 'recollect wiki lint --fix', 'recollect wiki lint --json'))
    .action((options: Options & { fix?: boolean; structuralOnly?: boolean }) =>
      withLedger(async (app, ledger) => {
        const [{ lintWiki }, { renderReport }] = await Promise.all([
          import('../../wiki/lint/lint.ts'),
          import('../../wiki/lint/report.ts'),
        ])
        const report = await lintWiki(
          { ...wikiContext(app, ledger), layout: app.layout },
          {
            fix: options.fix ?? false,
            isStructuralOnly: options.structuralOnly ?? false,
            onWait: (owner) => terminal.say(`Waiting for the wiki, locked by ${lockOwnerText(owner)}`),
          },
        )
        if (report.counts.error > 0) exit(1)
        if (options.json) return terminal.json(report)
        terminal.print(pageText(renderReport(report), { ...terminal, nowMs: app.clock.nowMs() }))
      }),
    )
}

/** Includes models only if models.order has one before the heuristic judge. */
function wikiContext(app: App, ledger: Ledger) {
  const { ask, ...context } = app.context(ledger)
  const { clock, zone, machine } = app
  return { ledger, clock, zone, machine, ...(modelsMayJudge(context) ? { ask } : {}) }
}

function existingArticles(ledger: Ledger): ArticleRow[] {
  return articleRows(ledger).filter(({ path }) => existsSync(join(ledger.layout.vault, `${path}.md`)))
}

function articleNamed(ledger: Ledger, name: string): ArticleRow {
  const rows = existingArticles(ledger)
  const wanted = slugKey(name.replace(/\.md$/, ''))
  const isCalled = (...names: string[]) => names.some((each) => slugKey(each) === wanted)
  const found =
    rows.find(({ path }) => isCalled(path, path.replace(/^wiki\//, ''), path.replace(/^.*\//, ''))) ??
    rows.find(({ title }) => isCalled(title))
  if (found) return found
  const suggestion = nearest(
    name,
    rows.map(({ path }) => path.replace(/^.*\//, '')),
  )
  throw new UserError(
    `No article "${name}"`,
    suggestion ? `Did you mean ${suggestion}?` : 'To list articles: recollect wiki',
    1,
  )
}

/** Reads a page of the vault without section markers. */
export function readPage(app: App, path: string): string {
  const file = join(app.layout.vault, `${path}.md`)
  if (!existsSync(file)) throw new UserError(`No such file: ${file}`, 'To list articles: recollect wiki', 1)
  return readFileSync(file, 'utf8').replace(/^<!-- \/?recollect:.*-->\r?\n/gm, '')
}

function articleJson({ path, kind, project, topic, title, summary, head }: ArticleRow) {
  return {
    path,
    kind,
    project,
    topic,
    title,
    summary,
    ...pick(head, ['aliases', 'tags', 'sources', 'created', 'updated']),
  }
}

function pick(from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
}

/** What is missing for an article. */
function noArticles(ledger: Ledger, project: string | undefined): string {
  const { candidates } = countWaiting(ledger, project)
  const { kept } = countMemories(ledger)
  const lines = [
    'No articles yet: they are built from confirmed memories, at least two of a project.',
    ...(candidates > 0 ? [`${plural(candidates, 'candidate')} to confirm: recollect memories review`] : []),
    ...(kept > 1 ? ['Sweeps build them once an hour. To build them now: recollect wiki build'] : []),
  ]
  return lines.join('\n')
}

/** By project: the title of each article, and below it what it says. */
function articleList(ledger: Ledger, rows: readonly ArticleRow[], { columns, style }: Terminal): string {
  const names = projectNames(ledger)
  const projectOf = ({ project }: ArticleRow) => (project === null ? '' : (names.get(project) ?? project))
  const groups = [...Map.groupBy(rows, projectOf)].sort(([a], [b]) => (a < b ? -1 : 1))
  return groups
    .map(([project, articles]) => {
      const lines = articles.flatMap((row) => [
        `  ${titleLine(row)}`,
        ...wrapText(unescapeMarkdown(row.summary), Math.min(columns, maxColumns) - 4).map((line) => `    ${line}`),
      ])
      return [style.bold(project || 'Every project'), ...lines].join('\n')
    })
    .join('\n\n')
}

/** With the name of the file if it cannot be told from the title. */
function titleLine({ path, title }: ArticleRow): string {
  const name = path.replace(/^wiki\/(?:concepts\/)?/, '')
  return slugKey(slugOf(title)) === slugKey(name) ? title : `${title} (${name})`
}

function sayLinked(terminal: Terminal, markdown: string): void {
  const names = linkedArticles(markdown)
  if (names.length > 0)
    terminal.say(
      `\nTo open a linked article: ${names.length === 1 ? ownCommand('wiki', 'show', names[0]!) : 'recollect wiki show <name>'}`,
    )
}
