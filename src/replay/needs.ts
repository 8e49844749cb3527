// Reads a session and finds what it needed although an earlier session of its project knew it. In doubt
// there is no need: a figure that claims too much is worth nothing.
import { pathsOf } from '../core/commands.ts'
import { isTelling } from '../fixes/find-fixes.ts'
import { foldEvent, newFold, type SessionItem } from '../session/fold.ts'
import { standingWords } from '../session/notes.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { contentWords } from '../text/content-words.ts'
import { oneLine } from '../text/truncate.ts'
import { formOf, isSameTask, optionsIn, type RunForm, subjectsOf } from './command-form.ts'
import { type IsBefore, insidePath, type Known } from './known.ts'
import type { Need } from './need.ts'
import { type SearchCall, searchIn } from './search-calls.ts'

export interface SessionNeeds {
  needs: Need[]
  /** What the person typed, in order. */
  prompts: { seq: number; text: string }[]
}

interface Reading {
  uid: string
  cwd: string | null
  known: Known
  isBefore: IsBefore
}

export function findNeeds(reading: Reading, events: Iterable<StoredEvent>): SessionNeeds {
  const { cwd } = reading
  const fold = newFold()
  const prompts: SessionNeeds['prompts'] = []
  const said = new Map<string, Need>()
  const errors = new Map<string, Need>()
  const runs: ReadRun[] = []
  const files = fileNeeds(reading)
  for (const event of events) {
    if (event.kind === 'prompt') prompts.push({ seq: event.seq, text: event.text })
    files.add(event)
    for (const item of foldEvent(fold, event, cwd)) {
      if (item.kind === 'said') addSaid(reading, item, said)
      if (item.kind === 'run') runs.push(...runsOf(item, event))
      if (item.kind === 'complaint' && event.kind !== 'tool_call') addComplaint(reading, item, errors)
      if (item.kind === 'edit') files.edited(item.path, event.seq)
    }
  }
  const commands = commandNeeds(reading, runs)
  const failures = new Set(commands.map(({ seq }) => seq))
  for (const need of fixNeeds(reading)) if (!failures.has(need.seq)) addOnce(errors, need.text, need)
  const needs = [...said.values(), ...commands, ...files.needs, ...errors.values()]
  return { needs: needs.toSorted((a, b) => a.seq - b.seq), prompts }
}

/** A sentence of the person that says the same as one of an earlier session. */
function addSaid({ known, isBefore }: Reading, item: SessionItem & { kind: 'said' }, said: Map<string, Need>): void {
  for (const sentence of standingWords(item.text)) {
    const words = [...new Set(contentWords(sentence))]
    const key = words.toSorted().join(' ')
    if (said.has(key)) continue
    const earlier = known.said(sentence, isBefore)
    if (!earlier) continue
    said.set(key, {
      kind: 'said',
      text: sentence,
      names: { by: 'words', words },
      question: questionAbout(sentence),
      seq: item.seq,
      known: earlier,
    })
  }
}

/** Who does not know a sentence asks with a part of its words. */
function questionAbout(sentence: string): string {
  const words = sentence.match(/[\p{L}\p{N}_./-]{3,}/gu) ?? []
  const telling = words.filter((word) => contentWords(word).length > 0)
  return telling
    .toSorted((a, b) => b.length - a.length)
    .slice(0, Math.max(2, Math.ceil(telling.length / 2)))
    .join(' ')
}

interface ReadRun extends RunForm {
  seq: number
  isPassed: boolean
  /** Of a failure that is about the call: not a failed test, and not what a checker found. */
  isCallError: boolean
}

function runsOf(item: SessionItem & { kind: 'run' }, { text, tests }: StoredEvent): ReadRun[] {
  const isPassed = item.outcome === 'passed'
  if (!isPassed && (item.outcome !== 'failed' || item.parts.length !== 1)) return []
  const isCallError = !isPassed && tests === undefined && tellsOfCall.test(text.slice(0, 1500))
  return item.parts.map(({ program, text: command }) => ({
    ...{ program, command, folder: item.folder, seq: item.seq, isPassed, isCallError },
  }))
}

