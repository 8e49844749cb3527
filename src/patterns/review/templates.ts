// Default wording of a practice per signal type. The locus comes from transcripts, so it appears
// only as code or a quotation on one line.
import { ellipsize, oneLine, truncate } from '../../text/truncate.ts'
import type { SignalType } from '../types.ts'

export interface PracticeWording {
  title: string
  problem: string
  rule: string
  steps?: string[]
}

export function defaultWording(type: SignalType, locus: string): PracticeWording {
  const wording = templates[type](oneLine(locus))
  return { ...wording, title: truncate(wording.title, maxTitle) }
}

const maxTitle = 90
const maxLocus = 160

const templates: Record<SignalType, (locus: string) => PracticeWording> = {
  'retry storm': (locus) => ({
    title: `Two failed tries${ofLocus(locus)} are enough`,
    problem: `The same call${ofLocus(locus)} was tried again and again although it kept failing and nothing was changed in between.`,
    rule: `When a call${ofLocus(locus)} has failed twice, do not try it a third time unchanged. Read the whole error, say what you take for its cause, change that, and only then try again. If it still fails, ask.`,
  }),
  'repeated error': (locus) =>
    errorRule(locus) ?? {
      title: titleWith('After the second error, find the cause', commandIn(locus)),
      problem: `The same failed several times in one session: ${describeFailure(locus)}.`,
      rule: `When you have met ${describeFailure(locus)} twice, stop and find the cause before you go on: read the message in full, look at the file or the help that it names, and mend that first.`,
    },
  'recurring error': (locus) =>
    errorRule(locus) ?? {
      title: titleWith('Known error', commandIn(locus)),
      problem: `The same failed in session after session: ${describeFailure(locus)}.`,
      rule: `Earlier sessions have met ${describeFailure(locus)}. Check for its cause before you do what leads to it. When it appears, look up how it was solved before, instead of finding that out anew.`,
    },
  'expensive session': (locus) => ({
    title: 'Keep sessions small',
    problem: `Sessions cost far more than others${withLocus(locus)}.`,
    rule: 'Do one task per session. Read the parts of files that you need, not whole folders, and keep long output out of the conversation: filter it, take its end, or write it to a file.',
  }),
  abandoned: (locus) => ({
    title: 'Deliver a first part that works',
    problem: `Sessions were given up without a result${withLocus(locus)}.`,
    rule: 'Before you begin, say in one sentence what you will do and how it will be checked. If the task turns out larger than it looked, finish a part that works first, and say what is left.',
  }),
  'clean pass': (locus) => ({
    title: 'Keep to the way that works',
    problem: `Sessions that went this way ran through without an error or a correction${withLocus(locus)}.`,
    rule: 'Read what you are going to change, change it in small steps, and run the tests that cover it after each step. You are done when they pass and the change is committed as the project does it.',
  }),
  recovery: (locus) => {
    const [what = '', by = ''] = locus.split(/ (?:→|>) /)
    return {
      title: titleWith('The way out of an error', commandIn(what)),
      problem: `What failed was overcome within the session: ${describeFailure(what)}.`,
      rule: `When you meet ${describeFailure(what)}, ${recoveryAdvice.get(by) ?? (by ? `${code(by)} has helped before: do that first` : 'mend what it names')}, then try again what failed, to see that it is gone.`,
    }
  },
  overhead: (locus) => ({
    title: titleWith('Less overhead', locus),
    problem: `A large share of the calls was spent on managing the work instead of doing it${locus ? `, most of them on ${describeTool(locus)}` : ''}.`,
    rule:
      overheadAdvice.get(locus) ??
      'Call tools for planning, listing and looking up only when the answer changes what you do next.',
  }),
  'schema thrash': (locus) => ({
    title: `Look at the parameters${ofLocus(locus)} first`,
    problem: `Calls${ofLocus(locus)} were refused because of their arguments, and then guessed again.`,
    rule: `Before the first call${ofLocus(locus)} in a session, look at the names and types of its parameters and pass exactly those. After one refusal read its schema again; do not guess.`,
  }),
  'tool thrash': (locus) => ({
    title: `Do not ask the same again${locus ? `: ${describeTool(locus)}` : ''}`,
    problem: `The same call${ofLocus(locus)} was made over and over with nothing changed in between.`,
    rule: `A call${ofLocus(locus)} gives the same answer as long as nothing was changed: use the answer that you have. To wait for something, wait for it in one command instead of asking again and again.`,
  }),
  'unread edit': () => ({
    title: 'Read a file before you edit it',
    problem: 'Edits failed because the file had not been read in the session.',
    rule: 'Read a file in this session before you edit or overwrite it; a search result is not enough.',
  }),
  'repeated correction': (locus) => ({
    title: titleWith('What the user had to say more than once', locus),
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
      ? `Say what you are going to do before ${describeTool(locus)}`
      : `Only with consent: ${commandIn(locus)}`,
    problem: `Calls${ofLocus(locus)} were refused by the user, or by the rules that the user gave.`,
    rule: `${isKind(locus) ? `Before ${describeTool(locus)}, say in one sentence what it will change and why` : `Call ${code(locus)} only when the user has asked for it or agreed to it`}. When a call is refused, ask what is wanted instead; do not try the same by other means.`,
  }),
  'untested change': () => ({
    title: 'Run the tests after the last change',
    problem: 'Sessions ended with changed code and no test run after it, in projects that have tests.',
    rule: 'After the last change of code run the tests that cover it, and say what came out. If there is no test for it, say so.',
  }),
}

