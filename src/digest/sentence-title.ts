// Turns one sentence into a title: without courtesies, greetings and what was pasted into it, and
// with a weight that tells how much it says about the work.
import { contentWords } from '../text/content-words.ts'
import { oneLine } from '../text/truncate.ts'
import { isHealthCheck, saysNothing, speechAct } from './classify-prompt.ts'
import { refersBack, shortenTitle } from './shorten-title.ts'

export interface PromptTitle {
  text: string
  /** From 0 (nothing to go by, "do that") to 1 (says what is to be done). */
  weight: number
  clarity: Clarity
  /** Output of a program that was pasted. */
  isLog?: boolean
}

/**
 * - clear: says completely what is to be done
 * - cut: what was left out may matter
 * - unclear: breaks off, asks, tells how things are, or was pasted
 */
export type Clarity = 'clear' | 'cut' | 'unclear'

export const noTitle: PromptTitle = { text: '', weight: 0, clarity: 'unclear' }

export function titleOfSentence(sentence: string): PromptTitle {
  // What follows a box or a wide gap was pasted from a terminal.
  const said = sentence.replace(/\s*(?:[│┃┌└├╭╰━─═╌]| {3,}\S)[\s\S]*$/, '')
  const introduces = introducesMore(said)
  const own = withoutCourtesy(oneLine(shortUrls(said)))
  const isQuoted = quotes.test(own)
  const { text, isWhole } = shortenTitle(own.replace(quotes, '').replace(recommends, ''))
  if (
    text === '' ||
    /^<[^<>]*>$/.test(text) ||
    isHealthCheck(text) ||
    saysNothing(text) ||
    speechAct(text) === 'approval'
  )
    return noTitle
  if (role.test(text)) return { text: text.replace(role, ''), weight: roleWeight, clarity: 'unclear' }
  // "can you take a look at:" only introduces what follows.
  if (introduces && own.length < 60) return { text, weight: 0.15, clarity: 'unclear' }
  const weight = weightOf(text, said) * (isQuoted ? quotedFactor : 1)
  const isOwn = !isQuoted && !introduces && said === sentence
  const isQuestion = interrogative.test(text) || (/[?？]$/.test(text) && !asksFor.test(said))
  const clarity = !isOwn || isQuestion || isUnclear(text) ? 'unclear' : isWhole ? 'clear' : 'cut'
  if (!isLogLine(own)) return { text, weight, clarity }
  return {
    text: shortenTitle(messageOf(own)).text,
    weight: Math.min(weight, logWeight),
    clarity: 'unclear',
    isLog: true,
  }
}

/** Whether a sentence only says that something follows: "Two things are missing:" */
export function introducesMore(sentence: string): boolean {
  return /[:：]\s*$/.test(sentence)
}

/** Text that was pasted says less than the person's own words. */
export const quotedFactor = 0.6

/** Tells how things are, has an opinion, breaks off, or consists of a reference. */
function isUnclear(text: string): boolean {
  return [narrates, muses, swears, fragment].some((pattern) => pattern.test(text))
}

