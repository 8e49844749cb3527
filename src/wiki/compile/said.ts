// The text of a memory as it is read on a page: what the talk began with apart from what was ruled, and the sentence that says it.
import { splitSentences } from '../../text/sentences.ts'

export interface Said {
  /** What the talk began with; '' where the text does not say. */
  about: string
  says: string
}

/** The heuristic judge writes `names - what it began with: what was ruled`; whatever else wrote a text, it is all ruling. */
export function saidIn(text: string): Said {
  const names = namesBefore.exec(text)?.[0] ?? ''
  const rest = text.slice(names.length)
  if (names.endsWith(': ')) return { about: '', says: rest }
  const end = openingEnd(rest, names !== '')
  if (end === undefined) return { about: '', says: rest }
  const about = rest.slice(0, end)
  return { about: end === longestOpening ? about.replace(/\s+\S*$/, ' …') : about, says: rest.slice(end + 2) }
}

const name = String.raw`(?:[a-z]\w*_\w+|[A-Z][a-z0-9]+[A-Z]\w*|[a-z]+[A-Z]\w*|[\w-]+\.(?:py|ts|go|js|rs|md|toml|json|ya?ml)|__\w+__\.py)`
const namesBefore = new RegExp(`^${name}(?:, ${name}){0,2}(?: - |: )`)
/** Where the judge cuts what a talk began with. */
const longestOpening = 250

function openingEnd(rest: string, hasNames: boolean): number | undefined {
  const sentence = /[.!?)'"`]: /.exec(rest.slice(0, longestOpening + 2))
  if (sentence && rest.length > sentence.index + 3) return sentence.index + 1
  return hasNames && rest.startsWith(': ', longestOpening) ? longestOpening : undefined
}

/** The sentence that tells most: it rules, names, counts, and can be read alone. */
export function gistIn(text: string, max: number): string {
  const offered = [...text.matchAll(/\[agent: ([^\]]*)\]/g)].map((match) => match[1]!).join(' ')
  const own = bestOf(text.replace(/\[agent: [^\]]*\]/g, ' '), max)
  const agreed = bestOf(offered, max)
  if (own && (!agreed || own.score + 1 >= agreed.score)) return own.sentence
  // Whoever only agrees has said what the agent had offered.
  return agreed ? `Agreed: ${agreed.sentence}` : text
}

interface Scored {
  sentence: string
  score: number
}

function bestOf(text: string, max: number): Scored | undefined {
  return splitSentences(text)
    .map((sentence, place) => ({
      sentence: sentence.replace(opener, '').replace(/^\p{Ll}(?=\p{Ll}*[ ,'])/u, (letter) => letter.toUpperCase()),
      score: tellingOf(sentence, max) - 0.1 * place,
    }))
    .sort((a, b) => b.score - a.score)[0]
}

const opener =
  /^(?:(?:yes|yeah|no|nope|right|exactly|correct|okay|ok|sure|so|and|but|well|oh|ah|hey|also|actually)\b(?:[,.!]\s+|\s*[-–—]\s+))+/i

function tellingOf(sentence: string, max: number): number {
  const rules = sentence.match(ruling)?.length ?? 0
  const names = sentence.match(/`[^`]+`|\b\w+_\w+\b|\b\d[\w.]*\b|\b[a-z]+[A-Z]\w*/g)?.length ?? 0
  const bare = sentence.replace(opener, '')
  return (
    2 * Math.min(rules, 3) +
    Math.min(bare.length, 160) / 60 +
    Math.min(names, 3) -
    (/\?\s*$/.test(sentence) ? 4 : 0) -
    (leaning.test(bare) ? 3 : 0) -
    (telling.test(bare) || asking.test(bare) || past.test(bare) ? 3 : 0) -
    (bare.length < 25 ? 4 : bare.length > max ? 2 : 0)
  )
}

const ruling =
  /\b(?:must|always|never|only|exactly|not|no|instead|because|should|stays?|keep|use|drop|reject|raise|ignore|first|before|after|default|means|cannot|don't|won't)\b/gi
const asking = /^(?:please|can|could|implement|fix|add|update|let's|commit|merge|review|look at)\b/i
const past = /\b(?:tried|last (?:week|month|quarter|year)|yesterday)\b/i
/** A person tells of themselves. */
const telling = /^(?:i|i'm|i've|i was|my|we were|we had|before)\b/i
const leaning = /^(?:that|it|this|those|these|they|he|she|which|i'll|i'd|let me|thanks|hm+|makes sense)\b/i
