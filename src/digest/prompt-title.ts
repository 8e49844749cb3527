// Turns a prompt into a line that says what it asks for: without greetings, courtesies, roles,
// templates and pasted output.
import { contentWords } from '../text/content-words.ts'
import { humanText } from '../text/human-text.ts'
import { splitSentences } from '../text/sentences.ts'
import { ellipsize, oneLine } from '../text/truncate.ts'
import { isHealthCheck, speechAct, templateMarks } from './classify-prompt.ts'

export interface PromptTitle {
  text: string
  /** From 0 (nothing to go by, "do that") to 1 (says what is to be done). */
  weight: number
}

export const maxTitleLength = 80

/** The sentence of a prompt that says most, shortened to a title. */
export function titleOfPrompt(prompt: string): PromptTitle {
  const plain = taskField(prompt.slice(0, maxRead))
    .replace(templateMarks, '\n')
    .replace(/\[image[^\]\n]*\]/gi, '\n')
  const heading = planHeading(plain)
  if (heading !== '') return { text: shorten(heading), weight: 1 }
  if (isHealthCheck(prompt)) return nothing
  return bestSentence(sentencesOf(plain).slice(0, maxSentences))
}

/** An earlier sentence is preferred, unless it only tells how things are and a request follows. */
function bestSentence(sentences: readonly string[]): PromptTitle {
  let best = { ...nothing, sentence: '' }
  for (const [place, sentence] of sentences.entries()) {
    const found = titleOfSentence(sentence)
    if (found.weight > best.weight + (place === 0 ? 0 : 0.2)) best = { ...found, sentence }
    if (best.weight >= 0.8) break
  }
  if (!narrates.test(best.text)) return { text: best.text, weight: best.weight }
  const asked = sentences.filter((sentence) => requests.test(sentence.trim())).map(titleOfSentence)
  return asked.find(({ weight }) => weight >= 0.8) ?? { text: best.text, weight: best.weight }
}

const nothing: PromptTitle = { text: '', weight: 0 }
const maxRead = 12_000
const maxSentences = 12

