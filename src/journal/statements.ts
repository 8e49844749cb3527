// Reads what a conversation says in so many words: what the person decided, which cause the agent
// named before a run or a commit confirmed it, and what was put off.
import { isCorrection, speechAct } from '../digest/classify-prompt.ts'
import type { DigestState } from '../digest/digest-state.ts'
import type { Utterance } from '../learn/exchanges.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { humanText } from '../text/human-text.ts'
import { splitSentences } from '../text/sentences.ts'
import { firstSentences, isFiller, statementsOf } from './prose.ts'

export interface Statements {
  decided: string[]
  found: string[]
  putOff: string[]
}

const maxStatements = 4

/** What the person decided and put off with these words. */
export function readUtterance({ prompt, before }: Pick<Utterance, 'prompt' | 'before'>, found: Statements): void {
  const choice = chosenOption(prompt, before)
  if (choice) add(found.decided, choice)
  const answers = [...prompt.matchAll(answeredQuestion)]
  for (const [, question, answer] of answers)
    add(found.decided, `${question} ${quoted(answer!.replace(/[.\s]+$/, ''))}.`)
  if (answers.length > 0) return
  const sentences = ownSentences(plainApostrophes(prompt))
  for (const [at, sentence] of sentences.entries()) {
    if (sentence.length > 300 || /\?\W*$/.test(sentence)) continue
    if (putsOff.test(sentence)) add(found.putOff, quoted(sentence))
    else if (!choice && isDecision(sentence)) add(found.decided, quoted(wholeDecision(sentences, at)))
  }
}

/** As the questions of agents and their answers are stored. */
const answeredQuestion = /^"([^"\n]{8,300})": (\S.{0,200})$/gm

function ownSentences(prompt: string): string[] {
  return humanText(prompt).spans.flatMap(({ start, end }) => splitSentences(prompt.slice(start, end)))
}

/** A short message is quoted to its end, because the rest of it explains the decision. */
function wholeDecision(sentences: readonly string[], at: number): string {
  const rest = sentences.slice(at).join(' ')
  return rest.length <= 240 && !rest.includes('?') ? rest : sentences[at]!
}

function isDecision(sentence: string): boolean {
  return (
    sentence.split(/\s+/).length >= 3 &&
    (goesWith.test(sentence) || declares.test(sentence)) &&
    !/\b(?:keep going|go for it|go on|use (?:that|this|it)\W*$)/i.test(sentence)
  )
}

const lead = String.raw`^(?:(?:ok(?:ay)?|yes|yeah|yep|no|nah|right|sure|alright|great|cool|perfect|agreed|hm+|well|so|and|then|actually|good|fine|i think|i guess|in that case)[,.!:;-]?\s+)*`
const goesWith = new RegExp(
  `${lead}(?:(?:let'?s|lets|we(?:'ll| will| should)?|i(?:'ll| will| want to|'d like to|'d rather| prefer to)?|please) (?:just |rather |simply |only )?)?(?:(?:go(?:ing)? (?:with|for)|stick(?:ing)? (?:with|to)|settle (?:on|for)|opt for)\\b|(?<=(?:let'?s|lets) (?:just |rather |simply |only )?)(?:use|keep|skip|leave|drop|not|switch to|do it|do the|do option|call it|name it|make it|avoid|stay with|start with)\\b)`,
  'i',
)
const declares =
  /\b(?:we|i)(?:'ve| have)? (?:decided|agreed|settled on|chose|chosen)\b(?! (?:if|whether))|^decision:|^(?:we|i) (?:prefer|want) \S.{2,80} (?:over|instead of|rather than) /i

/** A rest for another time, said by the person. */
const putsOff =
  /\b(?:(?:leave|do|fix|handle|add|tackle|save|revisit|defer|postpone|address|come back to|worry about|deal with|look (?:at|into)|clean up|finish)\b[^.]{0,60}(?:(?<!\b(?:and|or) )\blater(?=\s*(?:[.,;!)]|$)|\s+(?:on|when|once|in|with)\b)|\b(?:tomorrow|next (?:time|week|session)|another (?:time|day|pr|session)|in a follow-?up(?: pr)?))|not now\b|for (?:another|a separate|a later|a future) (?:pr|session|day|time|exercise|change|release)|remind me\b|(?:^|\s)to-?do:)/i

