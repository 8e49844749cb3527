import { type Command, Option } from 'commander'
import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import { reviewText } from '../../patterns/describe.ts'
import type { ReviewContext } from '../../patterns/review/context.ts'
import type { PracticeDraft } from '../../patterns/review/draft.ts'
import type { ReviewItem } from '../../patterns/review/queue.ts'
import { resolveId } from '../../patterns/review/resolve-id.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listReviews } from '../../store/patterns/practices.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { type CommandContext, examples, withLedger } from '../command.ts'
import { cardText, reviewLine } from './pattern-text.ts'
import { addPractices } from './practices.ts'
import type { Reviewer } from './review-loop.ts'

interface Options {
  list?: boolean
  decided?: boolean
  approve?: boolean
  reject?: boolean
  later?: boolean
  title?: string
  rule?: string
  note?: string
  json?: boolean
}

export function addPatternsReview(patterns: Command, cli: CommandContext): void {
  const { terminal, exit } = cli
  patterns
    .command('review')
    .description('Approve, reject, edit or postpone detected patterns')
    .argument('[id]', 'Id of a pattern (default: all, one after the other)')
    .option('--list', 'List the patterns to review without asking')
    .option('--decided', 'List the decisions, the latest first')
    .addOption(new Option('--approve', 'Approve it as a practice').conflicts(['reject', 'later']))
    .addOption(new Option('--reject', 'Reject it until its evidence changes').conflicts(['later']))
    .option('--later', 'Ask again in two weeks')
    .option('--title <text>', 'Title of the practice')
    .option('--rule <text>', 'Rule of the practice')
    .option('--note <text>', 'Reason')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect patterns review',
        'recollect patterns review --list --json',
        'recollect patterns review p-3f2a --approve --rule "Run the tests first."',
        'recollect patterns review p-3f2a --reject --note "that is how we work"',
        'recollect patterns review --decided',
        'recollect patterns undo p-3f2a',
      ),
    )
    .action((id: string | undefined, options: Options) =>
      withLedger(async (app, ledger) => {
        checkOptions(id, options)
        if (options.decided) return printDecided(app, ledger, cli, options)
        const context: ReviewContext = { ledger, clock: app.clock, zone: app.zone }
        const all = await cardsOf(context, cli)
        if (id !== undefined && (options.approve || options.reject || options.later))
          return decideOne(context, cli, cardNamed(all, id), options)
        const waiting = all.filter(({ standing }) => standing.kind === 'waiting')
        const cards = id === undefined ? waiting : [cardNamed(all, id)]
        if (cards.length === 0) exit(1)
        if (options.json) return terminal.json(cards.map(cardJson))
        if (cards.length === 0) return terminal.say('No pattern to review. To find more: recollect patterns detect')
        const showing = { ...terminal, zone: app.zone, names: projectNames(ledger) }
        if (!options.list && process.stdin.isTTY && process.stderr.isTTY) {
          const { reviewPatterns } = await import('./review-loop.ts')
          const done = await reviewPatterns(cards, await reviewerFor(app, context, cli), terminal, showing)
          terminal.say(`${done.approved} approved, ${done.rejected} rejected, ${done.later} later, ${done.left} left.`)
          if (done.approved > 0) terminal.say('To publish to your agents: recollect patterns publish')
          return
        }
        for (const card of cards) terminal.print(`${cardText(card, showing)}\n`)
        terminal.say('To decide: recollect patterns review <id> --approve|--reject|--later')
      }),
    )
  addUndoDecision(patterns, cli)
  addPractices(patterns, cli)
}

function addUndoDecision(patterns: Command, { terminal }: CommandContext): void {
  patterns
    .command('undo')
    .description('Undo the last decision, or the last about a pattern')
    .argument('[id]', 'Id of a pattern or practice')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect patterns undo', 'recollect patterns undo p-3f2a'))
    .action((id: string | undefined, options: { json?: boolean }) =>
      withLedger(async ({ clock, zone }, ledger) => {
        const { undoDecision } = await import('../../patterns/review/decide.ts')
        const undone = await undoDecision({ ledger, clock, zone }, id)
        if (options.json) return terminal.json(undone)
        terminal.say(`Undone: ${undone.pattern} ${reviewText(undone, zone)}`)
      }),
    )
}

function checkOptions(id: string | undefined, { approve, reject, later, rule, title, note }: Options): void {
  const isDeciding = Boolean(approve || reject || later)
  if (isDeciding && id === undefined)
    throw new UserError('Missing pattern id', 'For example: recollect patterns review p-3f2a --approve')
  if ((rule !== undefined || title !== undefined) && !approve)
    throw new UserError('--rule and --title only work with --approve', 'Add --approve.')
  if (note !== undefined && !isDeciding)
    throw new UserError('--note only works with a decision', 'Add --approve, --reject or --later.')
  if (rule?.trim() === '' || title?.trim() === '')
    throw new UserError('The title and the rule of a practice must not be empty', 'Give some text.')
}

