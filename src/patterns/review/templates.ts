// Default wording of a practice per signal type. The locus comes from transcripts, so it appears
// only as code or a quotation on one line.
import { ellipsize, oneLine } from '../../text/truncate.ts'
import { describeErrorKind, isUnexplained } from '../detect/error-kind.ts'
import { costReason } from '../detect/titles.ts'
import type { SignalType } from '../types.ts'

export interface PracticeWording {
  title: string
  problem: string
  rule: string
  steps?: string[]
}

export function defaultWording(type: SignalType, locus: string): PracticeWording {
  const wording = templates[type](oneLine(locus))
  return { ...wording, title: ellipsize(wording.title, maxTitle) }
}

const maxTitle = 90
const maxLocus = 160

const templates: Record<SignalType, (locus: string) => PracticeWording> = {
  'retry storm': (locus) => ({
    title: titleWith('Do not repeat a failing call unchanged', locus),
    problem: `${capitalise(callName(locus))} was repeated although it kept failing and nothing was changed in between.`,
    rule: `When ${callName(locus)} has failed twice, do not repeat it unchanged. Read the whole error, state its likely cause, fix that, and only then try again. If it still fails, ask the user.`,
  }),
  'repeated error': (locus) =>
    errorRule(locus) ?? unnamedError(locus, 'The same error occurred several times in one session'),
  'recurring error': (locus) => errorRule(locus) ?? unnamedError(locus, 'The same error occurred in several sessions'),
  'expensive session': (locus) => ({
    title: 'Keep sessions small',
    problem: `Sessions cost more than 90 % of the others${costReason(locus) && `: ${costReason(locus)}`}.`,
    rule: 'Do one task per session. Read only the parts of files that you need, not whole folders, and keep long output out of the conversation: filter it, show only its end, or write it to a file.',
  }),
  abandoned: (locus) => ({
    title: 'Finish a working part first',
    problem: `Sessions ended without a result${locus ? `: ${ellipsize(locus, maxLocus)}` : ''}.`,
    rule: 'Before you begin, say in one sentence what you will do and how it will be checked. If the task is larger than expected, finish a part that works first, and say what is left.',
  }),
  'clean pass': (locus) => ({
    title: 'Work in small, tested steps',
    problem: `Sessions without errors and corrections that ended with ${locus === 'tests' ? 'passing tests' : 'a commit'}.`,
    rule: 'Read what you are going to change, change it in small steps, and run the tests that cover it after each step. The task is done when they pass and the change is committed.',
  }),
  recovery: (locus) => {
    const [error = '', by = ''] = locus.split(/ (?:→|>) /)
    return {
      title: titleWith(by && by !== 'read' ? `Run ${by} after` : 'Solve a known error', describeFailure(error)),
      problem: `Sessions solved this error: ${describeFailure(error)}.`,
      rule: `After ${describeFailure(error)}, ${recoveryAdvice(by)}. Then repeat the call that failed, to check that it works.`,
    }
  },
  overhead: (locus) => ({
    title: titleWith('Reduce overhead', locus),
    problem: `A large share of the calls managed the work instead of doing it${locus ? `, most of them: ${describeTool(locus)}` : ''}.`,
    rule:
      overheadAdvice.get(locus) ??
      'Use tools for planning, listing and looking up only when the answer changes what you do next.',
  }),
  'schema thrash': (locus) => ({
    title: titleWith('Check the parameters before you call a tool', locus),
    problem: `Calls failed because of invalid arguments, and were repeated with other guesses${locus ? `: ${describeTool(locus)}` : ''}.`,
    rule: `Before the first call of ${locus ? describeTool(locus) : 'a tool'} in a session, check the names and types of its parameters, and pass exactly those. After a failure read the schema again; do not guess.`,
  }),
  'tool thrash': (locus) => ({
    title: titleWith('Do not repeat the same call', locus),
    problem: `${capitalise(callName(locus))} was repeated many times with no change in between.`,
    rule: `While nothing has changed, ${callName(locus)} returns the same result: use the result that you have. To wait for something, run one command that waits, instead of asking again and again.`,
  }),
  'unread edit': () => ({
    title: 'Read a file before you edit it',
    problem: 'Edits failed because the file had not been read in the session.',
    rule: 'Read a file in this session before you edit or overwrite it; a search result is not enough.',
  }),
  'repeated correction': (locus) => ({
    title: titleWith('Repeated correction', locus),
    problem: 'The user gave the same correction in several sessions.',
    rule: locus
      ? `The user has said more than once: “${ellipsize(locus, maxLocus)}”. Follow this without being asked again.`
      : 'Look up what the user has corrected before, and follow it without being asked again.',
  }),
  'command sequence': (locus) => {
    const steps = commandsIn(locus)
    return {
      title: titleWith('Run in this order', steps.join(', ')),
      problem: 'These commands succeeded in this order in several sessions.',
      rule: 'Run these commands in this order. Stop at the first one that fails, and fix that before you continue.',
      steps: steps.map(code),
    }
  },
  'lost at compaction': (locus) => ({
    title: 'Write down the state of the work before the context is compacted',
    problem:
      locus === 'corrected'
        ? 'After a compaction the agent did not follow earlier decisions and was corrected.'
        : 'After a compaction, files were read again and work was repeated.',
    rule: 'At every milestone write down, in the task list or a file of the project, what was decided, what is done, what is left and which files matter. After a compaction, read that before you continue.',
  }),
  denial: (locus) => ({
    title: isKind(locus) ? `Announce ${describeTool(locus)} before you make it` : `Ask before ${commandIn(locus)}`,
    problem: `Calls were denied by the user or by permission rules${locus ? `: ${describeTool(locus)}` : ''}.`,
    rule: `${isKind(locus) ? `Before ${describeTool(locus)}, say in one sentence what it will change and why` : `Run ${code(locus)} only when the user has asked for it or agreed to it`}. When a call is denied, ask what to do instead; do not try the same in another way.`,
  }),
  'untested change': () => ({
    title: 'Run the tests after the last change',
    problem: 'Sessions ended with changed code and no test run after it, in projects that have tests.',
    rule: 'After the last change of code run the tests that cover it, and report the result. If there is no test for it, say so.',
  }),
}

