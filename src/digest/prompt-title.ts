// Turns a prompt into a line that says what it asks for: the sentence that says most, without roles,
// templates and pasted output.
import { hasSpeaker, humanText } from '../text/human-text.ts'
import { splitSentences } from '../text/sentences.ts'
import { isHealthCheck, templateMarks } from './classify-prompt.ts'
import {
  introducesMore,
  isLogLine,
  logWeight,
  narrates,
  noTitle,
  type PromptTitle,
  quotedFactor,
  quotes,
  titleOfSentence,
  topicWords,
} from './sentence-title.ts'
import { joinTitle, refersBack, requestIn, shortenTitle } from './shorten-title.ts'

/** The sentence of a prompt that says most, shortened to a title. */
export function titleOfPrompt(prompt: string): PromptTitle {
  const plain = withoutDocuments(taskField(prompt.slice(0, maxRead)))
    .replace(templateMarks, '\n')
    .replace(/\[image[^\]\n]*\]/gi, '\n')
  const heading = planHeading(plain)
  if (heading !== '') return { text: shortenTitle(heading).text, weight: 1, clarity: 'clear' }
  if (isHealthCheck(prompt)) return noTitle
  const message = messageInJson(plain)
  if (message !== '') return { text: shortenTitle(message).text, weight: logWeight, clarity: 'unclear', isLog: true }
  const { sentences, isLog } = sentencesOf(plain)
  const title = bestSentence(sentences.slice(0, maxSentences))
  return isLog ? { ...title, weight: Math.min(title.weight, logWeight), clarity: 'unclear', isLog } : title
}

const maxRead = 12_000
const maxSentences = 12

/** An earlier sentence is preferred, unless it only tells how things are and a request follows. */
function bestSentence(sentences: readonly string[]): PromptTitle {
  const pasted = pastedFrom(sentences)
  const titles = sentences.map((sentence, place) => {
    const title = titleWithNext(sentence, sentences[place + 1])
    return place < pasted.from || hasSpeaker(sentence) ? title : { ...title, weight: title.weight * pasted.factor }
  })
  let best = 0
  for (const [place, { weight }] of titles.entries()) {
    if (weight > titles[best]!.weight + (place === 0 ? 0 : 0.2)) best = place
    if (titles[best]!.weight >= 0.8) break
  }
  const found = titles[best]
  if (!found) return noTitle
  if (narrates.test(found.text)) return requestAfter(sentences, titles, best)
  if (best < pasted.from - 1) return found
  const advised = titles.findIndex((_, place) => place >= pasted.from && advises.test(sentences[place]!))
  return advised < 0 ? found : { ...titles[advised]!, clarity: 'unclear' }
}

/** A request that introduces a list is completed by its first item: "add a page: list the stations". */
function titleWithNext(sentence: string, next: string | undefined): PromptTitle {
  const title = titleOfSentence(sentence)
  if (!next || !introducesMore(sentence) || !requests.test(sentence) || topicWords(title.text).size === 0) return title
  const item = titleOfSentence(next)
  if (item.weight < minRequest || isLogLine(next)) return title
  const request = (requestIn(sentence)?.text ?? title.text).replace(/\s*(?:that (?:would|will|should))?[\s:：]*$/i, '')
  return { text: shortenTitle(`${request}: ${item.text}`).text, weight: item.weight, clarity: 'cut' }
}

/** Where a log or a text that was handed over begins; sentences without a speaker after it belong to it. */
function pastedFrom(sentences: readonly string[]): { from: number; factor: number } {
  const log = sentences.findIndex(isLogLine)
  const text = sentences.findIndex((sentence) => handsOver.test(sentence))
  if (log >= 0 && (text < 0 || log < text)) return { from: log + 1, factor: logWeight }
  return { from: text < 0 ? sentences.length + 1 : text + 1, factor: quotedFactor }
}

/** "can you check: The cache never …" */
const handsOver = new RegExp(
  `^(?:(?:can|could|would) you (?:please )?(?:also )?|please )?${quotes.source.slice(1)}`,
  'iu',
)

