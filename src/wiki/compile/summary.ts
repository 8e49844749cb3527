// The summary of an article in one line: how many rules, decisions and traps it has and what they are
// about. The only statement of an article is its summary.
import { plural } from '../../core/units.ts'
import { escapeMarkdown } from '../../text/markdown.ts'
import { ellipsize } from '../../text/truncate.ts'
import { maxSummaryLength } from '../article.ts'
import { type ArticleStatements, settledBySection } from './sections.ts'
import { mainSentence, statementWords } from './statement-text.ts'
import { subjectLabels } from './subject-labels.ts'
import { isTrap, type Succession } from './successions.ts'

interface PageContent {
  /** What the page tells itself. */
  successions: readonly Succession[]
  /** Names that say nothing on this page: of the project and of the topic. */
  names: readonly string[]
  /** Titles of the pages below it. */
  topics?: readonly string[]
}

export function summaryOf({ successions, names, topics = [] }: PageContent): string {
  const [only] = successions
  if (only && successions.length === 1 && topics.length === 0) return pointOf(only)
  for (let max = maxLabels; ; max--) {
    const summary = countsText(successions, names, topics, max)
    if (summary.length <= maxSummaryLength || max === 0) return ellipsize(summary, maxSummaryLength)
  }
}

/** Subjects of rules, and of decisions. */
const maxLabels = 5

/** `3 rules (tests, commits, …), 2 decisions (cache, retries), 1 trap; 1 topic: Releases` */
function countsText(
  successions: readonly Succession[],
  names: readonly string[],
  topics: readonly string[],
  max: number,
): string {
  const bySection = settledBySection(successions)
  const used = new Set<string>()
  const parts = (Object.keys(nouns) as ArticleStatements[]).flatMap((section) => {
    const all = bySection.get(section) ?? []
    if (all.length === 0) return []
    const isNamed = section === 'rules' || section === 'decisions'
    const labels = isNamed ? subjectLabels(all, { names, used, max }) : []
    const dots = labels.length < all.length ? ', …' : ''
    const [one, many] = nouns[section]
    const count = plural(all.length, one, many)
    return labels.length === 0 ? count : `${count} (${labels.join(', ')}${dots})`
  })
  const open = successions.length - [...bySection.values()].flat().length
  if (open > 0) parts.push(plural(open, 'open question'))
  const pages = topics.length === 0 ? '' : `${plural(topics.length, 'topic')}: ${topics.join(', ')}`
  return [escapeMarkdown(parts.join(', '), 1000), escapeMarkdown(pages, 1000)].filter(Boolean).join('; ')
}

const nouns: Readonly<Record<ArticleStatements, [one: string, many: string]>> = {
  rules: ['rule', 'rules'],
  decisions: ['decision', 'decisions'],
  traps: ['trap', 'traps'],
  running: ['note on how to run', 'notes on how to run'],
  knowledge: ['fact', 'facts'],
  doubtful: ['doubtful statement', 'doubtful statements'],
}

/** The statement itself. */
function pointOf({ memory }: Succession): string {
  // The fix of a trap is in a sentence of its own.
  const isShort = isTrap(memory) && memory.text.length <= maxPoint
  const sentence = isShort ? memory.text : mainSentence(memory.text)
  return statementWords({ ...memory, text: ellipsize(sentence, maxPoint) }, maxSummaryLength)
}

/** Leaves room to say whose words they are. */
const maxPoint = maxSummaryLength - 50