function unnamedError(locus: string, problem: string): PracticeWording {
  return {
    title: titleWith('Known error', commandIn(locus)),
    problem: `${problem}: ${describeFailure(locus)}.`,
    rule: `Earlier sessions ran into ${describeFailure(locus)}. When it occurs, read the whole message, search earlier sessions for how it was solved, and fix the cause before you continue.`,
  }
}

function recoveryAdvice(by: string): string {
  if (by === 'read') return 'read the file or list the folder again'
  return by ? `run ${code(by)}, which solved it before` : 'fix what the message names'
}

const overheadAdvice = new Map(
  Object.entries({
    'task list':
      'Keep a task list only for work with several steps, and update it when a step is done, not after every call.',
    waiting: 'Wait for a long command once, with a sufficient timeout, instead of polling its output.',
    'tool search': 'Search for tools once, at the beginning of a task, and use what you found.',
  }),
)

/** Kinds of tools from detection; other loci are commands or tool names. */
const toolNames = new Map(
  Object.entries({
    edit: 'an edit',
    read: 'reading a file',
    shell: 'a shell command',
    search: 'a search',
    web: 'a web request',
    subagent: 'a subagent',
    'task list': 'the task list',
    waiting: 'waiting for a command',
    'tool search': 'searching for tools',
  }),
)

function isKind(locus: string): boolean {
  return locus === '' || locus.startsWith('mcp ') || toolNames.has(locus)
}

function describeTool(locus: string): string {
  if (locus === '') return 'a call that was denied before'
  if (locus.startsWith('mcp ')) return `a tool of the MCP server ${code(locus.slice('mcp '.length))}`
  return toolNames.get(locus) ?? code(locus)
}

function callName(locus: string): string {
  return locus === '' ? 'the same call' : describeTool(locus)
}

/** An error as part of a sentence. */
function describeFailure(locus: string): string {
  if (locus === '') return 'an error'
  if (isUnexplained(locus)) return `failures of ${code(commandIn(locus))}`
  return describeErrorKind(locus) ?? `the error ${code(locus)}`
}

/** Errors without a reason are named after their command: `npm run lint fails`. */
function commandIn(locus: string): string {
  return locus.replace(/ fails$/, '')
}

