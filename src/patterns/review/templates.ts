// What a person is offered as a practice, per type of signal: plain sentences that an agent can follow. The locus comes out of
// transcripts, so it stands in the text as code or as a quotation, on one line, never as a sentence of ours.
import { ellipsize, oneLine, truncate } from '../../text/truncate.ts'
import type { SignalType } from '../signal.ts'
import { errorRule } from './error-rules.ts'

export interface Wording {
  title: string
  problem: string
  rule: string
  steps?: string[]
}

export function wordingOf(type: SignalType, locus: string): Wording {
  const wording = templates[type](oneLine(locus))
  return { ...wording, title: truncate(wording.title, maxTitle) }
}

const maxTitle = 90
const maxLocus = 160

const templates: Record<SignalType, (locus: string) => Wording> = {
  'retry storm': (locus) => ({
    title: `Two failed tries${of(locus)} are enough`,
    problem: `The same call${of(locus)} was tried again and again although it kept failing and nothing was changed in between.`,
    rule: `When a call${of(locus)} has failed twice, do not try it a third time unchanged. Read the whole error, say what you take for its cause, change that, and only then try again. If it still fails, ask.`,
  }),
  'repeated error': (locus) =>
    errorRule(locus) ?? {
      title: titled('After the second error, find the cause', commandIn(locus)),
      problem: `The same failed several times in one session: ${failure(locus)}.`,
      rule: `When you have met ${failure(locus)} twice, stop and find the cause before you go on: read the message in full, look at the file or the help that it names, and mend that first.`,
    },
  'recurring error': (locus) =>
    errorRule(locus) ?? {
      title: titled('Known error', commandIn(locus)),
      problem: `The same failed in session after session: ${failure(locus)}.`,
      rule: `Earlier sessions have met ${failure(locus)}. Check for its cause before you do what leads to it. When it appears, look up how it was solved before, instead of finding that out anew.`,
    },
  'expensive session': (locus) => ({
    title: 'Keep sessions small',
    problem: `Sessions cost far more than others${quotedBehind(locus)}.`,
    rule: 'Do one task per session. Read the parts of files that you need, not whole folders, and keep long output out of the conversation: filter it, take its end, or write it to a file.',
  }),
  abandoned: (locus) => ({
    title: 'Deliver a first part that works',
    problem: `Sessions were given up without a result${quotedBehind(locus)}.`,
    rule: 'Before you begin, say in one sentence what you will do and how it will be checked. If the task turns out larger than it looked, finish a part that works first, and say what is left.',
  }),
  'clean pass': (locus) => ({
    title: 'Keep to the way that works',
    problem: `Sessions that went this way ran through without an error or a correction${quotedBehind(locus)}.`,
    rule: 'Read what you are going to change, change it in small steps, and run the tests that cover it after each step. You are done when they pass and the change is committed as the project does it.',
  }),
  recovery: (locus) => {
    const [what = '', by = ''] = locus.split(/ (?:→|>) /)
    return {
      title: titled('The way out of an error', commandIn(what)),
      problem: `What failed was overcome within the session: ${failure(what)}.`,
      rule: `When you meet ${failure(what)}, ${helps.get(by) ?? (by ? `${code(by)} has helped before: do that first` : 'mend what it names')}, then try again what failed, to see that it is gone.`,
    }
  },
  overhead: (locus) => ({
    title: titled('Less overhead', locus),
    problem: `A large share of the calls was spent on managing the work instead of doing it${locus ? `, most of them on ${thing(locus)}` : ''}.`,
    rule:
      overheads.get(locus) ??
      'Call tools for planning, listing and looking up only when the answer changes what you do next.',
  }),
  'schema thrash': (locus) => ({
    title: `Look at the parameters${of(locus)} first`,
    problem: `Calls${of(locus)} were refused because of their arguments, and then guessed again.`,
    rule: `Before the first call${of(locus)} in a session, look at the names and types of its parameters and pass exactly those. After one refusal read its schema again; do not guess.`,
  }),
  'tool thrash': (locus) => ({
    title: `Do not ask the same again${locus ? `: ${thing(locus)}` : ''}`,
    problem: `The same call${of(locus)} was made over and over with nothing changed in between.`,
    rule: `A call${of(locus)} gives the same answer as long as nothing was changed: use the answer that you have. To wait for something, wait for it in one command instead of asking again and again.`,
  }),
  'unread edit': () => ({
    title: 'Read a file before you edit it',
    problem: 'Edits failed because the file had not been read in the session.',
    rule: 'Read a file in this session before you edit or overwrite it; a search result is not enough.',
  }),
  'repeated correction': (locus) => ({
    title: titled('What the user had to say more than once', locus),
    problem: 'The user corrected the same thing in several sessions.',
    rule: locus
      ? `The user has said more than once: “${ellipsize(locus, maxLocus)}”. Do so without being told.`
      : 'Look up what the user has corrected before, and do it that way without being told.',
  }),
  'command sequence': (locus) => {
    const steps = commandsIn(locus)
    return {
      title:
        steps.length > 1 ? `From ${ellipsize(steps[0]!, 36)} to ${ellipsize(steps.at(-1)!, 36)}` : 'Steps that work',
      problem: 'The same commands, in the same order, led to the goal in several sessions.',
      rule: 'When this is to be done, run these commands in this order. Stop at the first one that fails, and mend that before you go on.',
      steps: steps.map(code),
    }
  },
  'lost at compaction': (locus) => ({
    title: 'Write down where you are before the context is compacted',
    problem:
      locus === 'corrected'
        ? 'After a compaction the agent did what had been settled otherwise, and was corrected.'
        : 'After a compaction, files were read again and work was done again.',
    rule: 'At every milestone write down, in the task list or a file of the project, what was decided, what is done, what is left and which files matter. After a compaction read that before you go on.',
  }),
  denial: (locus) => ({
    title: isKind(locus)
      ? `Say what you are going to do before ${thing(locus)}`
      : `Only with consent: ${commandIn(locus)}`,
    problem: `Calls${of(locus)} were refused by the user, or by the rules that the user gave.`,
    rule: `${isKind(locus) ? `Before ${thing(locus)}, say in one sentence what it will change and why` : `Call ${code(locus)} only when the user has asked for it or agreed to it`}. When a call is refused, ask what is wanted instead; do not try the same by other means.`,
  }),
  'untested change': () => ({
    title: 'Run the tests after the last change',
    problem: 'Sessions ended with changed code and no test run after it, in projects that have tests.',
    rule: 'After the last change of code run the tests that cover it, and say what came out. If there is no test for it, say so.',
  }),
}