async function cardsOf(context: ReviewContext, { terminal }: CommandContext): Promise<ReviewItem[]> {
  const [{ refreshCatalogue: settleCatalogue }, { reviewItems: reviewCards }] = await Promise.all([
    import('../../patterns/review/refresh-catalogue.ts'),
    import('../../patterns/review/queue.ts'),
  ])
  const { practices, problems } = await settleCatalogue(context)
  for (const { file, line, reason } of problems) terminal.say(`${file}:${line}: ${reason}`)
  return reviewCards(context, practices)
}

function cardNamed(cards: readonly ReviewItem[], name: string): ReviewItem {
  const ids = cards.map(({ pattern }) => pattern.id)
  const id = resolveId(name, ids)
  return cards.find(({ pattern }) => pattern.id === id)!
}

function cardJson({ pattern, standing, draft, warnings }: ReviewItem) {
  return {
    ...pattern,
    standing: standing.kind,
    again: standing.kind === 'waiting' ? standing.again : null,
    draft,
    warnings,
  }
}

async function decideOne(
  context: ReviewContext,
  { terminal }: CommandContext,
  card: ReviewItem,
  options: Options,
): Promise<void> {
  const { approvePattern: approve, declinePattern: putOff } = await import('../../patterns/review/decide.ts')
  const { pattern } = card
  if (!options.approve) {
    const verdict = options.reject ? 'rejected' : 'later'
    await putOff(context, pattern, verdict, { note: options.note })
    if (options.json) return terminal.json({ id: pattern.id, verdict })
    return terminal.say(
      `${pattern.id} is ${verdict === 'later' ? 'postponed' : verdict}. To undo: recollect patterns undo`,
    )
  }
  const draft: PracticeDraft = {
    ...card.draft,
    ...(options.rule === undefined ? {} : { rule: options.rule.trim() }),
    ...(options.title === undefined ? {} : { title: options.title.trim() }),
  }
  const practice = await approve(context, pattern, draft, { note: options.note })
  if (options.json) return terminal.json({ id: pattern.id, verdict: 'approved', practice, warnings: card.warnings })
  terminal.print(`${practice.path}.md`)
  for (const { text } of card.warnings) terminal.say(`! ${text}`)
  terminal.say(`${pattern.id} is now a practice. To publish it to your agents: recollect patterns publish`)
}

function printDecided(app: App, ledger: Ledger, { terminal, exit }: CommandContext, { json }: Options): void {
  const reviews = listReviews(ledger)
  if (reviews.length === 0) exit(1)
  if (json) return terminal.json(reviews)
  if (reviews.length === 0) return terminal.say('No decisions yet.')
  terminal.print(reviews.map((review) => reviewLine(review, app.zone)).join('\n'))
  terminal.say(`${plural(reviews.length, 'decision')}. To undo one: recollect patterns undo <id>`)
}

async function reviewerFor(app: App, context: ReviewContext, { terminal }: CommandContext): Promise<Reviewer> {
  const [{ approvePattern: approve, declinePattern: putOff }, { withWarnings }, { refreshCatalogue: settleCatalogue }] =
    await Promise.all([
      import('../../patterns/review/decide.ts'),
      import('../../patterns/review/queue.ts'),
      import('../../patterns/review/refresh-catalogue.ts'),
    ])
  return {
    ask: async (question) => (await import('../prompts.ts')).answerOrEnd(question),
    look: async (card) => withWarnings(context, card, (await settleCatalogue(context)).practices),
    approve: async ({ pattern, draft }) => `${(await approve(context, pattern, draft)).path}.md`,
    putOff: ({ pattern }, verdict, note) => putOff(context, pattern, verdict, { note }),
    async edit({ pattern, draft }) {
      const [{ editText }, { renderDraft: draftFile, parseDraft: draftIn }] = await Promise.all([
        import('../prompts.ts'),
        import('../../patterns/review/draft.ts'),
      ])
      const text = await draftFile(context.ledger.layout, pattern, draft)
      return draftIn(editText(app, 'practice.md', text))
    },
    async open(example) {
      const [{ Command }, { addShow }] = await Promise.all([import('commander'), import('../sessions/show.ts')])
      const program = new Command('recollect').exitOverride()
      addShow({ program, terminal, exit: () => {} })
      await program.parseAsync(['show', example], { from: 'user' })
    },
  }
}
