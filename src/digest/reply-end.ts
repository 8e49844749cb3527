// Reads the end of the agent's last reply: whether it asks the person something, and what.
import { withoutEmphasis } from '../text/markdown.ts'
import { splitSentences } from '../text/sentences.ts'
import { ellipsize, oneLine } from '../text/truncate.ts'

export interface ClosingQuestion {
  text: string
  /** Proposes further work ("Want me to push?") instead of asking for a decision. */
  isOffer: boolean
}

/** The question or choice that a reply ends with. */
export function closingQuestion(reply: string): ClosingQuestion | undefined {
  const end = withoutCode(reply).trimEnd().slice(-1200)
  const lines = end
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const place = lines.findLastIndex((line) => asks(line))
  if (place < 0) return listedOptions(lines)
  // Behind the question there may be the options to choose from, or a short remark.
  const after = lines.slice(place + 1)
  const isLast = after.every((line) => listItem.test(line)) || oneLine(after.join(' ')).length <= 120
  if (!isLast) return undefined
  const text = questionIn(lines[place]!)
  if (pleasantry.test(text) || invitation.test(text)) return undefined
  return { text, isOffer: offer.test(text) && !choice.test(text) }
}

/** "Options:" with a list, near the end. */
function listedOptions(lines: string[]): ClosingQuestion | undefined {
  const place = lines.findLastIndex((line) => optionsHeading.test(line))
  if (place < 0) return undefined
  const options = lines.slice(place + 1).filter((line) => listItem.test(line))
  if (options.length < 2) return undefined
  const text = options.slice(0, 4).map(withoutEmphasis)
  return { text: ellipsize(oneLine(`Options: ${text.join(' ')}`), 300), isOffer: false }
}

const optionsHeading =
  /^(?:#+ |\*\*)?(?:your |the |(?:two|three|four) )?(?:options|choices|alternatives)(?: are| from here| now)?:?(?:\*\*)?:?$/i
const listItem = /^(?:[-*•]|\d+[.)]|[A-Za-z][.)]|\*\*)/