const recoveryAdvice = new Map(
  Object.entries({
    read: 'look at the file or folder again before anything else',
    edit: 'change what it names instead of trying again',
  }),
)

const overheadAdvice = new Map(
  Object.entries({
    'task list':
      'Keep a list of tasks only for work of several steps, and update it when a step is done, not around every call.',
    waiting:
      'Wait for a long command once, with a time limit that is long enough, instead of asking for its output again and again.',
    'tool search':
      'Look for a tool once, at the beginning, and use what you found; do not search for tools again for the same task.',
  }),
)

/** Kinds of tools from detection; other loci are commands or tool names. */
const toolNames = new Map(
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
  return locus === '' || locus.startsWith('mcp ') || toolNames.has(locus)
}

function describeTool(locus: string): string {
  if (locus === '') return 'what was refused before'
  if (locus.startsWith('mcp ')) return `a tool of the MCP server ${code(locus.slice('mcp '.length))}`
  return toolNames.get(locus) ?? code(locus)
}

function describeFailure(locus: string): string {
  if (locus === '') return 'an error'
  return commandIn(locus) === locus ? `the error ${code(locus)}` : `a failing ${code(commandIn(locus))}`
}

/** Errors without a reason are named after their command: `npm run lint fails`. */
function commandIn(locus: string): string {
  return locus.replace(/ fails$/, '')
}

function titleWith(title: string, locus: string): string {
  return locus ? `${title}: ${ellipsize(locus, 60)}` : title
}

function withLocus(locus: string): string {
  return locus ? `: ${code(locus)}` : ''
}

function ofLocus(locus: string): string {
  if (locus === '') return ''
  return isKind(locus) ? ` (${describeTool(locus)})` : ` of ${code(locus)}`
}

function code(text: string): string {
  const short = ellipsize(text, maxLocus)
  return short.includes('`') ? `\`\` ${short} \`\`` : `\`${short}\``
}

/** Splits a locus at shell operators. */
function commandsIn(locus: string): string[] {
  return locus
    .split(/\s+(?:&&|→|>)\s+/)
    .map((command) => command.trim())
    .filter((command) => command !== '')
}

/** Rules for the named kinds of detect/error-kind.ts. */
interface ErrorRule {
  title: string
  problem: string
  rule: string
}

function errorRule(locus: string): ErrorRule | undefined {
  return Object.hasOwn(errorRules, locus) ? errorRules[locus] : undefined
}

