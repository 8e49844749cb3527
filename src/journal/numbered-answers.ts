// Pairs a numbered prompt with the points that the agent numbered before it. People number their requests
// too, so only a prompt that answers what was asked at the end of the reply is paired.
import { closingQuestion } from '../digest/reply-end.ts'
import { contentWords } from '../text/content-words.ts'
import { firstSentences } from './prose.ts'

export interface NumberedAnswer {
  /** The point that is answered, as the beginning of a line. */
  point: string
  answer: string
}

/** "1. yes 2. the second". Empty unless most of the prompt answers. */
export function numberedAnswers(prompt: string, reply: string): NumberedAnswer[] {
  const items = itemsOf(prompt)
  if (items.length < 2) return []
  const points = closingPoints(reply)
  if (points.size < 2 || items.some(({ number }) => !points.has(number))) return []
  if (!isSelection(items) && items.length * 2 < points.size) return []
  const pairs = items
    .filter(({ text }) => !text.includes('?'))
    .map(({ number, text }) => ({ point: points.get(number)!, text }))
  // Without a question only words such as "yes" show that a list answers.
  const answers = isAsked(reply, [...points.values()]) ? isAnswer : decides
  const found = pairs.filter(({ point, text }) => answers(text, point))
  if (found.length < 2 || found.length < pairs.length * minAnswerShare) return []
  return found.map(({ point, text }) => ({ point: asLabel(point), answer: firstSentences(text, 200) }))
}

const minAnswerShare = 0.75
const maxPromptLength = 1500
const maxItemLength = 300

interface Item {
  number: number
  text: string
}

/** The prompt begins with the list. What follows the list belongs to no item. */
function itemsOf(prompt: string): Item[] {
  if (prompt.length > maxPromptLength) return []
  const [lead = '', ...parts] = prompt.split(/^[ \t]*(\d{1,2})[.)][ \t]+/m)
  if (!opensAnswers.test(lead.trim())) return []
  const items: Item[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [text = ''] = parts[at + 1]!.split(/\n\s*\n/)
    items.push({ number: Number(parts[at]), text: text.trim() })
  }
  return items.some(({ text }) => text === '' || text.length > maxItemLength) ? [] : items
}

const opensAnswers =
  /^(?:(?:ok(?:ay)?|sure|thanks?(?: you)?|great|good|right|hi|so|and|(?:here are |these are )?(?:my |the )?(?:answers?|decisions?|replies)|antworten|respuestas|réponses)[\s,.:!-]*)*$/i

/** "2. yes 5. no" names points; "1. … 2. …" may be any list. */
function isSelection(items: readonly Item[]): boolean {
  return items.some(({ number }, index) => number !== index + 1)
}

/** The last numbered list of a reply, if it stands at its end: the text of each point by its number. */
function closingPoints(reply: string): Map<number, string> {
  const text = reply.replace(/^```[\s\S]*?^```/gm, '')
  let points = new Map<number, string>()
  let last = 0
  let end = 0
  const found = [...text.matchAll(numberedPoint)]
  for (const [index, match] of found.entries()) {
    const number = Number(match[1])
    if (number <= last) points = new Map()
    const next = found[index + 1]?.index ?? text.length
    points.set(number, text.slice(match.index + match[0].length - match[2]!.length, next).trim())
    last = number
    end = match.index
  }
  return text.length - end <= maxClosing ? points : new Map()
}

const numberedPoint =
  /^[ \t]*(?:#+[ \t]+)?\**(?:(?:item|question|point|issue|step)[ \t]+|q)?(\d{1,2})[.):][ \t]*\**[ \t]*(\S[^\n]*)$/gim

/** The last point with what stands behind it. */
const maxClosing = 1500

/** Most points are questions, or the reply ends with one about them. */
function isAsked(reply: string, points: readonly string[]): boolean {
  const questions = points.filter((point) => /[?？]/.test(point.split(/\n\s*\n/)[0]!))
  if (questions.length * 2 >= points.length) return true
  const closing = closingQuestion(reply)
  return closing !== undefined && (!closing.isOffer || namesPoints.test(closing.text))
}

const namesPoints = /\b(?:these|those|them|any|all|each|which|points?|items?|steps?|options?|changes?)\b/i

function isAnswer(text: string, point: string): boolean {
  if (decides(text)) return true
  const words = contentWords(text)
  const known = new Set(contentWords(point))
  if (words.some((word) => known.has(word))) return true
  return text.split(/\s+/).length <= maxShort && !isRequest.test(text)
}

/** Longer ones that share no word with a point do not answer it. */
const maxShort = 5

function decides(text: string): boolean {
  return decisive.test(text)
}

const decisive =
  /^(?:yes|yeah|yep|yup|ye?a|no|nope|nah|ok(?:ay)?|sure|agreed?|correct|right|exactly|true|false|fine|good|great|sounds good|skip|keep|drop|leave|both|all|none|neither|either|not|never|always|don'?t|do (?:it|that|both|not)|go (?:with|for|ahead)|the (?:first|second|third|last|former|latter)|option|later|defer|ignore|accept(?:able)?|reject|i (?:agree|think|prefer|would|don'?t)|i'd|let'?s|whatever|up to you|your call|ja|nein|sí|si|oui|non|да|нет|是|不|好|はい|いいえ)(?![\p{L}\p{N}])/iu

/** What is to be done is no answer, however short. */
const isRequest =
  /^(?:please |also |then |now )*(?:add|bump|build|change|check|clean|close|commit|convert|create|delete|deploy|document|fetch|find|fix|get|implement|improve|install|investigate|look|make|merge|migrate|move|open|port|push|read|rebase|refactor|release|remove|rename|replace|research|review|rewrite|run|set|show|start|tag|tell|test|try|update|upgrade|use|verify|write)\b/i

function asLabel(point: string): string {
  // `**The index is stale.** It is built …`: the heading says what it is about.
  const heading = /^([^*\n]{4,120}[.:?!])\*\*/.exec(point)?.[1]
  const label = firstSentences(heading ?? point.split('\n')[0]!, 200)
  return /\?$/.test(label) ? label : `${label.replace(/[.:;,]$/, '')}:`
}