function asks(line: string): boolean {
  return /[?？]["'”’)\]*_`]*$/.test(line) || /[?？]["'”’)*_`]*\s+\(?[^?？]{0,100}$/.test(line) || demands.test(line)
}

/** Requests for a decision that are no questions. */
const demands =
  /\b(?:let me know (?:which|what|how|whether|when|if you(?:'d| would) (?:rather|prefer))|tell me (?:which|what|how|whether)|(?:it's |this is )?your (?:call|choice|decision)\b|up to you\b|please (?:confirm|choose|pick|decide|advise|clarify|provide|share|specify)\b|could you (?:please )?(?:provide|share|clarify|specify|confirm)\b|i need (?:more|the|some) (?:information|details|files?|context)\b|waiting (?:for|on) (?:your|you)\b|i(?:'ll| will) (?:stop here|wait (?:for|until))\b|i need (?:you to|your) (?:decide|decision|confirm|answer|input|approval)|say (?:which|whether|the word|"?(?:go|yes)\b)|(?:sag|gib) (?:mir )?bescheid)/i

/** The last sentence with a question mark, else the sentence that demands a decision. */
function questionIn(line: string): string {
  const plain = withoutEmphasis(line.replace(/^(?:#+|[-*•])\s+/, ''))
  const sentences = splitSentences(plain)
  const asked = sentences.findLast((part) => /[?？]/.test(part)) ?? sentences.findLast((part) => demands.test(part))
  return asked ?? plain
}

const offer =
  /\b(?:want me to|would you like (?:me )?to|do you want me to|(?:should|shall) (?:i|we)\b|i can (?:also )?|happy to|ready to (?:commit|push|merge|continue|move on|proceed)|anything else|soll ich|möchtest du|quieres que|veux-tu que)/i
const choice =
  /\b(?:or (?:should|would|do|leave|keep|the|a|i|we|just|not|rather|is|are|shall)|oder|which|rather|prefer|option)\b/i

/** Closing phrases that ask for nothing. */
const pleasantry =
  /^(?:how (?:can|may) i (?:help|assist)|what (?:would|do) you (?:like|want)(?: me)? to (?:work on|do|build|tackle)|what can i (?:do|help)|(?:is there )?anything else|what more|who knows|sound familiar|any (?:other )?questions|what's (?:next|on your mind)|wie kann ich)\b/i

/** Whether the last sentence says what the agent will do next, and nothing was done after it. */
export function announcesStep(reply: string): boolean {
  return announcement.test(splitSentences(withoutCode(reply)).at(-1) ?? '')
}

const announcement =
  /^(?:(?:now|next|first|then|ok(?:ay)?|so)[,.]?\s+)*(?:i(?:'ll| will| am going to|'m going to)|let me|i (?:now )?(?:create|update|check|look|run|start|begin|try|read)\b)(?!\s+(?:know|wait|stop|be (?:happy|glad|here|ready|able))\b)/i

/** Whether a reply ends within a sentence: a word or a comma after prose, not a list, a heading or an address. */
export function breaksOff(reply: string): boolean {
  const last = reply.trimEnd().split('\n').at(-1)!.trim()
  if (last.length < minCutLength || listItem.test(last) || /^[#|>`]/.test(last)) return false
  return /[\p{Ll},]$/u.test(last) && !/[/.:_]\S*$/.test(last.split(/\s+/).at(-1)!)
}

const minCutLength = 40

/**
 * What a reply says in short: its first sentence and its last ones, whole, without code, tables and
 * closing courtesies. Empty if there is no prose that fits.
 */
export function gistOfReply(start: string, end: string, max: number): string {
  const asked = closingQuestion(end)?.text
  const opening = openingOf(proseOf(start), max)
  // Of a text that was cut, the first sentence may be half.
  const isWhole = start.trim() === end.trim()
  const rest = proseOf(end).slice(isWhole ? 0 : 1)
  const closing: string[] = []
  let left = max - opening.join(' ').length
  for (const sentence of rest.toReversed()) {
    if (sentence === asked) continue
    if (opening.includes(sentence) || sentence.length + 3 > left) break
    closing.unshift(sentence)
    left -= sentence.length + 3
  }
  const isNext = isWhole && rest.indexOf(closing[0] ?? '') === rest.indexOf(opening.at(-1) ?? '') + 1
  if (isNext) return joinSentences([...opening, ...closing])
  return [joinSentences(opening), joinSentences(closing)].filter((part) => part !== '').join(' … ')
}

/** Items of a list have no full stop. */
function joinSentences(sentences: readonly string[]): string {
  const isLast = (place: number) => place === sentences.length - 1
  return sentences
    .map((sentence, place) =>
      isLast(place) || /[\p{P}]$/u.test(sentence.replace(/`$/, '')) ? sentence : `${sentence};`,
    )
    .join(' ')
}

/** The first sentence that tells a result, with the next one if it only says "Done." */
function openingOf(sentences: string[], max: number): string[] {
  const fitting = sentences.filter((sentence) => sentence.length <= max && !/[?？]$/.test(sentence))
  const result = fitting.findIndex((sentence) => !announcement.test(sentence))
  const [first, second] = fitting.slice(Math.max(0, result))
  if (first === undefined) return []
  return first.length < 18 && second !== undefined && first.length + second.length < max ? [first, second] : [first]
}

/** Sentences of prose: no headings that only introduce, no list of files, no courtesies. */
function proseOf(text: string): string[] {
  return splitSentences(withoutCode(text))
    .map((sentence) => withoutEmphasis(sentence.replace(/^#+\s*/, '')))
    .filter((sentence) => isSentence(sentence) && !courtesy.test(sentence) && !invitation.test(sentence))
}

/** Not a heading, the name of a file, or an introduction of what follows. */
function isSentence(text: string): boolean {
  if (!/[\p{L}]{2,}/u.test(text) || /[:：]$/.test(text)) return false
  return /[.!?。！？)]$/.test(text) || text.split(/\s+/).length >= 4
}

/** Says that the agent is pleased, willing or about to begin. */
const courtesy =
  /^(?:(?:please )?let me know|feel free|(?:i )?hope (?:this|that) helps|(?:i'm |i am )?(?:glad|happy|pleased|delighted) (?:to (?:help|hear|assist|see)|that|the|it|this|i could)\b|you(?:'re| are) welcome|great question|(?:sure|of course|certainly|absolutely)[,!.]|is there anything else|anything else)/i

/** Invites the person to ask for something, whatever it is. */
const invitation =
  /^if you(?:'d| would)? (?:like|want|need|have)(?: me to)? (?:help|assist|explain|any|more|further|other|another|some|additional|something)\b/i

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, '\n').replace(/^\s*\|.*\|\s*$/gm, '')
}