const fragment = /^\S+$|^\(|…|\s(?:the|an?|of|to|and|or|with|in|for|that|is|are)$/i

function weightOf(text: string, said: string): number {
  const counted = text.replace(/\S+#\d+|\b[\w-]+(?:\.[\w-]+)+\/\S*/g, 'reference')
  const words = topicWords(counted)
  const isNamed = /[`"'#/_]|\.\w{1,4}\b|[a-z][A-Z]/.test(text)
  const size = words.size + (isNamed ? 1 : 0)
  const weight = size === 0 ? 0 : Math.min(1, 0.1 + 0.2 * size)
  if (isFollowUp.test(text) || resumes.test(text)) return Math.min(weight, 0.15 + 0.1 * words.size)
  if (forbids.test(text)) return weight * 0.6
  const isAside =
    (words.size <= 4 && !namesFile.test(text) && refersBack.test(text)) || muses.test(text) || goesOn.test(said.trim())
  return isAside ? weight * 0.6 : weight
}

/** The words that say what a text is about. */
export function topicWords(text: string): Set<string> {
  return new Set(contentWords(text).filter((word) => !vague.has(word)))
}

/** A line of a program's output outside of a block of them: `npm failed (exit 1): Error: no such file`. */
export function isLogLine(line: string): boolean {
  const marks = line.match(/\S: /g)?.length ?? 0
  return logStart.test(line) || (marks >= 2 && /\b(?:error|failed|exception|exit(?:ed)?|denied)\b/i.test(line))
}

/** The last message of a chain: `build failed: Error: no such file` becomes `no such file`. */
function messageOf(line: string): string {
  const message = /^.*\b(?:error|failed|failure|fatal|exception)\b[^:\s]*: (?=.{12})/i.exec(line)?.[0]
  return message === undefined ? line : line.slice(message.length)
}

const logStart =
  /^(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|fatal|panic|Traceback|npm (?:ERR!|error))\b[: ]|^[\w ]{3,40}: \/\S+$|^[A-Z][\w ]{1,20}: (?:[0-9a-f]{7,40}\b|https?:|#?\d+\b)|^\S+@\S+ \S+ [%$#] |^File "[^"]+", line \d+|^\s*at \S+ \(\S+:\d+/
/** A log says what happened, not what to do about it. */
export const logWeight = 0.5

/** Hands over something pasted: "take a look at: The parser never …". */
export const quotes =
  /^(?:(?:take|have) a (?:quick |critical )?look at|look (?:at|into)|check|see|review|address|consider|regarding|about|what about)(?: this| the following| these)?\s*[:：]\s+(?=\p{Lu}|["'`“])/u

/** Words of a review before what it recommends. */
export const recommends = /^(?:consider|(?:we|i)(?:'d| would)? (?:recommend|suggest))\s+(?=\w+ing\b)/i

/** Says how the agent should see itself; a title only where no task is said. */
const role = /^(?:you are|you're|act as|as) (?:a|an|the|now|my|our|working)\b\s*/i
const roleWeight = 0.3

/** A question by its form, though something is wanted: "can you add a clock?" */
const asksFor = /\b(?:can|could|would|will) (?:you|we|u)\b|\bplease\b|\blet'?s\b/i

/** Asks instead of telling. */
const interrogative =
  /^(?:what|why|how|where|when|who|which|whether|is|are|was|were|does|did|can|could|should|would|has|do (?:i|we|you|they|the|these|those)|any (?:idea|chance|reason))\b/i

/** An angry remark is about what the agent did, not about the task. */
const swears = /\b(?:omf?g|wtf|ffs|fuck\w*|shit|bullshit|damn)\b/i

/** A rule about how to work. */
const forbids = /^(?:do not|don'?t|never|always)\b/i

const namesFile = /[\w-]\.[a-z]{1,4}\b|`[^`]+`|\b[A-Z_]{4,}\.\w+/

/** Needs the message before it to be understood. */
const isFollowUp =
  /^(?:(?:(?:ok(?:ay)?|yes|yeah|yep|no|sure|then|and|but|so|now|also|just|lets?|let's|please|go|try)[,.!]?\s+)*)(?:do|fix|make|try|use|add|remove|delete|commit|push|merge|run|apply|update|check|keep|close|open|finish|continue|proceed|go|it|that|this|those|these|them|both|all|option|the (?:first|second|last|same|other)|where (?:it|you|we) left off|yes|no|ok(?:ay)?|why|what|how|where|when|are you|did you|can you|is|was|does|did)(?:\s+(?:it|that|this|those|these|them|both|all|everything|again|ahead|on|now|please|for me|then|so|\d+|[a-d]))*[\s.,!?]*(?:$|(?:to|in|with|from|for|and|as) )/i

/** Goes on with something that is not named. */
const resumes = /^(?:continue|resume|go on|carry on|pick (?:it |this )?up|keep going)\b[^`/#]*$/i

/** An opinion or an aside on the way, not a task. */
const muses =
  /^(?:(?:it|this|that|they|these|those)\b(?! (?:\w+ )?test)|i (?:mean|guess|think|thought|suppose|assume|believe|wonder|feel)|i'm (?:wondering|thinking|not sure|guessing)|not sure|maybe|perhaps|at this (?:point|juncture)|slight steering|it seems|it looks|looks like|seems like|my (?:point|question) is)\b/i

/** Tells how things are, or a rule; what is wanted follows. */
export const narrates =
  /^(?:i(?:'ve| have)? (?:noticed|just|got|get|have|had|see|saw|am seeing|am (?:running|getting|testing))|i'm (?:getting|seeing|testing|working|running)|we (?:currently|now have|have|had|removed|added|changed)|currently|seeing|there(?:'s| is| are)|when (?:i|we|you|\w+ing)\b|in (?:pr|the pr)\b|.*\b(?:always use|never use|from now on)\b)/i

/** Goes on with the message before it. */
const goesOn = /^(?:then|and|but|or|dann|und|aber|oder|puis|entonces|also then)\b/i

/** Words that say nothing about the work. */
const vague = new Set(
  contentWords(
    `ok okay yes yeah yep sure thing things stuff something anything everything way bit try please help need want like
    think know see look check go going get make do did work good better best right wrong sorry guess maybe actually
    really still ahead continue proceed start finish issue problem question file code change changes hello hi hey`,
  ),
)

const courtesy =
  /^(?:(?:[A-Z]|\d{1,2})[).]\s+|(?:ok(?:ay)?|yes|yeah|yep|sure|alright|right|great|cool|nice|thanks?(?: you)?|hi|hello|hey(?: claude| codex)?|hmm+|mm+|ah|oh|well|so|now|then|and|also|sorry|actually|btw|first|next|finally|quick question|one more thing)(?:[,.!:;…—–-]+\s*|\s+(?=(?:can|could|would|please|let|i|we|the|what|how|why|also|now|then|so)\b))|(?:please|pls|plz|kindly|bitte|also)[,\s]+|(?:can|could|would|will) (?:you|we|u)(?: please| pls| also| just| maybe)?\s+(?!you\b|we\b)|i(?:'d| would) like (?:you )?to\s+|i want (?:you )?to\s+|i need (?:you )?to\s+|let'?s\s+(?:now\s+|just\s+)?|(?:kannst|könntest) du(?: bitte)?\s+|puedes\s+|peux-tu\s+|(?:take|have) a look at\s+(?=\w)|my (?:dude|man|friend)[,\s]+)/i

function withoutCourtesy(sentence: string): string {
  let rest = sentence.trim()
  for (let next = rest.replace(courtesy, ''); next !== rest; next = rest.replace(courtesy, '')) rest = next.trim()
  return rest
}

/** `https://github.com/owner/name/issues/12` becomes `owner/name#12`, another address its end. */
function shortUrls(text: string): string {
  return text
    .replace(
      /https?:\/\/(?:www\.)?git(?:hub|lab)\.[\w.]+\/([\w.-]+\/[\w.-]+)\/(?:-\/)?(?:issues|pull|merge_requests)\/(\d+)[^\s)\]]*/g,
      '$1#$2',
    )
    .replace(/https?:\/\/(?:www\.)?([^\s)\]]{1,40})[^\s)\]]*/g, (_, start: string) => start.replace(/[/?#]+$/, ''))
}
