// A prompt in a few sentences that contain what it asks for: people often describe the situation first,
// or tell the agent who it is.
import { splitSentences } from '../text/sentences.ts'
import { ellipsizeSentence } from '../text/truncate.ts'

/** At most about `max` characters; the description before a request is shortened to its first sentence. */
export function requestGist(text: string, max: number): string {
  const all = splitSentences(text)
  const told = all.filter((sentence) => !isRole.test(sentence))
  const sentences = told.length > 0 ? told : all
  const whole = sentences.join(' ')
  const place = sentences.findIndex((sentence) => asks.test(sentence.trim()))
  const end = sentences.slice(0, place + 1).join(' ').length
  if (whole.length <= max || place <= 0 || end <= max) return ellipsizeSentence(whole, max)
  const [situation = ''] = sentences
  const lead = situation.length <= max / 2 ? `${situation} … ` : ''
  return `${lead}${ellipsizeSentence(sentences.slice(place).join(' '), max - lead.length)}`
}

const isRole = /^(?:you are|you're|act as) (?:a|an|the|now|my|our)\b/i
const asks =
  /\?["'”’)*_`]*$|^(?:(?:so|now|then|and|also|but|ok(?:ay)?)[, ]+)*(?:(?:can|could|would|will) (?:you|we|u)\b|please\b|let'?s\b|lets\b|i(?:'d| would) like\b|i (?:want|need)\b|we (?:need|should|want)\b|(?:add|build|change|check|clean|compare|create|debug|delete|deploy|do|document|explain|extract|find|fix|give|implement|improve|install|investigate|list|look|make|merge|migrate|move|refactor|release|remove|rename|replace|review|rewrite|run|set|show|split|start|take|tell|test|translate|update|upgrade|use|write)\b)/i
