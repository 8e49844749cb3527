// Classifies prompts by their opening words, because words in the middle may come from a pasted
// log.

/** Opening words of a correction. */
const corrective =
  /^(?:no+(?:[,.!\s]|$)|nope\b|wrong\b|incorrect\b|stop\b(?! ?words)|undo\b|revert\b|wait[,.!\s]|hmm,? no\b|that(?:'s| is| was)? ?(?:not|wrong|incorrect|isn't|broke)|this is(?:n't| not| wrong)|it(?:'s| is)? (?:still|not|doesn't|didn't|broke|fails)|(?:it|that|this) (?:still )?(?:does|did)(?:n't| not) (?:work|help|fix)|still (?:not|fail|broken|wrong|the same|getting|doesn't|does not|seeing)|not (?:what|like|that|quite)|i (?:said|meant|asked|told you|didn't ask|did not ask)|you (?:forgot|missed|broke|ignored|misunderstood|didn't|did not|shouldn't|should not|should have|were supposed|removed|deleted)|don't\b|do not\b|never\b(?! ?mind)|why did you|actually[,\s]|instead[,\s]|rather than|please (?:don't|do not|revert|undo|stop)|nein\b|falsch\b|das (?:ist|war) (?:falsch|nicht)|geht (?:immer noch )?nicht|funktioniert nicht|non\b[,. ]|ça ne marche pas|no funciona|sigue fallando)/i

/** A short message that something does not work; in a longer one it may be a quoted symptom. */
const reportsFailure =
  /\b(?:(?:does|did|do)(?:n'?t| not) (?:work|help|fix|change)|(?:is|are|still) not working|isn'?t working|no luck|same (?:error|problem|issue|result)|still (?:fails?|failing|broken|shows?|the same|wrong|not|happens?|crash\w*|\d))\b/i

/** Praise, thanks and acceptance, in the languages that the rules of the judge know. */
const praise =
  /^(?:thanks?(?: you)?(?: (?:so|very) much| a lot| again)?|thx|ty|cheers|perfect(?:ly)?|great(?: (?:job|work|stuff))?|nice(?: (?:one|job|work))?|awesome|excellent|lovely|amazing|wonderful|brilliant|fantastic|cool|sweet|super|(?:(?:it|that|this|everything|all)(?:'s| is)? )?looks? (?:good|great|right|fine|perfect)(?: to me)?|lgtm|(?:(?:it|that|this|everything|all)(?:'s| is)? )?(?:works|worked|working)(?: (?:now|great|well|perfectly|fine|like a charm))?|good (?:job|work|stuff)|well done|(?:very )?good|ship it|merged|all (?:good|set|done|green)|that(?:'s| is) (?:it|all|better|perfect|great|good|right|exactly (?:it|right|what i (?:wanted|needed)))|fixed(?: it)?|solved|done|danke(?: (?:dir|schön|sehr))?|vielen dank|passt(?: so)?|sieht gut aus|läuft(?: jetzt)?|prima|genau|gracias|muchas gracias|perfecto|genial|funciona|merci(?: beaucoup)?|parfait|ça marche|grazie|perfetto|obrigad[oa]|спасибо|отлично|谢谢|太好了|ありがとう)(?=[\s,.!:;)\p{Extended_Pictographic}-]|$)/iu

const givesUp =
  /^(?:forget (?:about )?(?:it|this|that)|never ?mind|nvm|drop (?:it|this|that)|leave (?:it|this)(?: (?:for now|as is|there|be))?|let'?s (?:stop(?: here)?|drop (?:it|this|that)|abandon (?:it|this|that)|leave (?:it|this|that)(?: for (?:now|today))?)|i give up|giving up|cancel(?: (?:it|this|that))?|abort|scrap (?:it|this|that)|not worth it|vergiss es|lass (?:es|gut sein)|olvídalo|déjalo|laisse tomber|oublie)(?=[\s,.!;]|$)/i

const filler =
  /^(?:[\s,.!:;()\p{Extended_Pictographic}-]+|\ufe0f|(?:ok(?:ay)?|meh|ugh|bah|argh|fine|yes|yep|yeah|yup|ah|oh|hm+|so|and|well|alright|right|wow|haha|ja|sí|oui|you|man|dude|guys|claude|codex|now|for now|today|a lot|much|very|really|then|already|indeed|it's|is|was)(?=[\s,.!:;)]|$))/iu

export type SpeechAct = 'correction' | 'failure-report' | 'approval' | 'give-up' | 'other'

/** A report that the result does not work corrects it as well. */
export function isCorrection(act: SpeechAct): boolean {
  return act === 'correction' || act === 'failure-report'
}

export function speechAct(prompt: string): SpeechAct {
  const start = prompt.trim().slice(0, 300)
  const rest = withoutFiller(start)
  // Praise or a farewell that is followed by another task is a task.
  if (endsAfter(rest, givesUp)) return 'give-up'
  if (start.length < 200 && reportsFailure.test(start)) return 'failure-report'
  if (corrective.test(start)) return 'correction'
  return endsAfter(rest, praise) ? 'approval' : 'other'
}

/** Whether the words of the pattern, repeated, are all that is said, apart from a short remark. */
function endsAfter(text: string, pattern: RegExp): boolean {
  if (!pattern.test(text)) return false
  let rest = text
  while (pattern.test(rest)) rest = withoutFiller(rest.replace(pattern, ''))
  return rest === '' || (rest.split(/\s+/).length <= 8 && !asksMore.test(rest))
}

/** Words of a further request: a question, an imperative, an objection. */
const asksMore =
  /\?|\b(?:but|however|also|next|please|can|could|would|should|let'?s|commit|push|merge|add|fix|make|run|do|write|create|update|remove|delete|rename|move|change|use|test|check|tell|show|explain|open|close|continue|go|keep|try|implement|refactor|deploy|release|revert|aber|jetzt|noch|bitte|mach|pero|ahora|mais)\b/i

function withoutFiller(text: string): string {
  let rest = text
  while (filler.test(rest)) rest = rest.replace(filler, '')
  return rest
}

/** Whether a prompt consists of thanks, praise or fillers such as "ok" and "hmm". */
export function saysNothing(prompt: string): boolean {
  const rest = withoutFiller(prompt.trim().slice(0, 300))
  return rest === '' || endsAfter(rest, praise)
}

/** Whether a prompt only checks that the agent responds. */
export function isHealthCheck(prompt: string): boolean {
  const said = prompt
    .replace(templateMarks, ' ')
    .trim()
    .toLowerCase()
    .replace(/["'`.!?]+/g, '')
  return said.length <= 160 && healthChecks.some((pattern) => pattern.test(said))
}

/** Fields of prompt templates: `[[ ## user_query ## ]]`, `@[System]:`. */
export const templateMarks =
  /\[\[ ## \w+ ## \]\]|@\[(?:system|user|assistant)\]:|<\/?(?:user_query|query|task|prompt)>/gi

const healthChecks = [
  /^(?:hi|hello|hey|hallo|hola|bonjour|ping|test|testing|ok|yo|hello world|are you (?:there|alive|working)|(?:what|which) model are you|who are you|how are you)(?: there| claude| codex)?$/,
  /^(?:what is |what's )?\d+ ?[+*x-] ?\d+$/,
  /^say (?:ok|hi|hello|pong|yes)$/,
  /^(?:please )?(?:reply|respond|answer|say|output|print|return)(?: with)? (?:exactly|only|just|the (?:exact |single )?(?:word|marker|string|token|text)|ok\b|pong\b|hi\b|yes\b)/,
  /^(?:please )?(?:reply|respond|answer) with \S+ (?:only|and nothing else)$/,
  /^(?:please )?respond with .{1,20}$/,
]

/** Whether the prompt says to ignore memory (true), to use it again (false), or neither. */
export function ignoresMemory(prompt: string): boolean | undefined {
  if (usesMemoryAgain.test(prompt)) return false
  return ignoreMemory.test(prompt) ? true : undefined
}

const memoryWords = String.raw`(?:(?:your|the|any|all|my|previous|earlier|stored|saved|recollect(?:'s)?)\s+)*(?:memory|memories|brief|recollect)`
/** Not "ignore memory leaks", "without memory mapping". */
const clauseEnd = String.raw`(?=\s*(?:$|[.,;:!?)\n]|(?:for|in|and|please|here|today|from|when|while|on|this|but|now)\b))`
const ignoreMemory = new RegExp(
  String.raw`\b(?:ignore|disregard|don'?t use|do not use|don'?t look at|do not look at|stop using|skip|without(?: using)?)\s+${memoryWords}${clauseEnd}`,
  'i',
)
const usesMemoryAgain = new RegExp(
  String.raw`\b(?:(?:you (?:can|may) )?use|consult|check)\s+${memoryWords}\s+again\b|\b(?:don'?t|do not|stop) ignor(?:e|ing)\s+${memoryWords}`,
  'i',
)

/** Commands of the agents' own programs, which start no work. */
const builtInCommands =
  `add add-dir agents approvals approve architect ask bashes bug chat clear code commit compact config context
    cost diff doctor drop effort exit export fast feedback git help hooks ide lint login logout ls map map-refresh
    mcp memory model new output-style paste permissions plugin plugins privacy-settings quit read-only release-
    notes rename reset resume rewind run settings skills stats status statusline terminal-setup theme todos tokens
    tools undo upgrade usage vim voice web`.split(/\s+/)

/** Some agents accept the beginning of a command: `/ex`. */
export function isBuiltInCommand(name: string): boolean {
  return name.length > 2 && builtInCommands.some((command) => command.startsWith(name.slice(1)))
}
