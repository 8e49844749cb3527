// Reads what the person decided: choices, answers to questions and proposals of the agent, and what they
// declared. A decision is told so that it can be read alone; what has no object is left out.
import { closingQuestion } from '../digest/reply-end.ts'
import type { Utterance } from '../learn/exchanges.ts'
import { contentWords } from '../text/content-words.ts'
import { splitSentences } from '../text/sentences.ts'
import { numberedAnswers } from './numbered-answers.ts'
import { ownSentences, plainApostrophes, quoted } from './own-words.ts'
import { firstSentences } from './prose.ts'
import { isPutOff } from './put-off.ts'
import { lastStatement, needsContext, proposalAnswered, questionInContext } from './question-context.ts'

export interface Decision {
  /** Of the prompt. */
  seq: number
  text: string
  /** Of many, those that decide most clearly are told. */
  clarity: 1 | 2 | 3
  /** The prompt says nothing else, so that it is no request. */
  isWholePrompt: boolean
}

/** What the person decided with these words; `before` is the agent's last reply. */
export function decisionsIn({ seq, prompt, before }: Pick<Utterance, 'seq' | 'prompt' | 'before'>): Decision[] {
  const decision = (text: string, clarity: Decision['clarity'], isWholePrompt = false) => ({
    ...{ seq, text, clarity, isWholePrompt },
  })
  const answers = [...prompt.matchAll(answeredQuestion)].map(([, question, answer]) => pair(question!, answer!))
  const numbered =
    answers.length > 0 ? [] : numberedAnswers(prompt, before).map(({ point, answer }) => pair(point, answer))
  if (answers.length + numbered.length > 0) return [...answers, ...numbered].map((text) => decision(text, 3, true))
  const choice = chosenOption(prompt, before)
  const sentences = ownSentences(plainApostrophes(prompt))
  const declared = choice ? [] : declaredIn(sentences, before)
  const answer = choice || declared.length > 0 ? undefined : answerTo(sentences, before)
  return [
    ...(choice ? [decision(choice, 3, prompt.length < 60)] : []),
    ...declared.map((text) => decision(text, 2, sentences.length === 1)),
    ...(answer ? [decision(answer.text, answer.clarity, answer.isWhole)] : []),
  ]
}

const maxDecisions = 6

/** The clearest of many, in their order. */
export function tellDecisions(decisions: readonly Decision[]): Decision[] {
  const byText = [...new Map(decisions.map((one) => [one.text, one])).values()]
  const clearest = byText.toSorted((a, b) => b.clarity - a.clarity).slice(0, maxDecisions)
  const told = byText.filter((one) => clearest.includes(one))
  // A bare yes is worth telling only where little else was decided.
  const isRich = told.filter(({ clarity }) => clarity > 1).length > 2
  return told.filter(({ clarity }) => clarity > 1 || !isRich)
}

/** As the questions of agents and their answers are stored. */
const answeredQuestion = /^"([^"\n]{8,300})": (\S.{0,200})$/gm

function pair(question: string, answer: string): string {
  return `${question} ${quoted(answer.replace(/[.\s]+$/, ''))}.`
}

/** Sentences by which the person decides something without being asked. */
function declaredIn(sentences: readonly string[], reply: string): string[] {
  return sentences.flatMap((sentence, at) => {
    if (sentence.length > 300 || /\?\W*$/.test(sentence) || !isDecision(sentence) || isPutOff(sentence)) return []
    return withObject(wholeDecision(sentences, at), reply)
  })
}

/** A short message is quoted to its end, because the rest of it explains the decision. */
function wholeDecision(sentences: readonly string[], at: number): string {
  const rest = sentences.slice(at).join(' ')
  return rest.length <= 240 && !rest.includes('?') ? rest : sentences[at]!
}

/** With what the words refer to; empty if that is not known. */
function withObject(words: string, reply: string): string | [] {
  if (!needsContext(words)) return quoted(words)
  const asked = closingQuestion(reply)?.text
  const last = lastStatement(reply)
  const proposal = proposalAnswered(words, reply) || (proposes.test(last) ? last : '')
  const context = (asked && questionInContext(asked, reply)) || proposal
  return context === '' ? [] : `${context} ${quoted(words)}`
}