/** What was pasted often ends with what should be done. */
const advises =
  /^(?:consider|(?:we|i)(?:'d| would)? (?:recommend|suggest)) |\bshould (?:be|either|not|instead|use|return)\b/i

/** The request after an account of how things are; with the account, where the request refers to it. */
function requestAfter(sentences: readonly string[], titles: readonly PromptTitle[], told: number): PromptTitle {
  const account = titles[told]!
  const inside = requestIn(sentences[told]!)
  if (inside) {
    const clause = titleOfSentence(inside.text)
    if (clause.weight >= minRequest && !refersBack.test(clause.text)) return clause
    return { ...account, text: joinTitle(inside.before, clause.text || inside.text), clarity: 'unclear' }
  }
  const asked = sentences.findIndex(
    (sentence, place) => place !== told && requests.test(sentence.trim()) && titles[place]!.weight >= minRequest,
  )
  if (asked < 0) return { ...account, text: symptomOf(account.text, sentences[told]!) }
  const request = titles[asked]!
  if (!refersBack.test(request.text)) return request
  const symptom = symptomOf(account.text, sentences[told]!)
  const text = request.text.length <= maxWithSymptom ? joinTitle(symptom, request.text) : symptom
  return { text, weight: Math.max(account.weight, request.weight), clarity: 'unclear' }
}

const minRequest = 0.5
/** A longer request leaves no room for the symptom. */
const maxWithSymptom = 40

/** "I've noticed that there's a delay before it ends" becomes "a delay before it ends". */
function symptomOf(title: string, sentence: string): string {
  const said = sentence
    .replace(/\s\([^()]{3,}\)/g, '')
    .replace(/^(?:(?:i(?:'ve| have)? noticed|i(?:'m| am) (?:seeing|getting)|seeing|currently)(?: that)?[,:]? )/i, '')
  const short = shortenTitle(said.length > maxSymptom ? said.replace(/^.*?\bthere(?:'s| is| are) (?=\w)/i, '') : said)
  return short.text === '' ? title : short.text
}

const maxSymptom = 80

/** Says what is wanted. */
const requests =
  /\b(?:(?:can|could|would) (?:you|we)|please|i(?:'d| would) like|i want|i need|let'?s|we (?:need|should|want))\b|^(?:add|build|change|check|clean|compare|create|debug|delete|deploy|document|draw|explain|extract|find|fix|implement|improve|install|investigate|list|make|merge|migrate|move|refactor|release|remove|rename|replace|review|rewrite|run|set|show|split|start|test|translate|update|upgrade|use|write)\b/i

/** Of a template with several fields, the one that holds the task. */
function taskField(prompt: string): string {
  const field =
    /(?:\[\[ ## (?:user_)?(?:query|question|task|request|instructions?|input|prompt) ## \]\]|@\[user\]:|(?:^|\n)[ \t]*<(?:user_query|query|task|question)>)([\s\S]*)/i.exec(
      prompt,
    )
  return field?.[1]?.trim() ? field[1] : prompt
}

/** Pages of documentation that a program adds to a question. */
function withoutDocuments(prompt: string): string {
  if (!/<doc|^# relevant docs/im.test(prompt)) return prompt
  return prompt
    .replace(/<(docs?|documents?)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/gi, '\n')
    .replace(/^# relevant docs:?.*$/gim, '')
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

/** The message of an error that was pasted as JSON. */
function messageInJson(prompt: string): string {
  const text = prompt.trim()
  if (!/^[{[][\s\S]*[}\]]$/.test(text)) return ''
  const message = /"(?:message|error_description|detail)"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(text)?.[1] ?? ''
  return message.replace(/\\n/g, ' ').replace(/\\(["\\/])/g, '$1')
}

/** The person's own sentences; of a prompt without any, those of a program or the pasted text. */
function sentencesOf(prompt: string): { sentences: string[]; isLog: boolean } {
  const { spans, hasPaste } = humanText(prompt)
  const found = splitSentences(spans.map(({ start, end }) => prompt.slice(start, end)).join('\n'))
  if (found.some((sentence) => titleOfSentence(sentence).weight > 0)) return { sentences: found, isLog: false }
  const prose = prompt.replace(/```[\s\S]*?(?:```|$)/g, '\n')
  const lines = splitSentences(prose).filter((sentence) => !/^\s*(?:➜|❯|\$ |[%#>] )/.test(sentence))
  const complaint = lines.find((line) => /^(?:error|fatal|panic|[A-Z]\w*(?:Error|Exception))\b/i.test(line))
  if (complaint && hasPaste) return { sentences: [complaint, ...lines], isLog: true }
  return { sentences: lines, isLog: hasPaste && lines.some(isLogLine) }
}
