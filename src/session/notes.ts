// What a session leaves for later ones beside its runs: sentences in which the person asks for
// something that may hold on, sentences of closing replies that say what was found out, complaints of
// checkers and the reasons for silencing them, and the names that were written into a file.
import { splitSentences } from '../text/sentences.ts'
import { oneLine } from '../text/truncate.ts'
import type { SessionItem } from './fold.ts'

export const noteKinds = ['said', 'found', 'complaint', 'silenced', 'symbols'] as const
export type NoteKind = (typeof noteKinds)[number]

export interface SessionNote {
  kind: NoteKind
  /** The same name again in a session is the same note: the rule, the path, the text in small letters. */
  name: string
  text: string
  seq: number
  at: string | null
}

export function notesOf(item: SessionItem): SessionNote[] {
  const { seq, at } = item
  switch (item.kind) {
    case 'said':
      return standingWords(item.text).map((text) => ({ kind: 'said', name: nameOf(text), text, seq, at }))
    case 'closing':
      return foundSentences(item.text).map((text) => ({ kind: 'found', name: nameOf(text), text, seq, at }))
    case 'complaint': {
      const { rule, by, text } = item.complaint
      return [{ kind: by === 'agent' ? 'silenced' : 'complaint', name: rule, text: oneLine(text), seq, at }]
    }
    case 'edit':
      return item.symbols.length === 0
        ? []
        : [{ kind: 'symbols', name: item.path, text: item.symbols.join(' '), seq, at }]
    case 'run':
      return []
    default:
      return item satisfies never
  }
}

function nameOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 200)
}

/** A longer prompt is a pasted text or a whole task. */
const maxPrompt = 600
const minSentence = 14
const maxSentence = 240
const maxPerMessage = 6

/** Sentences of a short prompt with words of a lasting wish. */
export function standingWords(prompt: string): string[] {
  if (prompt.length > maxPrompt || isPasted.test(prompt) || dictatesReply.test(prompt)) return []
  return sentencesOf(prompt.replace(/^[ \t]*>.*$/gm, ''))
    .filter((sentence) => wishes.test(sentence) && !isOneOff.test(sentence) && !isTask.test(sentence))
    .slice(0, maxPerMessage)
}

/** Instructions for another agent, or a conversation: not what the person asks of this one. */
const isPasted =
  /^\s*(?:system|assistant|developer|user|human|agent|ai)\s*:|<\/?[a-z][\w-]*>|\b(?:you are|act as) (?:an? |the )|\byour (?:task|role|goal|job) is\b/im
/** A task for a program, which reads the answer: what it asks for holds for this answer alone. */
const dictatesReply =
  /\b(?:your|the) (?:entire |whole |final |only |last )*(?:message|reply|answer|response|output)\b|\b(?:reply|respond|answer|return|output) (?:with |in )?(?:only|exactly|just)\b|\b(?:exactly|only) (?:one|the words?|\d+)\b|\bin (?:a|the) (?:single|same|one) (?:message|turn)\b|\bthe (?:task|objective)\b|\b(?:task|explore) subagents?\b|\bno (?:markdown|explanation|prose|preamble)\b|\bmarkdown or\b|\bnot (?:inspect|edit|touch|change|modify)\b[^.\n]{0,20}\bfiles\b/i