const proposes = /\b(?:could|should|suggest|recommend|propose|option|alternative)\w*\b/i

function isDecision(sentence: string): boolean {
  return (
    sentence.split(/\s+/).length >= 3 &&
    [goesWith, declares, dispenses, orders].some((pattern) => pattern.test(sentence)) &&
    !/\b(?:keep going|go for it|go on|use (?:that|this|it)\W*$)/i.test(sentence)
  )
}

const lead = String.raw`^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|no|nah|right|sure|alright|great|cool|perfect|agreed|hm+|well|so|and|then|also|but|actually|good|fine|i think|i guess|in that case|maybe)[,.!:;-]?\s+)*`
const goesWith = new RegExp(
  `${lead}(?:(?:let'?s|lets|we(?:'ll| will| should)?|i(?:'ll| will| want to|'d like to|'d rather| prefer to)?|please) (?:just |rather |simply |only )?)?(?:(?:go(?:ing)? (?:with|for)|stick(?:ing)? (?:with|to)|settle (?:on|for)|opt for)\\b|(?<=(?:let'?s|lets) (?:just |rather |simply |only )?)(?:use|keep|skip|leave|drop|not|rename|call|name|switch to|do the|do option|call it|name it|make it|avoid|stay with|start with)\\b)`,
  'i',
)
const declares =
  /\b(?:we|i)(?:'ve| have)? (?:decided|agreed|settled on|chose|chosen)\b(?! (?:if|whether))|^decision:|^(?:we|i) (?:prefer|want) \S.{2,80} (?:over|instead of|rather than) |\bwe(?:'re| are) (?:getting rid of|dropping|keeping|skipping|going with|sticking with)\b|^i agree (?:with|on|that) /i
/** "I don't think we need it", "no need for it". */
const dispenses = new RegExp(
  `${lead}(?:i (?:don'?t|do not) t?h?ink (?:that )?(?:we|you|it|\\w+) (?:need|should|has|have)|we (?:don'?t|do not|won'?t) (?:need|want)|(?:there(?:'s| is) )?no need (?:for|to))\\b`,
  'i',
)
/** How it is to be from now on. */
const orders = /^(?:please )?(?:stop \w+ing\b|never \w+\b(?! ?mind)|always \w+\b|from now on\b|no more \w+)/i

interface Answer {
  text: string
  clarity: Decision['clarity']
  isWhole: boolean
}

/** What the person answered to the question or offer that the reply ends with. */
function answerTo(sentences: readonly string[], reply: string): Answer | undefined {
  const asked = closingQuestion(reply)
  if (!asked || !(asked.isOffer || asksForDecision.test(asked.text))) return undefined
  const end = sentences.findIndex((sentence) => sentence.includes('?'))
  const words = firstSentences((end < 0 ? sentences : sentences.slice(0, end)).join(' '), 160)
  const question = questionInContext(asked.text, reply)
  if (words === '' || words.length > 320 || question === '' || isPutOff(words)) return undefined
  const known = new Set(contentWords(question))
  const own = contentWords(words.replace(agreement, ' '))
  // To an offer, "yes, do it" and what only repeats it agree.
  const added = asked.isOffer ? own.filter((word) => !known.has(word)) : own
  const isRefused = refuses.test(words)
  if (added.length === 0 && !isRefused)
    return asked.isOffer && known.size >= 4 && !isRoutine.test(asked.text)
      ? { text: `${question} ${quoted(words)}`, clarity: 1, isWhole: end < 0 }
      : undefined
  if (asked.isOffer && isRoutine.test(asked.text) && added.length < 2 && !isRefused) return undefined
  if (asksForNext.test(asked.text) && !isRefused && !own.some((word) => known.has(word))) return undefined
  if (!isRefused && !isDecisive(words, asked.isOffer ? new Set() : known)) return undefined
  return { text: `${question} ${quoted(words)}`, clarity: 2, isWhole: end < 0 }
}

/** Says what is to be done, or names what was asked about; not what happened. */
function isDecisive(words: string, known: ReadonlySet<string>): boolean {
  const [first = ''] = splitSentences(words)
  const rest = first.replace(leadingWords, '')
  if (narrates.test(rest)) return false
  return demands.test(rest) || (first.length <= 120 && contentWords(rest).some((word) => known.has(word)))
}

