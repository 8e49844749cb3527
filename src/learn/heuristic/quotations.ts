// Finds sentences in which the user repeats what a document, a page or a program says. They are not
// rules of the user: a file can say anything, and repeating it is no request to follow it.
import { plainForm, type Sentence } from './sentences.ts'

/** Number of sentences after a colon that count as quoted. */
const maxQuoted = 10

export function findQuotations(prompt: string, sentences: readonly Sentence[]): Set<Sentence> {
  const quoted = new Set<Sentence>()
  // The colon that introduces the quotation, and how many sentences may follow it.
  let open: { colon: number; isAtEnd: boolean; left: number } | undefined
  let behind = 0
  for (const sentence of sentences) {
    const opening = openingIn(prompt, behind, sentence.start)
    behind = sentence.end
    if (opening) open = { colon: sentence.start, isAtEnd: true, left: maxQuoted }
    if (isReport(sentence.plain)) {
      quoted.add(sentence)
      const hasColon = sentence.plain.includes(':')
      open = hasColon ? { colon: sentence.end, isAtEnd: /:\W*$/.test(sentence.plain), left: maxQuoted } : undefined
      continue
    }
    if (!open) continue
    const isInNextParagraph = /\n\s*\n/.test(prompt.slice(open.colon, sentence.start))
    if (ownSpeech.test(sentence.plain) || open.left === 0 || (isInNextParagraph && !open.isAtEnd)) open = undefined
    else {
      open.left--
      quoted.add(sentence)
    }
  }
  return quoted
}

/** A line such as "The README says:" is no sentence of the user, so it is between two of them. */
function openingIn(prompt: string, from: number, to: number): boolean {
  const line = prompt
    .slice(Math.max(from, to - 300), to)
    .replace(/[\s>*•-]+$/, '')
    .split('\n')
    .at(-1)!
  return line.endsWith(':') && isReport(plainForm(line))
}

function isReport(plain: string): boolean {
  const found = reported.exec(plain)
  const rest = found ? plain.slice(found.index + found[0].length) : ''
  if (found && /\w|:/.test(rest)) return !contrast.test(rest) && !obeyed.test(plain.slice(0, found.index))
  return (
    excerpt.test(plain) ||
    handsOver.test(plain) ||
    (accordingTo.test(plain) && demand.test(plain) && !contrast.test(plain))
  )
}

const source =
  '(?:docs?|documentation|readme|manual|guide|handbook|spec|specification|wiki|page|article|blog|post|tutorial|book|changelog|file|comment|template|website|site|ticket|issue|linter|compiler|lint|eslint|error|warning|message|log|output|tool|bot|PATH|DOC|URL)'

const reported = new RegExp(
  String.raw`\b${source}(?: (?!(?:and|or|but|so|because|which|that|who|must|should|can|could|will|would|may|to|always|never|with)\b)[\w-]+){0,4}? (?:says?|said|states?|stated|claims?|claimed|complains?|reports?|suggests?|recommends?|tells?|told|puts it)\b` +
    String.raw`|\bit (?:says?|said|states?)\b|\bsays (?:here|there)\b`,
)

const excerpt = new RegExp(
  String.raw`^(?:(?:quoted?|excerpt|copied|pasted|taken)\b.{0,20}\b)?(?:from|in) (?:the |its |our |their |this |that )?(?:[\w-]+ ){0,2}${source}\b[^:]{0,30}:|^(?:the )?(?:readme|manual|handbook) ?:`,
)

/** "Here are the rules of the other project:" introduces rules of others. */
const handsOver =
  /^(?:here(?:'s| is| are)|this is|these are|below (?:is|are)|i (?:found|copied|pasted)|from)\b(?!.*\b(?:our|my|we|i want|i'd)\b).{0,60}\b(?:rules|guidelines?|style ?guide|conventions?|policy|policies|contributing|readme|docs|documentation|instructions|handbook)\b.{0,40}\b(?:of|from|in|at|by)\b.{0,60}:/

const accordingTo = new RegExp(
  String.raw`\baccording to (?:the |its |our |their |this |that )?(?:[\w-]+ ){0,2}${source}\b`,
)
const demand = /\b(?:always|never|must|mustn't|should|shouldn't|don't|do not|has to|have to)\b/

/** The user goes on with a statement of their own. */
const contrast = /\b(?:but|however|though|although|yet|instead|wrong|outdated|ignore)\b/
/** "Do what the README says". */
const obeyed = /\b(?:do|does|follow|obey|respect|stick to|exactly|just)\b.{0,20}\b(?:what|as|whatever|how)\b/
const ownSpeech = /\b(?:i|i'm|i'd|i've|we|we're|our|my|please|let's|can you|could you|you)\b|\?\W*$/