function titleWith(title: string, locus: string): string {
  return locus ? `${title}: ${ellipsize(locus, 60)}` : title
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
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
    title: 'Read a file again before you edit it if it may have changed',
    problem: 'Edits failed because a formatter, a command or the user had changed the file since it was read.',
    rule: 'Read a file again before you edit it if a formatter, a code generator, git or the user may have changed it since you read it.',
  },
  'edit text not found': {
    title: 'Copy the text to replace from the current file',
    problem: 'Edits failed because the text to replace was not in the file.',
    rule: 'Copy the text that an edit replaces from the current file, with its indentation and line ends; never write it from memory. When an edit does not find its text, read that part of the file before you try again.',
  },
  'edit text ambiguous': {
    title: 'Give an edit enough text to be unique',
    problem: 'Edits failed because the text to replace occurred more than once in the file.',
    rule: 'Include enough lines before and after the change that the text to replace occurs only once. To change every occurrence, use the option for that.',
  },
  'edit without change': {
    title: 'Check that an edit changes something',
    problem: 'Edits failed because the new text was the same as the old one.',
    rule: 'Before an edit, check that the file does not already contain the change.',
  },
  'file too large to read': {
    title: 'Read large files in parts',
    problem: 'Files were too large to read at once.',
    rule: 'Search a large file for the place that you need and read the lines around it, instead of reading all of it.',
  },
  'command not found': {
    title: 'Check that a program is installed before you use it',
    problem: 'Commands failed because the program was not installed.',
    rule: 'Use the programs that the project provides (its scripts, its lock file, its tools). When a program is missing, say so instead of trying others.',
  },
  'no such file': {
    title: 'Find a path before you use it',
    problem: 'Calls failed because a path did not exist.',
    rule: 'List the folder or search for the file name before you use a path that you have not seen in this session, and check which folder the command runs in.',
  },
  'module not found': {
    title: 'Check that a module is installed before you import it',
    problem: 'Commands failed because a module was missing.',
    rule: 'Before you import a module, check that the project has it. When one is missing, first install what the lock file lists; add a new one only if the task requires it.',
  },
  'push rejected': {
    title: 'Fetch before you push',
    problem: 'Pushes were rejected because the remote had newer commits.',
    rule: 'Fetch and rebase (or merge, as the project does) before you push. When a push is rejected, do the same; never force it without asking.',
  },
  'push refused': {
    title: 'Follow the rules of the remote when you push',
    problem: 'Pushes were refused by rules of the remote: a protected branch, or a check.',
    rule: 'Read why the remote refused a push, and do what its rules require: push a branch and open a pull request. Never force the push, and do not work around the rule.',
  },
  'branches diverged': {
    title: 'Compare both branches before you pull',
    problem: 'Pulls failed because both branches had commits that the other did not have.',
    rule: 'When a pull cannot be fast-forwarded, look at the new commits of both branches, then rebase or merge as the project does. Never discard commits.',
  },
  'merge conflict': {
    title: 'Resolve merge conflicts file by file',
    problem: 'Commits conflicted with others.',
    rule: 'Fetch and rebase or merge before you begin and before you commit. At a conflict, list the files, read both sides of each, keep the intent of both, and run the tests before you continue.',
  },
  'no git repository': {
    title: 'Run git in the repository',
    problem: 'Git was run outside of a repository.',
    rule: 'Change to the repository, or pass `git -C <folder>`, before you run git.',
  },
  'unknown revision': {
    title: 'Look up branches and revisions before you use them',
    problem: 'Git was given revisions or paths that do not exist.',
    rule: 'List branches, tags or commits before you name one, and put `--` before paths.',
  },
  'shell quoting': {
    title: 'Write complicated commands to a script file',
    problem: 'Commands failed because of shell quoting or glob errors.',
    rule: 'Put arguments and glob patterns in single quotes. Write anything with nested quotes or several lines to a file and run that, instead of one long command.',
  },
  'invalid regex': {
    title: 'Search for fixed text where no regular expression is needed',
    problem: 'Searches failed because the regular expression was invalid.',
    rule: 'Search with fixed strings (`rg -F`, `grep -F`) unless you need a regular expression. For a pattern over several lines use `rg -U`.',
  },
  'unknown option': {
    title: 'Check the help before you use an option',
    problem: 'Programs were called with options or subcommands that they do not have.',
    rule: "Check an option in the program's `--help` before you use it for the first time in a session: versions differ.",
  },
  'permission denied': {
    title: 'Do not work around missing permissions',
    problem: 'Calls failed because of missing permissions.',
    rule: 'When permission is denied, do not repeat the call and do not work around it: say what is needed and why, and continue with what is permitted.',
  },
  'not signed in': {
    title: 'Check authentication before you use a service',
    problem: 'Calls failed because the service requires authentication.',
    rule: 'Check once, at the beginning, that you are signed in to the service. If not, say so and continue without it; do not look for credentials.',
  },
  'service overloaded': {
    title: 'Wait when a service is overloaded',
    problem: 'Calls failed because a service was overloaded or a rate limit was reached.',
    rule: 'When a service is overloaded, wait longer after each attempt, and send fewer requests at once.',
  },
  timeout: {
    title: 'Run long commands in the background or with a longer timeout',
    problem: 'Commands were stopped by a timeout.',
    rule: 'Run commands that may take minutes in the background or with a longer timeout, and run only the part that you need: one test file, one package.',
  },
  network: {
    title: 'Check that a server is reachable before you use it',
    problem: 'Calls failed because of network errors.',
    rule: 'When a server does not respond, try once more, then continue without it. Check that a local server is running before you call it.',
  },
}