const errorRules: Readonly<Record<string, ErrorRule>> = {
  'edit of changed file': {
    title: 'Read a file again when something else may have changed it',
    problem: 'Edits failed because the file had changed since it was read: a formatter, a command, or the user.',
    rule: 'Read a file again before you edit it when a formatter, a code generator, git or the user may have changed it since you read it.',
  },
  'edit text not found': {
    title: 'Copy the text to replace from the file as it is now',
    problem: 'Edits failed because the text to replace was not in the file: it was written from memory.',
    rule: 'Take the text that an edit replaces from the file as it is now, with its indentation and line ends, never from memory. When an edit does not find its text, read that part of the file before you try again.',
  },
  'edit text ambiguous': {
    title: 'Give an edit enough text to be unique',
    problem: 'Edits failed because the text to replace was in the file more than once.',
    rule: 'Give an edit enough lines before and after the change that its text is in the file only once; to change every place, say so.',
  },
  'edit without change': {
    title: 'Make no edit that changes nothing',
    problem: 'Edits failed because the new text was the same as the old one.',
    rule: 'Before an edit, check that the file does not already say what you want it to say.',
  },
  'file too large to read': {
    title: 'Read large files in parts',
    problem: 'Reading failed because the file was too large to be read at once.',
    rule: 'Search in a large file for the place that you need and read the lines around it, instead of reading all of it.',
  },
  'command not found': {
    title: 'Check that a program is there before you use it',
    problem: 'Commands failed because the program was not installed.',
    rule: 'Look at what the project brings (its scripts, its lock file, its tools) before you call a program, and use that. When a program is missing, say so instead of trying others by guess.',
  },
  'no such file': {
    title: 'Look where a file is before you name it',
    problem: 'Calls failed because a path was guessed that does not exist.',
    rule: 'List the folder or search for the name before you use a path that you have not seen in this session, and mind the folder that the command runs in.',
  },
  'module not found': {
    title: 'Install and check modules before you use them',
    problem: 'Commands failed because a module was missing.',
    rule: 'Before you import a module, check that the project has it. When one is missing, install what the lock file says first, and add a new one only if the task asks for it.',
  },
  'push rejected': {
    title: 'Fetch before you push',
    problem: 'Pushes were rejected because the other side had commits that were not here.',
    rule: 'Fetch and rebase (or merge, as the project does it) before you push. When a push is rejected, do that; never force it without asking.',
  },
  'push refused': {
    title: 'Push as the other side allows it',
    problem: 'Pushes were refused by the rules of the other side: a protected branch, or a check that it runs.',
    rule: 'Read what the other side says when it refuses a push, and do what its rules ask for: push a branch and open a request to merge it. Never force it, and never look for a way around the rule.',
  },
  'branches diverged': {
    title: 'Look where both branches stand before you pull',
    problem: 'A pull failed because both sides had commits that the other one did not have.',
    rule: 'When a pull cannot be fast-forwarded, look at the commits of both sides, then rebase or merge as the project does it. Never throw away commits to make it fit.',
  },
  'merge conflict': {
    title: 'Resolve a conflict file by file',
    problem: 'Commits conflicted with others.',
    rule: 'Bring in the newest commits before you begin and before you commit. At a conflict, list the files, read both sides of each, keep what both meant, run the tests, and only then go on.',
  },
  'no git repository': {
    title: 'Run git in the repository',
    problem: 'Git was run outside of a repository.',
    rule: 'Change into the repository, or pass `git -C <folder>`, before you run git.',
  },
  'unknown revision': {
    title: 'Look up branches and revisions before you name them',
    problem: 'Git was asked for revisions or paths that do not exist.',
    rule: 'List branches, tags or commits before you name one, and put `--` before paths.',
  },
  'shell quoting': {
    title: 'Put complicated commands into a file',
    problem: 'Commands failed because the shell tripped over quotes or wildcards.',
    rule: 'Quote arguments with single quotes, and wildcards, too. Write anything with nested quotes or several lines into a file and run that, instead of one long command.',
  },
  'unknown option': {
    title: 'Look at the help before you use an option',
    problem: 'Programs were called with options that they do not have.',
    rule: "Check an option in the program's `--help` before you use it for the first time in a session: versions differ.",
  },
  'permission denied': {
    title: 'Do not work around missing permissions',
    problem: 'Calls failed because the system did not permit them.',
    rule: 'When permission is denied, do not repeat the call and do not work around it: say what is needed and why, and go on with what is permitted.',
  },
  'not signed in': {
    title: 'Check that you are signed in before you use a service',
    problem: 'Calls failed because the service did not know who was asking.',
    rule: 'Check once, at the beginning, that the service is signed in to. If it is not, say so and go on without it; do not look for credentials.',
  },
  'service overloaded': {
    title: 'Wait when a service is overloaded',
    problem: 'Work was broken off because a service was overloaded.',
    rule: 'When a service says that it is overloaded, wait longer each time before you ask again, and send fewer requests at once.',
  },
  timeout: {
    title: 'Give long commands time, or run them in the background',
    problem: 'Commands were cut off because they took longer than they may.',
    rule: 'Run what may take minutes in the background or with a longer time limit, and run only the part that you need: one test file, one package.',
  },
  network: {
    title: 'Do not count on the network',
    problem: 'Calls failed because the network did not answer.',
    rule: 'When the network does not answer, try once more and then go on without it. Check that a local server is running before you call it.',
  },
}
