// Finds the parts of a prompt that the person typed. Pasted logs, code, diffs, reviews and plans are
// full of "never", "always" and "the issue was", and say nothing about what the person wants.
// Prompts of programs (harnesses, evaluations, templates) are nobody's words.
import { detached } from './detached.ts'

/** Offsets in the prompt. */
export interface Span {
  start: number
  end: number
}

export interface HumanText {
  /** One span per paragraph or list item; hard-wrapped lines are joined. */
  spans: readonly Readonly<Span>[]
  /** Whether the prompt also contains pasted text. */
  hasPaste: boolean
}

/** Only both ends of a long prompt are read: people write before or after what they paste. */
const headLength = 8000
const tailLength = 4000

export function humanText(prompt: string): HumanText {
  const known = knownPrompts.get(prompt)
  if (known) return known
  const found = readHumanText(prompt)
  if (knownPrompts.size >= maxKnown) knownPrompts.clear()
  knownPrompts.set(detached(prompt), found)
  return found
}

/** A cache: several readers ask about the prompts of a session. */
const knownPrompts = new Map<string, HumanText>()
const maxKnown = 100

function readHumanText(prompt: string): HumanText {
  if (isMachineBrief(prompt.slice(0, headLength))) return { spans: [], hasPaste: true }
  const parts: Span[] =
    prompt.length <= headLength + tailLength
      ? [{ start: 0, end: prompt.length }]
      : [
          { start: 0, end: headLength },
          { start: prompt.indexOf('\n', prompt.length - tailLength) + 1 || prompt.length, end: prompt.length },
        ]
  const kept = parts.map((part) => paragraphsOf(prompt, part))
  const own = kept.flatMap((part) => part.paragraphs)
  const paragraphs = own.filter((span, index) => !isReport(prompt, span, own[index - 1]))
  const hasPaste = parts.length > 1 || kept.some((part) => part.hasPaste) || paragraphs.length < own.length
  const isReview = paragraphs.some((span) =>
    reviewLine.test(prompt.slice(span.start, Math.min(span.end, span.start + 1000))),
  )
  if (!isReview) return { spans: paragraphs, hasPaste }
  // Next to a pasted review, only paragraphs with "I", "we" or "you" are the person's own.
  return { spans: paragraphs.filter((span) => speaker.test(prompt.slice(span.start, span.end))), hasPaste: true }
}

