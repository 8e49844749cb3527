// What a program printed is told only by its form: the words that messages of programs are made of,
// numbers, codes, and names that the agent itself used. Whoever controls an output, such as a
// dependency or a repository, cannot write a sentence with these words that a reader would follow:
// there is no verb in the imperative, no "must", and nobody is addressed.
import { removeControls } from '../text/control-characters.ts'
import { oneLine } from '../text/truncate.ts'
import { directsInWords } from './directions.ts'

const gap = '…'

/**
 * '' if too little of it is left. `names` is text of the agent, such as its command and the changed
 * code: names that are in it may be told.
 */
export function printedForm(printed: string, names = ''): string {
  const text = oneLine(removeControls(printed).slice(0, maxLength))
  if (counts.test(text)) return text
  const form = formOf(text, names)
  if (form !== '') return form
  // What is wrong often comes first, and then who knows what.
  const [clause = text] = text.split(/(?<=\S)[;.]\s/)
  return clause === text ? '' : formOf(clause, names)
}

/** `Tests  12 passed (12)`, `3 failed, 9 passed in 0.4s` */
const counts =
  /^(?:tests?(?: files| suites)?:? +)?(?:\d+ (?:tests? )?(?:passed|failed|skipped|todo|total|pending|errors?|warnings?)[,;|()\d ]*)+(?:in [\d.]+ ?m?s)?\.?$/i

