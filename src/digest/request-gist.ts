// A prompt without what stands before its request: people often describe the situation first, or tell the
// agent who it is.
import { splitSentences } from '../text/sentences.ts'
import { ellipsize } from '../text/truncate.ts'

/**
 * The sentences of a prompt; if its request would not be within the first `max` characters, what stands
 * before it is shortened to the beginning of the first sentence.
 */
export function requestGist(text: string, max: number): string {
  const all = splitSentences(text)
  const told = all.filter((sentence) => !isRole.test(sentence))
  const sentences = told.length > 0 ? told : all
  const place = sentences.findIndex((sentence) => asks.test(sentence.replace(/^…\s*/, '')))
  const end = sentences.slice(0, place + 1).join(' ').length
  if (place <= 0 || end <= max) return sentences.join(' ')
  const situation = ellipsize(sentences[0]!.replace(/[.!…]+$/, ''), Math.floor(max / 2)).replace(/…$/, '')
  return `${situation}… ${sentences.slice(place).join(' ')}`
}

const isRole = /^(?:you are|you're|act as) (?:a|an|the|now|my|our)\b/i
const asks =
  /\?["'”’)*_`]*$|^(?:(?:so|now|then|and|also|but|ok(?:ay)?)[, ]+)*(?:(?:can|could|would|will) (?:you|we|u)\b|please\b|let'?s\b|lets\b|i(?:'d| would) like\b|i (?:want|need)\b|we (?:need|should|want)\b|(?:add|build|change|check|clean|compare|create|debug|delete|deploy|do|document|explain|extract|find|fix|give|implement|improve|install|investigate|list|look|make|merge|migrate|move|refactor|release|remove|rename|replace|review|rewrite|run|set|show|split|start|take|tell|test|translate|update|upgrade|use|write)\b)/i
