// Rejects statements that are not worth a memory. Checked in code, because models propose them even
// when told not to.
import { sharedCount } from '../text/similarity.ts'
import { hasTerms, statementSimilarity, statementTerms } from '../text/statement.ts'
import { namesChoice } from './choices.ts'
import { type MemoryTrust, maxMemoryLength } from './memory.ts'

export interface Proposal {
  text: string
  trust: MemoryTrust
}

/**
 * The reason for the rejection; undefined if there is none. `instructions` are the lines of the
 * project's own instruction files.
 */
export function excluded({ text, trust }: Proposal, instructions: readonly string[] = []): string | undefined {
  const said = text.trim()
  if (said.length > maxMemoryLength)
    return `longer than ${maxMemoryLength} characters: split it into statements of their own`
  const isShort = !hasTerms(said, 2)
  if (isShort && !(trust === 'user said' && namesChoice(said))) return 'too short to be understood alone'
  if (redactedShare(said) > 0.3) return 'little is left of it without its secrets'
  if (trust !== 'user said') {
    if (taskState.test(said)) return 'the state of a task, not something that lasts'
    if (whereInCode.test(said)) return 'can be read from the code'
  }
  if (trust === 'tool printed' && instructing.test(said)) return 'an instruction that a tool printed'
  if (directsReader(said)) return 'text that tries to direct whoever reads it'
  if (instructions.length > 0 && isSaidThere(said, instructions)) return 'an instruction file says it already'
  return undefined
}

/** Whether a text asks for something to be done or left out, or obliges somebody to it. */
export function instructs(text: string): boolean {
  return text.split(/[.!?;:\n]\s*/).some((part) => imperative.test(part.trim()) || obliges.test(part))
}

/** Whether a text speaks to whoever reads it instead of stating something. */
export function directsReader(text: string): boolean {
  return injecting.test(text)
}

function redactedShare(text: string): number {
  const removed = text.match(/\[secret[^\]]*\]/g) ?? []
  return removed.join('').length / Math.max(1, text.length)
}

const taskState =
  /\b(?:is|are|was|were|has been|have been) (?:now )?(?:done|complete[d]?|finished|in progress|under way|pending|merged|pushed|committed|fixed now)\s*[.!]?$|^(?:next(?: step)?s?|todo|to do|remaining|still open|status)\s*:|\b(?:all|the) tests (?:now )?pass\b/i

const whereInCode =
  /^(?:the )?(?:function|method|class|component|type|interface|variable|constant|module|file|test)s? [`"']?[\w./:-]+[`"']? (?:is|are|lives?|stands?|can be found|is defined|is located|is declared|is implemented) (?:in|at|under|inside) [`"']?[\w./-]+[`"']?(?::\d+)?\.?$/i

const instructing =
  /^(?:please |you (?:must|should|need to|have to|are to) |always |never |do not |don't |ignore |run |use |execute |install |delete |send |open |visit |remember )/i

const imperative =
  /^(?:(?:please|also|then|just|kindly|first|finally|instead|otherwise)\b,? )*(?:always|never|do(?:n't| not)?|let|make|ensure|be|ignore|run|use|execute|install|delete|send|open|visit|remember|call|add|remove|set|write|read|keep|put|store|log|push|pull|merge|commit|deploy|publish|upload|download|fetch|skip|avoid|prefer|ask|tell|wait|stop|start|restart|check|disable|enable|trust|give|grant|copy|paste|import|export|change|edit|update|upgrade|create|build|test|format|review|approve|accept|allow|follow|apply|replace|rename|move|switch|go|see|look|try|get|take|treat|assume|consider|include|exclude|report|return|reply|answer|pass|pin|bump|tag|rebase|squash|revert|reset|force|sign|verify|append|prepend|configure|note)\b(?!')/i
const obliges =
  /\b(?:must|mustn't|should|shouldn't|shall|ought to|has to|have to|needs? to|need not|needn't|never|always|may not|not allowed|forbidden|required to|supposed to|expected to|mandatory)\b/i

const injecting =
  /\b(?:ignore|disregard|forget) (?:all |any |the )?(?:previous|prior|above|earlier|other) (?:instructions?|messages?|rules?|prompts?)\b|<\/?(?:system|assistant|system-reminder|recollect-\w+)[\s>]|\byou are now (?:a|an|in) \b.{0,40}\bmode\b/i

function isSaidThere(text: string, instructions: readonly string[]): boolean {
  const mine = statementTerms(text)
  return instructions.some((line) => {
    const theirs = statementTerms(line)
    if (mine.isNegative !== theirs.isNegative) return false
    const isWithin = mine.words.size > 4 && sharedCount(mine.words, theirs.words) === mine.words.size
    return (
      statementSimilarity(mine, theirs) > 0.8 ||
      (isWithin && sharedCount(mine.values, theirs.values) === mine.values.size)
    )
  })
}
