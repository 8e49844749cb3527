// Prompts and replies as lines of a journal entry: whole sentences of prose, without code, tables,
// headings and phrases that say nothing.
import { contentWords } from '../text/content-words.ts'
import { withoutEmphasis } from '../text/markdown.ts'
import { splitSentences } from '../text/sentences.ts'
import { ellipsize } from '../text/truncate.ts'

/**
 * The first whole sentences of a text within `max` characters; a first sentence that is longer is
 * kept whole up to three times as much. A colon at the end is removed.
 */
export function firstSentences(text: string, max: number): string {
  const sentences = splitSentences(withoutEmphasis(beforeSections(text)))
  let kept = ''
  for (const sentence of sentences) {
    if (isCut(sentence) && kept !== '') break
    const longer = kept === '' ? sentence : `${kept} ${sentence}`
    if (longer.length > (kept === '' ? 3 * max : max)) break
    kept = longer
  }
  return (kept || clause(sentences[0] ?? '', 3 * max)).replace(/\s*[:：]$/, '')
}

/** A document on one line: its title and what stands before the first section. */
function beforeSections(line: string): string {
  const [head = ''] = line.replace(/^#+\s+/, '').split(/\s#{2,6}\s/)
  return head.replace(/\s#\s+/g, ' ')
}

/**
 * What a reply says, in whole sentences within `max` characters, without those that stand in `told`.
 * Empty if it only announces something.
 */
export function replySentences(text: string, max: number, told: readonly string[] = []): string {
  const isTold = (sentence: string | undefined) =>
    sentence !== undefined && told.some((other) => other.includes(sentence))
  // A sentence that refers to one that is left out is left out as well.
  const sentences = statementsOf(text).filter(
    (sentence, at, all) => !isTold(sentence) && !(isTold(all[at - 1]) && refersBack.test(sentence)),
  )
  const alone = sentences.findIndex((sentence) => !isFiller(sentence) && standsAlone(sentence))
  const first = alone < 0 ? sentences.findIndex((sentence) => !isFiller(sentence)) : alone
  if (first < 0) return ''
  const kept: string[] = []
  let room = max
  for (const sentence of sentences.slice(first)) {
    if (isFiller(sentence)) continue
    if (sentence.length + 1 > (kept.length === 0 ? 2 * max : room)) break
    kept.push(sentence)
    room -= sentence.length + 1
  }
  return kept.join(' ')
}

/** Whether a sentence says what it is about, so that an answer can begin with it. */
function standsAlone(sentence: string): boolean {
  return !refersBack.test(sentence) && contentWords(sentence).length >= 2
}

const refersBack =
  /^(?:it|this|that|these|those|they|both|same|all (?:of (?:them|it|these)|two|three|four|five|six|\d+)|the (?:first|second|former|latter|other|rest)|and|but|also|so|then)\b|^i(?:'ve| have)? (?:\w+ )?(?:sent|did|made|added|changed|fixed|moved|put|noted|updated|did|done) (?:that|this|it|them)\b/i

/**
 * The sentences of a reply. The items of a list follow what announces them; other items are
 * sentences of their own.
 */
export function statementsOf(text: string): string[] {
  const statements: string[] = []
  const blocks = blocksOf(text)
  for (const [at, { line, isItem }] of blocks.entries()) {
    if (isItem && isAnnounced(blocks, at)) continue
    const sentences = splitSentences(line)
    for (const [place, sentence] of sentences.entries()) {
      const isLast = place === sentences.length - 1
      if (/[:：]$/.test(sentence)) {
        const list = isLast && !isItem ? listAfter(blocks, at) : ''
        if (list !== '') statements.push(`${sentence} ${list}.`)
      } else if (!isCut(sentence)) statements.push(isItem || isLast ? ended(sentence) : sentence)
    }
  }
  return statements
}

interface Block {
  line: string
  isItem: boolean
}

const listMark = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?/
/** Headings, tables, rules, images, HTML, and box drawing. */
const notProse = /^\s*(?:#{1,6}\s|\||[-*_=─═]{3,}\s*$|!\[|<[/!a-z]|[─│┌└├╭╰]|`?[★✻]\s)/i

/** Paragraphs and list items; lines that were wrapped are joined. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let isOpen = false
  for (const source of withoutCode(text).split('\n')) {
    const line = withoutEmphasis(source.replace(/^\s*>\s?/, '').replace(listMark, ''))
    if (line === '' || notProse.test(source) || isPath(line)) {
      isOpen = false
      continue
    }
    const isItem = listMark.test(source)
    if (isOpen && !isItem && !/[.!?:：]$/.test(blocks.at(-1)!.line)) blocks.at(-1)!.line += ` ${line}`
    else blocks.push({ line, isItem })
    isOpen = true
  }
  return blocks
}

function isPath(line: string): boolean {
  return /^`?\S*[/.\\]\S*`?$/.test(line) && !/[.!?]$/.test(line)
}

function isAnnounced(blocks: readonly Block[], at: number): boolean {
  const head = blocks.slice(0, at).findLast(({ isItem }) => !isItem)
  return head !== undefined && /[:：]$/.test(head.line)
}

const maxItems = 4
const maxListLength = 320

/** The announced list as the end of a sentence; empty if it is long. */
function listAfter(blocks: readonly Block[], at: number): string {
  const rest = blocks.slice(at + 1)
  const end = rest.findIndex(({ isItem }) => !isItem)
  const items = (end < 0 ? rest : rest.slice(0, end)).map(({ line }) => line.replace(/[.;,]$/, ''))
  const text = items.join('; ')
  return items.length <= maxItems && text.length <= maxListLength && !/[:：]$/.test(text) ? text : ''
}

export function ended(sentence: string): string {
  return /[.!?。！？…]["'”’)\]`]*$/.test(sentence) ? sentence : `${sentence}.`
}

/** A text that was shortened when it was stored. */
export function isCut(sentence: string): boolean {
  return /(?:…|\.\.\.)$/.test(sentence)
}

/** Of a sentence that is too long, what stands before its last comma. */
function clause(sentence: string, max: number): string {
  const cut = ellipsize(sentence, max)
  const end = Math.max(...[', ', '; ', ' ('].map((mark) => cut.lastIndexOf(mark)))
  return isCut(cut) && end > cut.length / 3 ? `${cut.slice(0, end)}…` : cut
}

/** Politeness, questions, announcements of what comes next, and what has no words. */
export function isFiller(text: string): boolean {
  const sentence = text.replaceAll('’', "'")
  if (/\?["')*_`]*$/.test(sentence) || /^`[^`]*`\W*$/.test(sentence)) return true
  return polite.test(sentence) || announces.test(sentence) || !/\p{L}{2,}.*\s.*\p{L}{2,}/u.test(sentence)
}

const polite =
  /^(?:certainly|sure|of course|great|perfect|excellent|understood|got it|ok(?:ay)?|alright|absolutely|good (?:point|catch|question|idea|call)|you(?:'re| are) (?:absolutely |totally |quite )?(?:right|correct)|you raise|that's a (?:good|great|fair)|i (?:apologi[sz]e|understand)|(?:i'm |i am )?(?:very )?sorry|my apologies|thanks?(?: you)?|done|yes|no (?:problem|worries)|found it|glad|happy to|you're welcome|all right|good (?:night|luck)|gerne|bitte|de rien|de nada)\b[^.!?]{0,70}[.!?]$/i
const announces =
  /^(?:(?:certainly|sure|of course|ok(?:ay)?|now|first|next|then|so|also|alright|great|perfect)[,!.]?\s+)*(?:let me\b|let's\b|i'll\b|i will\b|i'm going to\b|i am going to\b|i'm (?:now|currently|making|checking|going|starting|looking)\b|we'll\b|(?:we|you)(?:'ll)? (?:need|have) to\b|here(?:'s| is| are)\b|to (?:do|implement|achieve|fix|address) (?:this|that)|please (?:provide|add|let me know)|feel free|if you (?:have|need|want|would|'d))/i

/**
 * Without fenced code and search-and-replace blocks; an unclosed one goes to the end of the text.
 */
function withoutCode(text: string): string {
  return text
    .replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|$(?![\s\S]))/gm, '\n')
    .replace(/^<{5,} SEARCH[\s\S]*?(?:^>{5,} REPLACE.*$|$(?![\s\S]))/gm, '\n')
}

/** A reply that was shortened in the middle may be cut inside of code: closes the code on both sides of the gap. */
export function withClosedCode(reply: string): string {
  const [head = '', ...rest] = reply.split(/\n\[\.\.\.\]\n/)
  if (rest.length === 0) return reply
  const tail = rest.join('\n\n')
  const isOpen = (text: string) => (text.match(/^ {0,3}(?:`{3,}|~{3,})/gm)?.length ?? 0) % 2 === 1
  return `${head}${isOpen(head) ? '\n```' : ''}\n\n${isOpen(tail) ? '```\n' : ''}${tail}`
}