/** Of a template with several fields, the one that holds the task. */
function taskField(prompt: string): string {
  const field =
    /(?:\[\[ ## (?:user_)?(?:query|question|task|request|instructions?|input|prompt) ## \]\]|@\[user\]:|<(?:user_query|query|task|question)>)([\s\S]*)/i.exec(
      prompt,
    )
  return field?.[1]?.trim() ? field[1] : prompt
}

/** Heading of a plan that the prompt hands over, or of a task with a heading of its own. */
function planHeading(prompt: string): string {
  const handsOver =
    /^\s*(?:please )?(?:implement|execute|follow|carry out) (?:the following|this|the) (?:plan|design|spec(?:ification)?|prd)\b/i.test(
      prompt,
    )
  const heading = (handsOver ? /^#{1,3} +(.+)$/m : /^\s*#{1,2} +(.+)$/).exec(
    handsOver ? prompt : (prompt.trimStart().split('\n')[0] ?? ''),
  )?.[1]
  if (heading === undefined || /^(?:context|summary|overview|background|goal)s?:?$/i.test(heading.trim())) return ''
  return heading.replace(/^(?:implementation )?(?:plan|task|review|spec|design|feature)\s*[:—–-]\s*/i, '').trim()
}

/** The person's own sentences; of a prompt without any, those of a program or the pasted text. */
function sentencesOf(prompt: string): string[] {
  const { spans, hasPaste } = humanText(prompt)
  const found = splitSentences(spans.map(({ start, end }) => prompt.slice(start, end)).join('\n'))
  if (found.some((sentence) => titleOfSentence(sentence).weight > 0)) return found
  const prose = prompt.replace(/```[\s\S]*?(?:```|$)/g, '\n')
  const lines = splitSentences(prose).filter((sentence) => !/^\s*(?:➜|❯|\$ |[%#>] )/.test(sentence))
  const complaint = lines.find((line) => /^(?:error|fatal|panic|[A-Z]\w*(?:Error|Exception))\b/i.test(line))
  return complaint && hasPaste ? [complaint, ...lines] : lines
}

function titleOfSentence(sentence: string): PromptTitle {
  // What follows a box or a wide gap was pasted from a terminal.
  const said = sentence.replace(/\s*(?:[│┃┌└├╭╰━─═╌]| {3,}\S)[\s\S]*$/, '')
  const introduces = /[:：]\s*$/.test(said)
  const text = shorten(withoutCourtesy(oneLine(shortUrls(said))))
  if (text === '' || role.test(text) || isHealthCheck(text) || speechAct(text) === 'approval') return nothing
  // "can you take a look at:" only introduces what follows.
  if (introduces && text.length < 60) return { text, weight: 0.15 }
  const counted = text.replace(/\S+#\d+|\b[\w-]+(?:\.[\w-]+)+\/\S*/g, 'reference')
  const words = new Set(contentWords(counted).filter((word) => !isVague(word)))
  const named = /[`"'#/_]|\.\w{1,4}\b|[a-z][A-Z]/.test(text) ? 1 : 0
  const size = words.size + named
  const weight = size === 0 ? 0 : Math.min(1, 0.1 + 0.2 * size)
  if (refersBack.test(text) || resumes.test(text)) return { text, weight: Math.min(weight, 0.15 + 0.1 * words.size) }
  const isAside =
    (words.size <= 4 && /\s(?:it|this|that|them)\b/.test(text)) || muses.test(text) || followsUp.test(said.trim())
  return { text, weight: isAside ? weight * 0.6 : weight }
}

/** Says how the agent should see itself, not what to do. */
const role = /^(?:you are|you're|act as|as) (?:a|an|the|now|my|our|working)\b/i

/** Needs the message before it to be understood. */
const refersBack =
  /^(?:(?:(?:ok(?:ay)?|yes|yeah|yep|no|sure|then|and|but|so|now|also|just|lets?|let's|please|go|try)[,.!]?\s+)*)(?:do|fix|make|try|use|add|remove|delete|commit|push|merge|run|apply|update|check|keep|close|open|finish|continue|proceed|go|it|that|this|those|these|them|both|all|option|the (?:first|second|last|same|other)|where (?:it|you|we) left off|yes|no|ok(?:ay)?|why|what|how|where|when|are you|did you|can you|is|was|does|did)(?:\s+(?:it|that|this|those|these|them|both|all|everything|again|ahead|on|now|please|for me|then|so|\d+|[a-d]))*[\s.,!?]*(?:$|(?:to|in|with|from|for|and|as) )/i

/** Goes on with something that is not named. */
const resumes = /^(?:continue|resume|go on|carry on|pick (?:it |this )?up|keep going)\b[^`/#]*$/i

/** An opinion or an aside on the way, not a task. */
const muses =
  /^(?:(?:it|this|that|they|these|those)\b(?! (?:\w+ )?test)|i (?:guess|think|thought|suppose|assume|believe|wonder|feel)|i'm (?:wondering|thinking|not sure|guessing)|not sure|maybe|perhaps|at this (?:point|juncture)|slight steering|it seems|it looks|looks like|seems like|my (?:point|question) is)\b/i

/** Tells how things are, or a rule; what is wanted follows. */
const narrates =
  /^(?:i(?:'ve| have)? (?:noticed|just|got|get|have|had|see|saw|am seeing)|i'm (?:getting|seeing|testing|working)|we (?:currently|now have|have|had)|currently|seeing|there(?:'s| is| are)|when i|in (?:pr|the pr)\b|.*\b(?:always use|never use|from now on)\b)/i

/** Says what is wanted. */
const requests =
  /\b(?:(?:can|could|would) (?:you|we)|please|i(?:'d| would) like|i want|i need|let'?s|we (?:need|should|want))\b|^(?:add|build|change|check|clean|compare|create|debug|delete|deploy|document|draw|explain|extract|find|fix|implement|improve|install|investigate|list|make|merge|migrate|move|refactor|release|remove|rename|replace|review|rewrite|run|set|show|split|start|test|translate|update|upgrade|use|write)\b/i

/** Goes on with the message before it. */
const followsUp = /^(?:then|and|but|or|dann|und|aber|oder|puis|entonces|also then)\b/i

/** Words that say nothing about the work. */
const vague = new Set(
  contentWords(
    `ok okay yes yeah yep sure thing things stuff something anything everything way bit try please help need want like
    think know see look check go going get make do did work good better best right wrong sorry guess maybe actually
    really still ahead continue proceed start finish issue problem question file code change changes hello hi hey`,
  ),
)

function isVague(stemmed: string): boolean {
  return vague.has(stemmed)
}

const courtesy =
  /^(?:(?:[A-Z]|\d{1,2})[).]\s+|(?:ok(?:ay)?|yes|yeah|yep|sure|alright|right|great|cool|nice|thanks?(?: you)?|hi|hello|hey(?: claude| codex)?|hmm+|mm+|ah|oh|well|so|now|then|and|also|sorry|actually|btw|first|next|finally|quick question|one more thing)(?:[,.!:;…—–-]+\s*|\s+(?=(?:can|could|would|please|let|i|we|the|what|how|why|also|now|then|so)\b))|(?:please|pls|plz|kindly|bitte|also)[,\s]+|(?:can|could|would|will) (?:you|we|u)(?: please| pls| also| just| maybe)?\s+(?!you\b|we\b)|i(?:'d| would) like (?:you )?to\s+|i want (?:you )?to\s+|i need (?:you )?to\s+|let'?s\s+(?:now\s+|just\s+)?|(?:kannst|könntest) du(?: bitte)?\s+|puedes\s+|peux-tu\s+|(?:take|have) a look at\s+|my (?:dude|man|friend)[,\s]+)/i

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

function shorten(text: string): string {
  const line = oneLine(text.replace(/\*\*/g, ''))
    .replace(/^[#>*\-•\s]+/, '')
    .replace(/[\s:;,.…]+$/, '')
  return ellipsize(line, maxTitleLength)
}