/** A task written by a program or an agent: a plan, a role, a hand-over with sections, a template. */
function isMachineBrief(head: string): boolean {
  if (handedOver.test(head) || template.test(head) || demandsFormat(head)) return true
  const headings = head.match(/^#{1,4} \S/gm)?.length ?? 0
  const isRole = /^\s*(?:#+ .{0,80}\n\s*)?you are (?:a|an|the|now|working)\b/i.test(head)
  return headings >= 3 || (isRole && head.length > 600)
}

const handedOver =
  /^\s*(?:(?:please )?(?:implement|execute|follow|carry out) (?:the following|this|the) (?:plan|design|spec(?:ification)?|prd)\b[^\n]{0,40}(?::|\n)|this session is being continued|caveat: the messages below|<task-notification|<system-reminder)/i

/** Placeholders and fields of prompt templates: `[[ ## query ## ]]`, `{{input}}`, `### Input:`. */
const template =
  /\[\[ ## \w+ ## \]\]|^\s*\{\{\s*\w+\s*\}\}\s*$|^#{2,3} (?:instructions?|input|response|output format)\s*:?\s*$|^<(?:instructions|output_format|user_query|context|examples?)>\s*$/im

/** Programs say how the answer must look, because they parse it. */
function demandsFormat(head: string): boolean {
  return formatDemands.some((demand) => demand.test(head))
}

const formatDemands = [
  /\b(?:respond|reply|answer|return|output|produce)\b(?: \w+){0,3}? (?:only|just|exclusively|nothing but|strictly|solely)\b[^.\n]{0,40}\b(?:json|xml|yaml|csv|the (?:letter|number|word|label|answer|translation|title)|a (?:single )?(?:letter|number|word|integer|label)|one word|yes or no)\b/i,
  /\b(?:respond|reply|answer|return|output)\b[^.\n]{0,40}\bjson only\b|\b(?:valid )?json (?:object|array)? ?(?:and|with) nothing else\b|\bonly (?:output|return|respond with) (?:valid )?json\b/i,
  /\b(?:do not|don't|no|without) (?:add |include |output |use |write |any )*(?:markdown|code fences|backticks|preamble|commentary)(?:,? (?:or|and|nor) (?:any )?(?:explanations?|markdown|commentary|code fences|prose|preamble))/i,
  /\b(?:do not|don't) (?:add|include|provide|output) (?:any )?(?:explanations?|commentary|prose) (?:or|and) (?:markdown|code fences|formatting)\b/i,
  /\byour (?:response|output|answer|reply) (?:must|should|will) (?:be (?:a )?(?:valid )?(?:json|xml)|follow|match|conform to) (?:the |this )?(?:json|schema|format|following)?/i,
  /^\s*(?:given|you will be given|you are given|you will receive)\b[^\n]{0,120}\b(?:classify|extract|summari[sz]e|generate|produce|decide|determine|return|output)\b/i,
]

/** A paragraph about code without a speaker, or one introduced as a quote of another person. */
function isReport(prompt: string, span: Span, before: Span | undefined): boolean {
  const text = prompt.slice(span.start, Math.min(span.end, span.start + 2000))
  if (announces.test(text)) return true
  const said = before === undefined ? '' : prompt.slice(Math.max(before.start, before.end - 200), before.end)
  if (text.length >= 60 && announces.test(said)) return true
  return text.length >= minReport && !speaker.test(text) && new Set(text.match(codeNames)).size >= 2
}

const minReport = 150

const announces =
  /\b(?:feedback|reviewed|reviews?|reviewers?|comments?|report(?:ed|s)?|findings?|suggestions?|says?|said|wrote)\b[^.?!]{0,60}:\s*$/i
const codeNames =
  /\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w+\(\)|[\w/.-]+\.(?:go|py|ts|tsx|js|rs|java|rb|c|cpp)\b(?::\d+)?)/g

const reviewLine =
  /^\W*(?:(?:critical|high|medium|low|minor|major) (?:severity|priority)|severity\b|p[0-3]\b[:\s-]|nit(?:pick)?:|suggestion:|issue:|(?:potential|possible) issue\b|refactor suggestion\b|nitpick|actionable comments?\b|additional locations\b|prompt for ai agents?\b|verify each finding\b|in `?@?[\w./-]+\.\w+`? (?:around|at) lines?\b)|\bconsider (?:\w+ly )?(?:\w+ing|either)\b|\b(?:this|which|that) (?:could|can|may|will|would|might) (?:lead to|cause|result in|break|fail)\b/im
/** Whether a person speaks of themselves, their team or to a reader. */
export function hasSpeaker(text: string): boolean {
  return speaker.test(text)
}

const speaker = /\b(?:i|i'm|i'd|i've|i'll|we|we're|we'd|we've|let's|our|my|you|please|me|us)\b/i

function paragraphsOf(prompt: string, part: Span): { paragraphs: Span[]; hasPaste: boolean } {
  const blocks = blocksOf(prompt, part)
  return {
    paragraphs: blocks.flatMap((block) => joinWrapped(prompt, ownLines(prompt, block))),
    hasPaste: blocks.some((block) => block.some((line) => line.isPasted)),
  }
}

interface Line extends Span {
  isPasted: boolean
}

/** Lines between empty lines. Fenced lines count as pasted. */
function blocksOf(prompt: string, part: Span): Line[][] {
  const blocks: Line[][] = [[]]
  let fence: string | null = null
  let isInTrace = false
  let previous = ''
  for (const line of linesOf(prompt, part)) {
    const text = prompt.slice(line.start, Math.min(line.end, line.start + 2000))
    const mark = /^\s*(```|~~~|""")/.exec(text)?.[1] ?? null
    if (fence !== null) {
      blocks.at(-1)!.push({ ...line, isPasted: true })
      if (text.includes(fence)) {
        fence = null
        blocks.push([])
      }
    } else if (mark !== null) {
      if (!text.slice(text.indexOf(mark) + 3).includes(mark)) fence = mark
      blocks.push([{ ...line, isPasted: true }])
    } else if (text.trim() === '') blocks.push([])
    else {
      if (/^\s*(?:Traceback \(most|panic: |goroutine \d|Unhandled |Uncaught )/.test(text)) isInTrace = true
      else if (!/^\s/.test(text)) isInTrace = false
      // "Explain this:" followed by indented text is a quotation.
      const isQuoted = /:\s*$/.test(previous) && /^ {2,}(?![-*•\d])\S/.test(text)
      if (!isQuoted) previous = text
      blocks.at(-1)!.push({ ...line, isPasted: isInTrace || isQuoted || isPasted(text) })
    }
  }
  return blocks
}

/** In a block that is mostly output, only lines that address a reader are the person's own. */
function ownLines(prompt: string, block: Line[]): Line[] {
  const pasted = block.filter((line) => line.isPasted).length
  const own = block.filter((line) => !line.isPasted)
  if (pasted < 2 || pasted * 3 < block.length) return own
  return own.filter((line) => speaker.test(prompt.slice(line.start, Math.min(line.end, line.start + 2000))))
}

/** A full line followed by one in lower case was wrapped by the terminal. */
function joinWrapped(prompt: string, lines: Line[]): Span[] {
  const joined: Span[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    const goesOn =
      last !== undefined &&
      last.end + 1 === line.start &&
      lastLineLength(prompt, last) >= 60 &&
      /^ {0,4}[a-z]/.test(prompt.slice(line.start, line.start + 6))
    if (goesOn) last.end = line.end
    else joined.push({ start: line.start, end: line.end })
  }
  return joined
}

function lastLineLength(prompt: string, span: Span): number {
  return span.end - Math.max(span.start, prompt.lastIndexOf('\n', span.end - 1) + 1)
}

function* linesOf(prompt: string, part: Span): Generator<Span> {
  let start = part.start
  while (start < part.end) {
    const next = prompt.indexOf('\n', start)
    const end = next < 0 || next > part.end ? part.end : next
    yield { start, end }
    start = end + 1
  }
}

/** A line of program output or code. */
function isPasted(line: string): boolean {
  const text = line.trim()
  return (
    printed.some((pattern) => pattern.test(text)) ||
    (text.length > 20 && letterShare(text) < 0.55) ||
    (/^ {4,}\S|^\t/.test(line) && /[{}();=<>]/.test(text) && !/^\s*(?:[-*•]|\d+[.)])\s/.test(line))
  )
}

const printed = [
  /^(?:➜|❯|\$ |\w+@[\w-]+ \S+ [%$#] |PS [A-Z]:|>>> |\+\+\+ |--- \S|@@ |diff --git|index [0-9a-f]{7})/, // shells and diffs
  /^[+-]\s*\d+\s|^\d+\s+[+-]\s/, // numbered diff lines
  /^>/, // quotation
  /^\|.*\|$|^[│┃┌└├╭╰━─═╌]/, // tables and boxes
  /^(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|\[\d+\]|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d|time=\S+ level=)/, // times
  /^at .+[(:]\d+|^File ".+", line \d+|^\s*\d+ \|/, // stack frames
  /^\S{0,3}\s?\[(?:error|warning|warn|info|debug)\]/i,
  /^(?:error|warning|warn|info|debug|fatal|hint|note|trace|panic|npm (?:err|warn)|caused by)(?:\[\w+\])?: /i,
  /^(?:ok \d|ok\t|--- |===|PASS|FAIL|FAILED|SKIP|E {2,})/,
  /^[A-Z]\w*(?:Error|Exception|Warning)\b/,
  /^[{[].*[}\],]$|^[}\])]+[,;]?$|^"[\w-]+":/, // JSON
  /^<\/?[a-zA-Z][\w-]*(?:\s[^>]*)?>/, // markup
  /^(?:import|from|export|const|let|var|func|def|class|return|public|private|if|for|while|package|use)\b.*[{;]$|^(?:def|class) \w+.*:$/,
  /^[\w.-]+:(?:\s+\S+)?$/, // YAML
  /^[-*•]?\s*\**`?[\w./-]+\.\w{1,5}:\d+/, // file:line
  /^\s*[⠁-⣿✓✔✗✘×●⏺⎿✅❌]/, // program output of agents and test runners
  /^'?\/\S.*\.(?:png|jpe?g|gif|webp)'?$/i,
  /^\[image\b/i,
]

function letterShare(text: string): number {
  return (text.match(/[\p{L}\s]/gu)?.length ?? 0) / text.length
}
