// Recognises subjects that people mention without naming a file, and ignores tags without a
// subject.
import { stem } from '../../text/stem.ts'
import { oneLine } from '../../text/truncate.ts'

interface TopicSubject {
  key: string
  title: string
}

/** Subjects with the words that indicate them. */
const table: readonly [title: string, words: string][] = [
  ['Authentication', 'authentication login logout signin oauth sso password jwt'],
  ['Authorization', 'authorization permission role'],
  ['Backups', 'backup restore snapshot'],
  ['Billing', 'billing invoice subscription coupon refund'],
  ['Caching', 'cache caching'],
  ['Continuous integration', 'ci pipeline workflow'],
  ['Containers', 'docker container kubernetes helm compose'],
  ['Database', 'database schema postgres sqlite mysql index'],
  ['Dependencies', 'dependency dependencies lockfile upgrade'],
  ['Deployment', 'deploy deployment rollout staging production'],
  ['Documentation', 'documentation docs readme docstring'],
  ['Email', 'email mail smtp newsletter'],
  ['Error handling', 'exception retry fallback'],
  ['Formatting and linting', 'lint linter formatter prettier eslint ruff biome'],
  ['Git and commits', 'git commit branch rebase'],
  ['Localisation', 'translation locale i18n localisation localization'],
  ['Logging', 'logging logger log'],
  ['Migrations', 'migration migrate'],
  ['Monitoring', 'monitoring metric alert dashboard grafana sentry'],
  ['Packaging', 'packaging wheel bundle bundler'],
  ['Payments', 'payment checkout stripe'],
  ['Performance', 'performance latency throughput benchmark'],
  ['Pull requests', 'pr review reviewer'],
  ['Queues and jobs', 'queue job worker scheduler cron'],
  ['Releases', 'release changelog version tag'],
  ['Search', 'search ranking'],
  ['Security', 'security vulnerability csrf xss secret'],
  ['Tests', 'test tests testing pytest vitest jest fixture coverage'],
  ['Types', 'typing typescript mypy'],
  ['User interface', 'ui button page modal layout theme font colour color css'],
]

const bySubjectWord = new Map(
  table.flatMap(([title, words]) => words.split(' ').map((word) => [stem(word), subject(title)] as const)),
)

/** Counts the subjects in a text. */
export function subjectsIn(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/\p{L}[\p{L}\p{N}]+/gu)) {
    const found = bySubjectWord.get(stemOf(word))
    if (found) counts.set(found.key, (counts.get(found.key) ?? 0) + 1)
  }
  return counts
}

export function subjectTitle(key: string): string | undefined {
  return titles.get(key)
}

const titles = new Map([...bySubjectWord.values()].map(({ key, title }) => [key, title]))

/** A tag as a topic; undefined for those that no page could be about. */
export function tagSubject(tag: string): TopicSubject | undefined {
  const name = oneLine(tag).replace(/^#/, '')
  if (name.length < 2 || name.length > 40 || emptyTags.has(name.toLowerCase()) || noTitle.test(name)) return undefined
  return bySubjectWord.get(stemOf(name.toLowerCase())) ?? { key: `word:${name.toLowerCase()}`, title: name }
}

/** Characters with a meaning in links or headings, comment markers, and bidirectional controls. */
const noTitle = /[<>[\]|`\\\u202a-\u202e\u2066-\u2069]|%%|\$\$/

const emptyTags = new Set(
  `heuristic agreed testing workflow style agent imported user feedback project reference correction preference decision fact debugging
  workaround operational general misc other note notes memory important rule rules convention conventions code coding bug fix todo`.split(
    /\s+/,
  ),
)

function subject(title: string): TopicSubject {
  return { key: `word:${title.toLowerCase()}`, title }
}

/** Cache: texts repeat their words. */
const stems = new Map<string, string>()

function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size > 50_000) stems.clear()
  const found = stem(word)
  stems.set(word, found)
  return found
}