const helps = new Map(
  Object.entries({
    read: 'look at the file or folder again before anything else',
    edit: 'change what it names instead of trying again',
  }),
)

const overheads = new Map(
  Object.entries({
    'task list':
      'Keep a list of tasks only for work of several steps, and update it when a step is done, not around every call.',
    waiting:
      'Wait for a long command once, with a time limit that is long enough, instead of asking for its output again and again.',
    'tool search':
      'Look for a tool once, at the beginning, and use what you found; do not search for tools again for the same task.',
  }),
)

/** Kinds of tools as detection names them; anything else is a command or the name of a tool. */
const things = new Map(
  Object.entries({
    edit: 'an edit',
    read: 'reading a file',
    shell: 'a shell command',
    search: 'a search',
    web: 'the web',
    subagent: 'a subagent',
    'task list': 'the task list',
    waiting: 'waiting for a command',
    'tool search': 'looking for tools',
  }),
)

function isKind(locus: string): boolean {
  return locus === '' || locus.startsWith('mcp ') || things.has(locus)
}

function thing(locus: string): string {
  if (locus === '') return 'what was refused before'
  if (locus.startsWith('mcp ')) return `a tool of the MCP server ${code(locus.slice('mcp '.length))}`
  return things.get(locus) ?? code(locus)
}

function failure(locus: string): string {
  if (locus === '') return 'an error'
  return commandIn(locus) === locus ? `the error ${code(locus)}` : `a failing ${code(commandIn(locus))}`
}

/** Where the text of an error does not say why, it goes by its command: `npm run lint fails`. */
function commandIn(locus: string): string {
  return locus.replace(/ fails$/, '')
}

function titled(title: string, locus: string): string {
  return locus ? `${title}: ${ellipsize(locus, 60)}` : title
}

function quotedBehind(locus: string): string {
  return locus ? `: ${code(locus)}` : ''
}

function of(locus: string): string {
  if (locus === '') return ''
  return isKind(locus) ? ` (${thing(locus)})` : ` of ${code(locus)}`
}

function code(text: string): string {
  const short = ellipsize(text, maxLocus)
  return short.includes('`') ? `\`\` ${short} \`\`` : `\`${short}\``
}

/** Joined by what a shell puts between commands. */
function commandsIn(locus: string): string[] {
  return locus
    .split(/\s+(?:&&|→|>)\s+/)
    .map((command) => command.trim())
    .filter((command) => command !== '')
}
