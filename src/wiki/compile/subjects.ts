// Finds what a statement is about: its nouns and pairs of nouns, as a person would name them.
// Identifiers, paths and code are no subjects. English only; other statements have their tags.
import { foreignCuesOf } from '../../learn/heuristic/languages.ts'
import { isVerb, lightWords, prepositions } from '../../memory/word-classes.ts'
import { irregularForms } from '../../text/irregular.ts'
import { statementStopWords, stopWords } from '../../text/stop-words.ts'
import { conceptOf } from '../../text/synonyms.ts'

export interface Subject {
  /** The same for all forms of the words. */
  key: string
  /** As written. */
  words: string
  /** With the nouns before it: "state machine diagram". Null for a noun before another. */
  phrase: string | null
  /** The statement is about it first of all. */
  isLead: boolean
  /** Surely a noun that stands for itself, not one before another noun or perhaps an adverb. */
  isHead: boolean
}

/** In the order of the text; a pair comes before its nouns. */
export function subjectsIn(text: string): Subject[] {
  // A reason is about something else.
  const prose = text.replace(/`[^`]*`|\bhttps?:\/\/\S+|\b(?:because|otherwise|so that)\b[^.;!?]*/gi, ' , ')
  if (prose.split(/\s+/).length >= minWords && foreignCuesOf(prose.toLowerCase()) !== undefined) return []
  const runs = nounRuns(prose)
  return runs.flatMap((run, at) => subjectsOfRun(run, at === 0))
}

/** The language of fewer words is a guess. */
const minWords = 6

interface NounRun {
  nouns: string[]
  isSure: boolean
  /** The word before it. */
  before: string
  /** Place of its last word. */
  end: number
}

function subjectsOfRun({ nouns, before, isSure }: NounRun, isLead: boolean): Subject[] {
  // A title is in the plural where the statement counts: "one commit per change".
  const run = counting.has(before) ? [...nouns.slice(0, -1), plural(nouns.at(-1)!)] : nouns
  const phrase = run.slice(-maxPhrase).join(' ')
  const isLast = (words: readonly string[]) => words.at(-1) === run.at(-1)
  const subject = (words: readonly string[], isHead: boolean): Subject[] => {
    const key = words.map((word) => conceptOf(word.toLowerCase())).join(' ')
    return words.length === 1 && genericNouns.has(key)
      ? []
      : [{ key, words: words.join(' '), phrase: isLast(words) ? phrase : null, isLead, isHead }]
  }
  const head = run.length - 1
  return [
    ...(run.length >= 2 ? subject(run.slice(-2), isSure) : []),
    ...subject(run.slice(head), isSure),
    ...run.slice(0, head).flatMap((word) => subject([word], false)),
  ]
}

const maxPhrase = 3

/** Nouns that follow each other: "release notes". */
function nounRuns(prose: string): NounRun[] {
  const tokens = prose.match(/[\p{L}\p{N}_][\p{L}\p{N}\p{M}_'’./@-]*[\p{L}\p{N}_]|[\p{L}\p{N}]|[^\s\p{L}\p{N}]/gu) ?? []
  const runs: NounRun[] = []
  let isInside = false
  for (const [at, token] of tokens.entries()) {
    const previous = tokens[at - 1] ?? ''
    const certainty = nounCertainty(token, previous, tokens.slice(at + 1, at + 3))
    const isSure = certainty === 'sure'
    if (certainty === undefined) isInside = false
    else if (isInside) runs.at(-1)!.nouns.push(token)
    else {
      runs.push({ nouns: [token], isSure, before: previous.toLowerCase(), end: at })
      isInside = true
    }
    if (certainty !== undefined) runs.at(-1)!.end = at
  }
  return runs.map((run) => (endsInVerb(run, tokens) ? { ...run, nouns: run.nouns.slice(0, -1) } : run))
}

/** "The hook fires at night": if its clause has no other verb, the last word is the verb. */
function endsInVerb({ nouns, end }: NounRun, tokens: readonly string[]): boolean {
  const isEnd = (token: string) => /^[^\p{L}\p{N}]/u.test(token)
  if (nouns.length < 2 || !/[^s]s$/.test(nouns.at(-1)!) || /^(?:for|of)$/.test(tokens[end + 1] ?? '')) return false
  const from = tokens.slice(0, end).findLastIndex(isEnd) + 1
  const to = tokens.findIndex((token, at) => at > end && isEnd(token))
  const clause = tokens.slice(from, to < 0 ? undefined : to).map((token) => token.toLowerCase())
  const isOwn = (at: number) => from + at > end - nouns.length && from + at <= end
  const isVerbAt = (at: number) => {
    const before = clause[at - 1] ?? ''
    if (articles.has(before) || counting.has(before) || prepositions.has(before)) return false
    return isVerb(clause[at]!, before) || (at === 0 && notNouns.has(clause[0]!))
  }
  const isSubject = [notNouns, lightWords].some((verbs) => verbs.has(tokens[end + 1]?.toLowerCase() ?? ''))
  const isBeforeObject = to !== end + 1 || /^['"“‘]/.test(tokens[to]!)
  return isBeforeObject && !isSubject && !clause.some((_, at) => !isOwn(at) && isVerbAt(at))
}

const counting = new Set(['a', 'an', 'one', 'every', 'each', 'per'])

function plural(noun: string): string {
  if (/s$/i.test(noun)) return noun
  if (/(?:ch|sh|x|z)$/.test(noun)) return `${noun}es`
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

/** Undefined for a word that is no noun. */
function nounCertainty(
  token: string,
  previous: string,
  [next = '', second = '']: string[],
): 'sure' | 'unsure' | undefined {
  const word = token.toLowerCase()
  if (!/^\p{L}[\p{L}\p{M}-]*$/u.test(token) || /\p{Ll}\p{Lu}/u.test(token)) return undefined
  const isAcronym = /^\p{Lu}{2,}s?$/u.test(token)
  if (word.length < 3 && !isAcronym) return undefined
  if (stopWords.has(word) || statementStopWords.has(word) || lightWords.has(word) || prepositions.has(word))
    return undefined
  if (notNouns.has(word) || irregularForms.has(word) || /(?:ly|(?<=\w{3})ed)$/.test(word)) return undefined
  const before = previous.toLowerCase()
  // "Without seeing it", "started seeing it": a verb, other than "the logging" or "logging is on".
  const isClauseStart = !/^[\p{L}\p{N}]/u.test(previous)
  if (/ing$/.test(word) && !isClauseStart && !articles.has(before)) return undefined
  const isAfterNoun = !isClauseStart && ![articles, counting, prepositions].some((some) => some.has(before))
  // "The page shows no label": the verb between a noun and its object.
  if (isAfterNoun && /[^s]s$/.test(word) && articles.has(next.toLowerCase())) return undefined
  // "Rework the parser": an imperative before its object. "A job that writes files": the verb of a relative clause.
  if (isClauseStart && articles.has(next.toLowerCase())) return undefined
  if (relatives.has(before) && /[^s]s$/.test(word)) return undefined
  // A noun follows an article or a preposition even if it could be a verb: "the build", "in tests".
  if (isAcronym || articles.has(before) || counting.has(before) || prepositions.has(before)) return 'sure'
  // "Tests must pass", "commit messages are short": before a verb it is the subject.
  const isSubject = (verb: string) => isVerb(verb.toLowerCase(), word)
  if (isClauseStart && (/s$/.test(word) ? isSubject(next) : /s$/.test(next) && isSubject(second))) return 'sure'
  if (isVerb(word, isClauseStart ? '' : before)) return undefined
  // "The feed sends dates", other than "release builds are slow".
  const verb = adverbs.has(next.toLowerCase()) ? second : next
  if (!isClauseStart && /s$/.test(word) && isVerb(word.slice(0, -1), '') && !isVerb(verb.toLowerCase(), word))
    return undefined
  // "Use pnpm", "it sends dates": the object of a verb.
  return !isClauseStart && isVerb(before.replace(/s$/, ''), '') ? 'sure' : 'unsure'
}

const words = (text: string) => text.trim().split(/\s+/)

const adverbs = new Set(['never', 'always', 'also', 'only', 'still'])

const relatives = new Set(['that', 'which', 'who'])

const articles = new Set(words('the a an our my your their its this that these those every each all any no'))

/** Verbs, adjectives and adverbs that rules are full of. */
const notNouns: ReadonlySet<string> = new Set(
  words(
    `able accept add added allow alone already always another apply ask avoid back bad bare begin best better big both break
    bring broken bump call catch change check clean clear close come common complete convert copy correct create current cut
    decide default define delete different difficult direct disable drop early easy either empty enable end enough ensure
    entire even ever every exact except exist expect explain explicit extra fail fast few fewer final find fix flaky follow
    full generate get give given global good green half handle happen hard help high ignore important include inside
    install internal introduce invalid invent join keep kill large last late latest lead learn least leave less list local
    long look loose lose lot low make manual many match mean merge missing mix more most move much near need never new next
    nobody none normal nothing obvious often old one open own pass pick plain possible prefer present print private public
    push put quick raw read ready real red reject relevant rely remain remove rename render repeat replace reply require
    respect rest restart return right run safe same save say see send separate set several short show silent similar simple stale
    single skip slow small soon sort special split start still stop stable strict strong suggest sure take tell test-only
    three throw together touch transient true try turn twice two unless until update upgrade use used useful usual valid
    verify visible wait want watch weak well while whole wide without work wrap write wrong yes zero`,
  ),
)

/** Too wide for a title of their own; in a pair they are fine: "error messages". */
const genericNouns: ReadonlySet<string> = new Set(
  words(
    `thing way time case part kind type name value number example change line word item place point problem issue reason
    result user person people customer team project repo repository code file folder directory work task step day week
    month year hour minute second version option setting message question answer agent model output input data content text claude codex gemini copilot cursor llm
    system function method class module package library tool command script program app application area side bit lot
    detail information field column row key object element something anything everything somebody everybody one rule
    decision statement fact idea note reader machine page place owner end start top bottom half rest size count
    amount monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december today tomorrow yesterday morning evening night`,
  ).map(conceptOf),
)