function formOf(printed: string, names: string): string {
  const parts = printed.split(' ')
  const own = namesIn(names)
  const told: ToldPart[] = []
  for (const [index, part] of parts.entries())
    told.push(
      tellPart(part, own, {
        before: told.slice(-2).map(({ text }) => text),
        isStart: index === 0 || /[:;,.!?-]$/.test(parts[index - 1]!),
        isFirst: index === 0,
        isLast: index === parts.length - 1,
        isCall: systemError.test(parts[index + 1] ?? ''),
      }),
    )
  const [known, unknown] = [told.filter(({ isKnown }) => isKnown), told.filter(({ text }) => text === gap)]
  if (known.length < (unknown.length === 0 ? 1 : minKnown) || known.length < unknown.length) return ''
  const text = told
    .map(({ text }) => text)
    .join(' ')
    .replace(/…(?:[\s"'`()[\]{},;:.…]*…)+/g, gap)
    .replace(/\s+([,;:.])/g, '$1')
    .replace(/^…[:,;]?\s+/, '')
    .trim()
  const form = text.replace(/[\s,;:…"'`([{-]+$/, (end) => (end.includes(gap) ? ` ${gap}` : end)).trim()
  return isPolicy(form) || directsInWords(form) ? '' : form
}

/** An output line by line: those that have a form, each once. */
export function printedLines(printed: string, names = '', max = 8): string {
  const forms = removeControls(printed)
    .split(/\r\n?|[\n\u2028\u2029]/)
    .slice(0, maxLines)
    .map((line) => printedForm(line, names))
  return [...new Set(forms.filter((form) => form !== ''))].slice(0, max).join('\n')
}

const maxLines = 200
const maxLength = 400
/** Words of messages that are no function words; one is enough where nothing is left out. */
const minKnown = 2

interface ToldPart {
  text: string
  /** A word that says something. */
  isKnown: boolean
}

interface Place {
  /** The last two parts before it, as they are told. */
  before: string[]
  /** A clause begins with it. */
  isStart: boolean
  isFirst: boolean
  isLast: boolean
  /** A system call, which its error follows: `listen EADDRINUSE`. */
  isCall: boolean
}

const systemError = /^E[A-Z]{3,15}\b/

function tellPart(
  part: string,
  own: ReadonlySet<string>,
  { before, isStart, isFirst, isLast, isCall }: Place,
): ToldPart {
  const [, core = '', after = ''] = /^[("'`[{<‘“]*(.*?)([)"'`\]}>’”,;:.!?]*)$/.exec(part) ?? []
  if (joints.test(part)) return { text: part, isKnown: false }
  if (core === '') return { text: /^[\W_]{1,3}$/.test(part) && !part.includes(gap) ? part : '', isKnown: false }
  // A plain word of a command may be a verb: it is told where a message names something.
  if (own.has(core) && (isName.test(core) || isFirst || isLast || /^["'`‘“]/.test(part)))
    return { text: part, isKnown: false }
  const isOrder = !isCall && verbs.has(core.toLowerCase()) && (isStart || mayOrder(before))
  const [isTold, isKnown] = isOrder ? [false, false] : judgeWord(core)
  return isTold ? { text: part, isKnown } : { text: `${gap}${after.replace(/[^,:;]/g, '')}`, isKnown: false }
}

/** Whether a verb behind these words may be an imperative: "failed to open" is none, "and open" is one. */
function mayOrder([first = '', second = '']: string[]): boolean {
  const [before, last] = second === '' ? ['', first] : [first, second]
  if (/^(?:to|not)$/i.test(last))
    return !/^(?:failed|unable|attempt\w*|cannot|can't|could|does|did|is|was)$/i.test(before)
  return last === gap || last === '' || /^(?:and|or|but|nor|if|when|while|than|as|no|first|last|per|too)$/i.test(last)
}

/** States what is allowed or not needed, or where a secret belongs: claims, not the form of a failure. */
function isPolicy(form: string): boolean {
  return form
    .split(/[;]|\.(?=\s)/)
    .some((clause) => toBe.test(clause) || policies.some((pattern) => pattern.test(clause)))
}

const guard =
  '(?:permissions?|access|checks?|checked|tests?|validation|authentication|authorization|signatures?|certificates?|lint|linter|assertions?|lock|protected|protection)'
const policies = [
  new RegExp(
    String.raw`\b${guard}\b.*\b(?:not|no longer|aren't|isn't|wasn't)\s+(?:\S+\s+)?(?:required|requires?|expected|used|checked)\b`,
    'i',
  ),
  new RegExp(String.raw`\bno\s+(?:\S+\s+)?${guard}\b.*\b(?:is|are|be|required|expected)\b`, 'i'),
  new RegExp(
    String.raw`\b${guard}\b.*\b(?:is|are|be|been|was)\b.*\b(?:all|already|any|disabled|default|ignored|accepted)\b`,
    'i',
  ),
  /\b(?:disabled|unchecked|unsafe|unauthenticated|failures?)\b.*\b(?:is|are|be)\b.*\b(?:expected|supported|default|valid|permitted|accepted)\b/i,
  /\b(?:tokens?|keys?|environment|hash|headers?|certificates?)\b[^:]*\b(?:in|into|to|with|on)\s+(?:the\s+|a\s+)?(?:\S+\s+)?(?:commits?|message|request|body|url|output|log|issue|remote|public|repository|host|server|registry)\b/i,
]

/** What is to be done with something. */
const toBe =
  /\bto be (?:\S+ )?(?:removed|deleted|dropped|disabled|ignored|skipped|overwritten|reset|replaced|unlocked)\b/i

const joints = /^(?:->|=>|--?|==?|!=|[+*%])$/

function judgeWord(given: string): [isTold: boolean, isKnown: boolean] {
  const word = given.replace(/\(e?s$/, '')
  const lower = word.toLowerCase()
  if (functionWords.has(lower)) return [true, false]
  if (messageWords.has(lower)) return [true, true]
  // An address outside of this machine, and the mode of a file that everybody may write.
  if (/^(?:\d{1,3}\.){3}\d/.test(word) && !localAddress.test(word)) return [false, false]
  if (/^0?o?[0-7]?777$/.test(word)) return [false, false]
  if (number.test(word)) return [true, false]
  if (code.test(word) || localAddress.test(word)) return [true, true]
  // `ModuleNotFoundError`, `not_found`, `read-only`, `error[E0425]`
  const pieces = word.split(/(?<=[a-z])(?=[A-Z])|[-_/.:[\]()]+/).filter(Boolean)
  const isMade =
    pieces.length > 1 &&
    pieces.length <= 5 &&
    pieces.every(
      (piece) =>
        messageWords.has(piece.toLowerCase()) ||
        functionWords.has(piece.toLowerCase()) ||
        code.test(piece) ||
        number.test(piece),
    )
  return [isMade, isMade]
}

const number = /^[-+]?\d{1,7}(?:[.,:x/-]\d{1,5}){0,3}(?:%|ms|s|m|h|kb|mb|gb)?$/i
/** Codes of system calls, compilers, databases and linters. */
const code =
  /^(?:E[A-Z]{3,15}|SIG[A-Z]{2,6}|[A-Z]{1,4}\d{2,5}|TS\d{4,5}|HTTP|TCP|UDP|TLS|SSL|DNS|JSON|YAML|XML|CSV|SQL|UTF-?8|CRLF|API|CLI|URL|URI|ID|CPU|RAM|PID|SHA\d*|AES|RSA|JWT)$/
const localAddress = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[?::1\]?)(?::\d+)?\/?$/

const isName = /[\d_./\\:@=-]|[a-z][A-Z]/

/** All words of what the agent wrote; it is told only if it has no sentences in it. */
function namesIn(text: string): Set<string> {
  return new Set(text.slice(0, maxNames).match(/[\w@$.:/\\+~=-]*[\w@/.]/g) ?? [])
}

const maxNames = 4000

const functionWords = new Set(
  'a an the this that these those of to in on at by for from with without as is are was were be been being has have had it its and or but not no nor if when while than there into onto over under between within up down out off per via too any all some each both more most less least one two first last other another same such'.split(
    ' ',
  ),
)

/** Nouns, adjectives and participles of diagnostics. No imperatives, no people, nothing that obliges. */
const messageWords = new Set(
  `abnormal abort aborted absent access accessible across actual address after ahead alias already ambiguous amount
  argument arguments arg args array assertion assigned assignment attempt attempted attribute attributes authentication authorization
  available bad base before behind binary bind blob block blocked body boolean bound bounds branch broken buffer build built bundle busy byte bytes
  cache cached call callback callee called caller cancelled cannot can't can certificate chain changed changes char character characters check checked checks checksum child class client
  closed code codec column command commands commit compatible compilation compiled compiler complete component compression condition config configuration configured conflict conflicts
  connect connection connections constant constraint construct constructor container content context conversion converted corrupt corrupted could couldn't count crash crashed create created current cycle
  daemon data database date deadline deadlock declaration declarations declared decode decoded default defined definition denied dependencies dependency deprecated depth descriptor
  detected device different digest dimension directory disabled disconnected disk does doesn't did didn't domain double driver dropped duplicate duplicated
  element elements empty enabled encode encoded encoding end endpoint engine entries entry enum environment equal error errors errored escape evaluated event exceeded exception executable execution
  exist existing exists exit exited expected expects expired export exported exports expression extension external extra
  fail failed failing fails failure failures fatal feature fetch field fields file filename files filesystem find flag flags float folder forbidden foreign format formatted found frame full function functions
  gateway generated generic global got group handle handler handshake hash header headers heap hook host hostname identifier identifiers ignored illegal image implementation implemented implicit implicitly
  import imported imports inaccessible incompatible incomplete inconsistent incorrect indent indentation index infinite initialised initialized initializer inclusion input inputs installed instance insufficient integer interface internal
  interpreter interrupted invalid invocation issue issues item items iterable job key keys keyword kernel kind known label language layer length level libraries library limit line lines link linked linker list listed listen literal loaded
  loader local locale located lock locked lockfile log loop malformed manifest mapping match matched matches matching maximum member memory merge message metadata method methods middleware migration migrations minimum mismatch missing mode modified module modules mount multiple mutable
  name named names namespace native negative nested network new nil node nonzero null number object objects occurred offset old opened operand operands operation operator option options order outdated outside output overflow overloaded
  package packages page panic parameter parameters parent parse parsed parser parsing partial path paths pattern peer pending permission permissions permitted pipe platform pointer pool port ports position positional potential precision predicate prefix preset previous
  primary problem problems process processes profile program project property protected protocol provided provider query queue quota quoted race range rate raw reached read readable reader ready reason received record recursion recursive redeclared reference referenced
  references refused region registered registry rejected rejection relation relative release remote removed replica repository request requested requests required requires reserved reset resolution resolved resolver resource resources response result results return returned returning returns revision role route routine row rows rule rules runner runtime
  schema scope script section segment segmentation selector semantic sequence serialization server servers service session setting settings shadowed shape shared shell signal signature size slot socket source space specified specifier stack stage stale standard start started startup state statement status step stopped storage store stream strict string struct
  structure style subcommand submodule subpath subprocess substring suffix suite super supported symbol symbols symlink syntax table tag target task template temporary terminated test tests text thread threads threw throw thrown timed timeout timestamp token tokens toolchain total trace traceback track tracking trailing transaction transform tree truncated type typed types
  unable unallocated unassigned unauthorised unauthorized unavailable unbound unchecked unclosed undeclared undefined unexpected unexported unhandled unicode uninitialized unique unit unknown unmatched unmet unnamed unreachable unreadable unrecognised unrecognized unresolved unsafe unsatisfied unset unsigned unsupported unterminated untracked untyped
  unused upgraded upstream usage use used user-defined valid validation value values variable variables variant version versions violation violates virtual visible volume warning warnings was wasn't weren't width wildcard won't word worker workers workspace worktree write writable written wrong yaml zero
  accepts most set arg(s) be none group rejected main fetch-first isn't aren't aborting occurrence occurrences return errcheck gosec nilerr govet staticcheck revive unparam ineffassign gocritic eslint typescript python node npm pnpm yarn git docker postgres postgresql mysql sqlite redis typecheck lint linter test-runner react rust cargo java kotlin gradle maven golang ruby php swift dotnet webpack vite vitest jest pytest
  zsh bash fish sh powershell rustc gcc clang tsc psql curl following targets getaddrinfo lookup dial tcp spawn network`
    .split(/\s+/)
    .filter(Boolean),
)

/** Of these words, those that are an imperative where nothing before them needs a noun or an infinitive. */
const verbs = new Set(
  'abort access assert base bind block branch break buffer build cache call cancel change check close commit complete connect construct count crash create cycle default detect drop end escape export fetch find flag format get group handle hook ignore import index indent invoke issue key link lint list listen load lock log loop mark match merge mount name open order parse pipe process profile query queue quote range read reason record release request require reset resolve return rule scope set shadow shape shell signal slot source start state step store stream style suppress table tag target test throw trace track transform type use version view warn work write'.split(
    ' ',
  ),
)