const tellsOfCall =
  /command not found|not recognized as|unknown (?:shorthand )?(?:flag|option|command|argument|field)|unrecogni[sz]ed|invalid (?:option|flag|argument|choice)|no such (?:option|command|file or directory)|missing script|command "[^"\n]*" not found|no module named|cannot find module|no rule to make|not installed|could not (?:find|read|locate) [^\n]{0,40}(?:package\.json|pyproject|cargo\.toml|makefile)|not defined by|is not a [\w-]+ command|requires? (?:an? )?(?:argument|flag|option)|^usage:|were all set|accepts (?:at most|\d)|ENOENT|cannot be used with|missing required|must (?:specify|provide|set|pass)|not set\b/im

const maxRunsBetween = 6

/**
 * A call that failed, and soon after it the same task called in a form that passed, which an earlier
 * session knew. The failed form has never passed here: then the form was not the reason.
 */
function commandNeeds({ known, isBefore }: Reading, runs: readonly ReadRun[]): Need[] {
  const passedForms = new Set(runs.filter(({ isPassed }) => isPassed).map(formOf))
  const needs = new Map<string, Need>()
  for (const [index, failed] of runs.entries()) {
    if (!failed.isCallError || passedForms.has(formOf(failed)) || known.passed(failed, isBefore)) continue
    const passed = runs
      .slice(index + 1, index + 1 + maxRunsBetween)
      .find((run) => run.isPassed && isSameTask(failed, run))
    const earlier = passed && known.passed(passed, isBefore)
    // It knew the form itself by then.
    const isKnownHere = runs.slice(0, index).some((run) => run.isPassed && passed && formOf(run) === formOf(passed))
    if (!earlier || isKnownHere || needs.has(formOf(passed))) continue
    const options = optionsIn(passed.command)
    const words = options.length > 0 ? options : passed.command.split(' ').filter((word) => !/['…]/.test(word))
    needs.set(formOf(passed), {
      kind: 'command',
      text: passed.folder === '' ? passed.command : `${passed.command} (in ${passed.folder})`,
      names: {
        by: 'command',
        phrase: passed.program,
        words: [...words, ...(passed.folder === '' || passed.folder === failed.folder ? [] : [passed.folder])],
      },
      question: `how to run ${[...subjectsOf(failed)].join(' ') || failed.program}`,
      seq: failed.seq,
      known: earlier,
    })
  }
  return [...needs.values()]
}

const maxSearches = 60
const maxFound = 20_000
/** More results are a list of everything. */
const maxFoundLines = 60

/** Files that were searched for by a name, before anything said where they are, and then edited. */
function fileNeeds({ uid, cwd, known, isBefore }: Reading) {
  const searches: SearchCall[] = []
  const needs: Need[] = []
  const seen = new Set<string>()
  /** What was said and opened, in which a file may be named before it is searched for. */
  const mentioned: { seq: number; text: string }[] = []
  const isMentioned = (name: string, beforeSeq: number) =>
    mentioned.some(({ seq, text }) => seq < beforeSeq && text.includes(name))
  return {
    needs,
    add(event: StoredEvent): void {
      const search = searchIn(event)
      if (search) {
        searches.push(search)
        if (searches.length > maxSearches) searches.shift()
        return
      }
      if (event.kind === 'prompt') mentioned.push({ seq: event.seq, text: event.text.slice(0, maxFound) })
      if (event.kind === 'tool_call')
        for (const path of pathsOf(event.input)) mentioned.push({ seq: event.seq, text: path })
      const pending = event.call ? searches.find(({ call }) => call === event.call) : undefined
      if (pending && (event.kind === 'tool_result' || event.kind === 'test_run') && !event.error)
        pending.found = event.text.slice(0, maxFound).replaceAll('\\', '/')
    },
    edited(absolute: string, seq: number): void {
      const path = insidePath(absolute, cwd)
      if (path === undefined || seen.has(path)) return
      seen.add(path)
      const finding = searches.filter((search) => search.seq < seq && lists(search.found, path))
      const searched = finding.flatMap(({ names }) => names).filter(isIdentifier)
      const earlier = known.edited(path, isBefore)
      const names = new Set(earlier.flatMap((one) => one.names))
      const isSame = (name: string) => names.has(name) || isNameOf(name, path)
      const search = finding.find((one) => one.names.some(isSame))
      known.addSearched(uid, path, searched)
      if (earlier.length === 0 || !search || isMentioned(path.slice(path.lastIndexOf('/') + 1), search.seq)) return
      const name = search.names.filter(isSame).join(' ')
      needs.push({
        kind: 'file',
        text: `${path} (searched for ${name})`,
        names: { by: 'path', path },
        question: `where is ${name}`,
        seq: search.seq,
        known: earlier.find((one) => search.names.some((each) => one.names.includes(each))) ?? earlier[0]!,
      })
    },
  }
}

/** More than a plain word: `getStagedFiles`, `staged_files`. */
function isIdentifier(name: string): boolean {
  return name.length >= 6 && /[a-z\d][A-Z]|[a-zA-Z\d]_[a-zA-Z]/.test(name)
}

/** `path` is relative to the folder of the session; a search in a folder lists what is below it. */
function lists(found: string, path: string): boolean {
  const lines = found.split('\n')
  if (lines.length > maxFoundLines) return false
  return lines.some((line) => {
    const at = line.indexOf(path)
    return at >= 0 && !/[\w.-]/.test(line[at - 1] ?? '') && !/^[\w-]|^\.\w/.test(line.slice(at + path.length))
  })
}

/** The name of the file, with or without its ending; not a name that every folder has. */
function isNameOf(name: string, path: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1)
  const stem = file.replace(/\.\w+$/, '')
  return (name === file || name === stem) && !common.test(stem)
}

const common =
  /^(?:index|main|mod|lib|test|tests|types?|utils?|config|README|CHANGELOG|package|Makefile|Dockerfile|__init__)$/i

/** A complaint of a checker that an earlier session had, too. */
function addComplaint(
  { known, isBefore }: Reading,
  { complaint, seq }: SessionItem & { kind: 'complaint' },
  errors: Map<string, Need>,
): void {
  const { rule, text } = complaint
  if (isCompiler.test(rule)) return
  const code = codeIn(text)
  const earlier = known.complained(rule, (note) => isBefore(note) && codeIn(note.text) === code)
  if (!earlier) return
  addOnce(errors, `${rule} ${code}`, {
    kind: 'error',
    text: oneLine(text === '' || text === rule ? rule : `${rule}: ${text}`),
    names: { by: 'all', texts: code === '' ? [rule] : [rule, code] },
    question: `${rule} ${text}`,
    seq,
    known: earlier,
  })
}

/** One checker may have many: `G304: Potential file inclusion via variable` of gosec. */
function codeIn(text: string): string {
  return /^([A-Z]{1,4}\d{2,4}):/.exec(text)?.[1] ?? ''
}

/** What compilers report is about the code, not about a rule of the project. */
const isCompiler =
  /^(?:typecheck|compile|syntax|TS\d+|E\d{3,4}|CS\d+|fetch|name-defined|attr-defined|no-undef|import)$/i

/** An error other than of a checker that an earlier session got over. */
function fixNeeds({ uid, known, isBefore }: Reading): Need[] {
  return known.fixesOf(uid).flatMap((fix): Need[] => {
    if (fix.kind === 'edit' || !isTelling(fix.shape) || isOfTheMoment.test(fix.error)) return []
    const earlier = known.fixed(fix, isBefore)
    if (!earlier) return []
    return [
      {
        kind: 'error',
        text: oneLine(`${fix.error} (${earlier.remedy})`),
        names: namesOfRemedy(earlier.remedy),
        question: fix.error,
        seq: fix.failedSeq,
        known: earlier,
      },
    ]
  })
}

/** Nobody could have known that the remote had more. */
const isOfTheMoment = /\[rejected\]|fetch first|non-fast-forward|conflict/i

function addOnce(needs: Map<string, Need>, key: string, need: Need): void {
  if (!needs.has(key)) needs.set(key, need)
}

/** Its commands, or most of its words. */
function namesOfRemedy(remedy: string): Need['names'] {
  const quoted = [...remedy.matchAll(/`([^`]+)`/g)].map(([, text]) => text!)
  return quoted.length > 0 ? { by: 'all', texts: quoted } : { by: 'words', words: [...new Set(contentWords(remedy))] }
}