const wishes =
  /(?:^|[,;:(–-] |\b(?:and|but|so|then|please|also|just|again|let's|you|we|i said|to|they|it|they) )(?:don['’]?t|do not|never|always|prefer|avoid|stop \w+ing|remember)\b|\b(?:instead of|rather than|must(?:n['’]t)?|should(?:n['’]t| not| always| never| only| be| use| have| go| live| stay)|(?<=^|[,;] |\b(?:and|but|so|because|that) )(?:we|you) (?:use|want|have|need|don['’]?t|already|only)|i (?:want|prefer|like|always|never|would (?:like|prefer|rather))|use (?:the|our|a)|using (?:the|our)|no need|not needed|every time|from now on|only (?:use|when|if)|our (?:convention|rule|style|policy|standard)|(?:lives?|is|are|belongs?|goes?) (?:in|into|at|on|called) [\w./`~-]*[./_`-])|^no[,.] /i
/** Answers, impressions, and wishes for this moment alone. */
const isOneOff =
  /^(?:yes|yeah|yep|ok(?:ay)?|sure|thanks|thank you|great|perfect|nice|cool|hm+|ah|oh|wait|well|hi|hey|either way|i['’]m |i am |i (?:think|guess|see|just|don['’]?t (?:see|think|understand|know|get|mind|care|remember)|wonder|have the impression))\b|\bi['’]m wondering\b|\bi don['’]?t (?:see|understand|know|get)\b|\b(?:seems? to|we have so far|for now|this time|right now|first, and|above|below|as is|i mean|how can you|(?:is|are|it['’]s) (?:now|still|currently) \w+ing)\b|\b(?:where|how|which|what)\b[^,.]{0,40}\bshould\b/i
/** What is to be done next, and sentences about something that only the message before names. */
const isTask =
  /^(?:(?:and|but|so|no|also|now|ok|please|then|just|first|next|finally|after (?:that|this))[, ]+)*(?:(?:so|then|after|also|should|must|can (?:we|you)|you can|i have|add|update|create|write|commit|push|fix|change|rename|remove|delete|implement|refactor|check|assume|try|look|read|open|run|merge|scrape)\b(?!.*\b(?:always|never|every time|whenever)\b)|(?:make sure )?(?:it|they|this|that|these|those|he|she)\b|only if\b|(?:so )?(?:i|we|you)(?:['’]?d| would)? (?:also |still |now |just )*(?:want|need|like|have)(?:ed)? (?:you )?to (?!always|never|avoid|keep|use|be\b|only|have\b))|\bi want(?:ed)? (?:to|you to|the|a|an) (?!.*\b(?:always|never|only|should|must|instead)\b)/i

const maxFoundSentence = 320

/** Sentences of a closing reply that say how something is, and why; one without a name helps nobody. */
export function foundSentences(reply: string): string[] {
  return sentencesOf(reply, maxFoundSentence)
    .filter(
      (sentence) =>
        finds.test(sentence) && namesSomething.test(sentence) && !isTalk.test(sentence) && !isPlan.test(sentence),
    )
    .slice(0, maxPerMessage)
}

const finds =
  /\b(?:because|caused? by|root cause|the (?:real )?(?:cause|reason|problem|issue) (?:is|was)|turns? out|turned out|(?:is|are|was|were) (?:now )?(?:in|defined in|located in|handled (?:in|by)|implemented in|stored (?:in|on)|read (?:in|from)|called)|lives? in|defined in|needs?|requires?|must|stale|pre-?existing|unrelated|untouched|renamed|moved (?:to|into)|replaced (?:by|with)|instead of|no longer|consolidated|deprecated|depends? on|only (?:works?|when|if|on)|does(?:n['’]t| not)|can(?:not|['’]t)|fails? (?:if|when|because|with|on))\b/i
/** Code, a path, a flag, or an identifier. */
const namesSomething =
  /`[^`]+`|(?:^|\s)--?[a-z]|\b\w+(?:[._/]\w+)+\b|\b\w+\(\)|\b[a-z]+[A-Z]\w+\b|\b[A-Z]\w*[a-z][A-Z]\w*\b/
/** Offers, praise, what a change of this session did, and sentences about what stands before them. */
const isTalk =
  /^(?:let me|i['’](?:ll|ve|d)|i (?:will|have|can|could|would|need|should|also|then|just|only)|i['’]m going|now\b|next\b|would you|do you|should i|if you|want me|shall|perfect|great|good|yes\b|done\b|you['’]re (?:absolutely )?right|let['’]s|looking|first,|finally|we\b|these? changes?|th(?:is|e|ese) (?:changes?|updates?|updated|commit|modifications?|refactor\w*|rest|original|new (?:version|implementation|method)|following)\b|(?:i )?(?:added|updated|created|implemented|fixed|refactored|wrote|ran|verified|committed|changed|improved|made|pushed)\b|(?:is|are|was|has|have|and|or|which|that|this|it|they)\b|(?:\d+\) |[\w-]+: )?(?:add|replace|remove|use|set|make|keep|disable|enable|update|run|change|move|check)\b)|\b(?:this|that|it|these)[.!]?$/i
/** Proposals and guesses. */
const isPlan =
  /\b(?:we|you)(?:['’]ll| will| would| might| may| can| could| should)?(?: likely| also| still| first)* (?:need|have|want) to\b|\bwe (?:can|could|should|might)\b|\byou (?:can|could|might|may|should)\b|\b(?:probably|likely|maybe|perhaps|potentially|presumably|seems?|appears?|i (?:think|suspect|believe|assume|guess|recommend|suggest))\b|^to \w+\b[^,.]{0,120}, (?:we|you|i)\b/i

function sentencesOf(text: string, max = maxSentence): string[] {
  const prose = text
    .slice(0, 12_000)
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/^[ \t]*\|.*\|[ \t]*\r?$/gm, '')
  return splitSentences(prose)
    .map((sentence) => oneLine(sentence.replace(/\*\*/g, '')))
    .filter(
      (sentence) =>
        sentence.length >= minSentence && sentence.length <= max && !sentence.endsWith('?') && !sentence.endsWith(':'),
    )
}