const asksForDecision =
  /\b(?:should|shall|prefer|want|which|would you|ok(?:ay)? (?:to|if|with)|do you think|agree|keep|acceptable|sufficient|good enough|better|worth|option|or (?:is|do|should|just|keep|leave)|your (?:call|choice|decision))\b/i
const leadingWords = new RegExp(lead, 'i')
const narrates =
  /^(?:i(?:'ve| have| did| was| had| got| get| see| saw| hope| mean| just| only)\b|we had\b|it\b|there\b|when\b|this\b|that\b)/i
const demands =
  /^(?:both|all|none|neither|do|don'?t|let'?s|lets|just|use|keep|drop|skip|leave|add|remove|fix|rename|make|move|create|put|write|go|i'?d|i would|please|only|not|the (?:first|second|last|former|latter))\b|\b(?:let'?s|lets|go with|prefer|suffices?|is (?:fine|enough|ok)|no need|instead|rather|i agree|i want|we should)\b/i
const agreement =
  /\b(?:yes|yeah|yep|yup|ok(?:ay)?|sure|please|pls|do|it|that|this|go|ahead|for it|sounds|good|better|great|fine|thanks?|all|both|fix|right|now|for now|perfect|and|continue|proceed|let'?s|lets)\b/gi
const refuses = /^(?:(?:hm+|well|ok(?:ay)?),? )?(?:no|nope|nah|don'?t|not|leave|skip|drop|keep)\b/i
/** Offers to do the usual next step. */
const isRoutine =
  /\b(?:commit|push|merge|continue|proceed|go ahead|move on|next|start|begin|run|try|look|check|investigate|dig|open a pr|create (?:a|the) pr)\b/i

/** "What next?": what follows is a new task unless it names what was asked about. */
const asksForNext =
  /\b(?:ready (?:for|to)|good to go|next (?:task|step|item)|anything else|move on|continue|proceed)\b/i

/** "Option 2", "B", "the second one": with the text of the option in the reply before it. */
function chosenOption(prompt: string, reply: string): string | undefined {
  const name = optionNamed.exec(prompt.slice(0, 80))
  const key = name?.[1] ?? name?.[2] ?? name?.[3]
  const isList = (prompt.match(/(?:^|\s)\d[.)]\s/g)?.length ?? 0) > 1
  if (!key || isList || rejects.test(prompt.slice(name!.index + name![0].length))) return undefined
  const options = [...reply.matchAll(listedOption)]
    .map(([, mark, text]) => ({ mark: mark!.toUpperCase(), text: text! }))
    .filter(({ text }) => !/[?:]\W*$/.test(text))
  const chosen = options.findLast(({ mark }) => mark === key.toUpperCase())
  if (!chosen || options.length < 2) return undefined
  const text = firstSentences(chosen.text.replace(/[*_`]{2,}/g, ''), 160)
  return text === ''
    ? undefined
    : `${questionOfOptions(reply)}Option ${key.toUpperCase()}: ${text.replace(/[.:;,]$/, '')}.`
}

/** What the options answer, if the agent asked more than "Which one?" */
function questionOfOptions(reply: string): string {
  const asked = closingQuestion(reply)
  return asked && !asked.text.startsWith('Options:') && contentWords(asked.text).length > 1 && asked.text.length <= 160
    ? `${asked.text} `
    : ''
}

/** "Option 1 does not work", or a question about it. */
const rejects = /^[^.!,;\n]*\b(?:not|no|\w+n'?t|wrong|bad|too|but)\b|^[^.!\n]*\?/i
const optionNamed =
  /^\s*(?:(?:ok(?:ay)?|yes|yeah|sure|please|let'?s|i'?d|go|do|with|for|take|pick|choose|prefer|use|try)[,.]?\s+){0,4}(?:(?:option|choice|approach|variant|alternative|number)\s+#?([A-Fa-f]|\d)\b|([A-Fa-f]|\d)[).:](?=\s|$)|([A-F]|\d)\s*[.!]?\s*$)/i
const listedOption =
  /^\s*(?:[-*•]\s+)?(?:\*\*|#+\s+)?(?:option\s+)?([A-Fa-f]|\d)(?:[).:]|\s+[—–-])\s*(?:\*\*)?\s*(\S.*)$/gim