/** "Option 2", "B", "the second one": with the text of the option in the reply before it. */
function chosenOption(prompt: string, reply: string): string | undefined {
  const name = optionNamed.exec(prompt.slice(0, 80))
  const key = name?.[1] ?? name?.[2] ?? name?.[3]
  if (!key || rejects.test(prompt.slice(name!.index + name![0].length))) return undefined
  const options = [...reply.matchAll(listedOption)]
    .map(([, mark, text]) => ({ mark: mark!.toUpperCase(), text: text! }))
    .filter(({ text }) => !/[?:]\W*$/.test(text))
  const chosen = options.findLast(({ mark }) => mark === key.toUpperCase())
  if (!chosen || options.length < 2) return undefined
  const text = firstSentences(chosen.text.replace(/[*_`]{2,}/g, ''), 160)
  return text === '' ? undefined : `Option ${key.toUpperCase()}: ${text.replace(/[.:;,]$/, '')}.`
}

/** "Option 1 does not work", or a question about it. */
const rejects = /^[^.!,;\n]*\b(?:not|no|\w+n'?t|wrong|bad|too|but)\b|^[^.!\n]*\?/i
const optionNamed =
  /^\s*(?:(?:ok(?:ay)?|yes|yeah|sure|please|let'?s|i'?d|go|do|with|for|take|pick|choose|prefer|use|try)[,.]?\s+){0,4}(?:(?:option|choice|approach|variant|alternative|number)\s+#?([A-Fa-f]|\d)\b|([A-Fa-f])[).:](?=\s|$)|([A-F]|\d)\s*[.!]?\s*$)/i
const listedOption =
  /^\s*(?:[-*•]\s+)?(?:\*\*|#+\s+)?(?:option\s+)?([A-Fa-f]|\d)(?:[).:]|\s+[—–-])\s*(?:\*\*)?\s*(\S.*)$/gim

/**
 * Returns a function that takes the events in order, with the digest state behind each. A cause that
 * the agent names counts if files were changed and tests passed, something was committed or the
 * person agreed, before or after it was named, and the person does not object next.
 */
export function confirmedCauses(found: Statements): (event: StoredEvent, state: DigestState) => void {
  let claims: CauseClaim[] = []
  let confirmedSince: string[] = []
  let prompt = { seq: -1, number: 0 }
  const confirm = (wanted: readonly CauseClaim[]) => {
    for (const { text } of wanted) {
      add(found.found, text)
      confirmedSince.push(text)
    }
    claims = claims.filter((claim) => !wanted.includes(claim))
  }
  return (event, { signals }) => {
    const edit = signals.edit ?? -1
    if (event.kind === 'prompt') {
      const act = speechAct(event.text)
      if (isCorrection(act)) {
        claims = []
        found.found = found.found.filter((text) => !confirmedSince.includes(text))
      }
      confirmedSince = []
      if (act === 'approval') confirm(claims.filter((claim) => edit > claim.promptSeq))
      prompt = { seq: event.seq, number: prompt.number + 1 }
      claims = claims.filter((claim) => prompt.number - claim.promptNumber <= maxPromptsBetween)
    }
    if (event.kind === 'reply') {
      const named = causesIn(event.text).map((text) => ({
        text,
        seq: event.seq,
        promptSeq: prompt.seq,
        promptNumber: prompt.number,
      }))
      claims.push(...named)
      const passed = Math.max(signals.test?.isOk ? signals.test.seq : -1, signals.commit ?? -1)
      if (edit > prompt.seq && passed > edit) confirm(named)
    }
    const hasPassed = (signals.test?.seq === event.seq && signals.test.isOk) || signals.commit === event.seq
    if (hasPassed) confirm(claims.filter((claim) => edit > claim.seq))
  }
}

interface CauseClaim {
  text: string
  seq: number
  promptSeq: number
  promptNumber: number
}

/** A cause that nothing confirmed for so long is not told. */
const maxPromptsBetween = 2

/** Sentences that name a cause, each with the next one if that names the fix. */
function causesIn(reply: string): string[] {
  if (!namesCause.test(reply)) return []
  const sentences = statementsOf(plainApostrophes(reply).replace(agreement, ''))
  return sentences.flatMap((sentence, at) => {
    if (!isCause(sentence)) return []
    const next = sentences[at + 1] ?? ''
    return namesFix.test(next) && next.length <= 200 && !isFiller(next) && !isCause(next)
      ? `${sentence} ${next}`
      : sentence
  })
}

function isCause(sentence: string): boolean {
  if (sentence.length < minCauseLength || sentence.length > 300) return false
  if (needsContext.test(sentence) || /: .*; /.test(sentence)) return false
  return namesCause.test(sentence) && !isDoubtful.test(sentence) && !isTrivial.test(sentence)
}

/** Shorter ones say too little. */
const minCauseLength = 45

const agreement = /\b(?:you(?:'re| are) (?:absolutely |quite )?(?:right|correct)|good (?:catch|point))[,.!]?\s+/gi
/** "Because" explains many things; it is a cause where something does not work. */
const namesCause =
  /\b(?:(?:root )?cause(?:d by| (?:is|was)\b|:)|turn(?:s|ed) out|which is why|(?:problem|issue|reason|culprit|bug)(?: here)? (?:is|was)\b|(?:fail|br[eo]a?k|crash|error|hang|hung|stuck|unreachable|never|missing|wrong|empty|ignored|skipped|lost|stale|block|reject|not\b|\w+n't\b)[^.]{0,120}\b(?:because|due to)\b|ursache (?:ist|war|liegt|dafür)|ursache:|la cause (?:est|était)|la causa (?:es|era))/i
const isDoubtful =
  /\b(?:might|maybe|may be|likely|possibly|probably|perhaps|could be|seems?|suggests?|appears?|i understand|will|would|i think|i suspect|i believe|let me|i'll|let's|if (?:the|you|it|we)|vielleicht|vermutlich|peut-être|quizás)\b|\?\W*$/i
/** Points to another sentence, or to code that was just being written. */
const needsContext = /^(?:so|these|those|this|that|it|they|but|and|or|also|then|here)\b|\bmy\b/i
/** Style, which says nothing about how things work. */
const isTrivial = /\b(?:lint(?:er|ing)?|nolint|gofmt|prettier|formatting|unused (?:imports?|variables?))\b/i
const namesFix = /\b(?:now|fix(?:ed|es)?|instead|changed?|jetzt|nun|maintenant|ahora)\b/i

/** What the last reply names as not done. */
export function unfinishedIn(reply: string): string[] {
  return statementsOf(reply)
    .filter((sentence) => sentence.length <= 300 && namesRest.test(sentence) && !isDone.test(sentence))
    .slice(0, 3)
}

const namesRest =
  /\b(?:remaining (?:work|tasks?|items?|steps?|issues?|todos?)|still (?:to do|open|missing|need(?:s|ed)?|pending|outstanding|fail(?:s|ing)?|broken)|not (?:yet|been) (?:done|implemented|tested|verified|fixed|covered|pushed|committed|merged|wired|supported)|(?:isn't|is not|aren't|are not|wasn't|were not|haven't|hasn't|have not|has not)(?: been)? (?:yet )?(?:done|implemented|tested|verified|fixed|covered|pushed|committed|merged|wired)(?: yet)?|next steps?(?: is| are|:)|follow-?ups?(?: is| are|:| pr)|left (?:to do|open|for later)|todo:|deferred|postponed|you(?:'ll| will)? (?:still )?need to)\b/i
const isDone =
  /\b(?:no|nothing|none|without|zero) (?:\w+ )?(?:remaining|left|open|pending|outstanding|longer|still)\b|\bno (?:follow|next|remaining)|\?$/i

function plainApostrophes(text: string): string {
  return text.replaceAll('’', "'")
}

function add(list: string[], text: string): void {
  if (list.length < maxStatements && !list.includes(text)) list.push(text)
}

function quoted(text: string): string {
  return `“${text.trim()}”`
}
