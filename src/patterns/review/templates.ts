// What a person is offered as a practice, per type of signal: plain sentences that an agent can follow. The locus comes out of
// transcripts, so it stands in the text as code or as a quotation, on one line, never as a sentence of ours.
import { beginning, oneLine } from '../../core/text.ts'
import type { SignalType } from '../signal.ts'

export interface Wording {
  title: string
  problem: string
  rule: string
  steps?: string[]
}

export function wordingOf(type: SignalType, locus: string): Wording {
  const wording = templates[type](oneLine(locus))
  return { ...wording, title: beginning(wording.title, mostTitle) }
}

const mostTitle = 90
const mostLocus = 160

const templates: Record<SignalType, (locus: string) => Wording> = {
  'retry storm': (locus) => ({
    title: `Two failed tries${of(locus)} are enough`,
    problem: `The same call${of(locus)} was tried again and again although it kept failing.`,
    rule: `When ${locus ? `${code(locus)} has` : 'a call has'} failed twice in the same way, do not try it a third time unchanged. Read the whole error, say what you take for its cause, change that, and only then try again. If it still fails, ask.`,
  }),
  'repeated error': (locus) => ({
    title: `After the second error${of(locus)}, find the cause`,
    problem: `Several errors${of(locus)} came one after the other in the same session.`,
    rule: `After the second error${of(locus)} stop and find its cause before going on: read the message in full, look at the file or the help that it names, and repair that first.`,
  }),
  'recurring error': (locus) => ({
    title: locus ? `Known error: ${beginning(locus, 60)}` : 'An error that is known already',
    problem: `The same error came up in session after session${locus ? `: ${code(locus)}` : '.'}`,
    rule: `${locus ? code(locus) : 'This error'} has come up in earlier sessions. Check for its cause before you do what leads to it. When it appears, look up how it was solved before instead of finding that out anew.`,
  }),
  'expensive session': (locus) => ({
    title: 'Keep sessions small',
    problem: `Sessions${locus ? ` with ${code(locus)}` : ''} cost far more than others.`,
    rule: 'Do one task per session. Read the parts of files that you need, not whole folders, and keep long output out of the conversation: filter it, take its end, or write it to a file.',
  }),
  abandoned: () => ({
    title: 'Deliver a first part that works',
    problem: 'Sessions were given up without a result.',
    rule: 'Before you begin, say in one sentence what you will do and how it will be checked. If the task turns out larger than it looked, finish a part that works first, and say what is left.',
  }),
  'clean pass': (locus) => ({
    title: 'Keep to the way that works',
    problem: 'Sessions that went this way ran through without errors.',
    rule: `Read what you are going to change, change it in small steps, and run ${locus ? code(locus) : 'the tests'} after each step. You are done when they pass.`,
  }),
  recovery: (locus) => ({
    title: locus ? `Out of: ${beginning(locus, 60)}` : 'From an error back to work',
    problem: `This error was overcome within the session${locus ? `: ${code(locus)}` : '.'}`,
    rule: `When ${locus ? code(locus) : 'an error'} appears, read it in full, change what it names, and run the same command again to see that it is gone before you go on.`,
  }),
  overhead: (locus) => ({
    title: `Less overhead${of(locus)}`,
    problem: `A large share of the calls${of(locus)} was spent on things around the work.`,
    rule: `Call ${locus ? code(locus) : 'tools for planning, listing and looking up'} only when the answer changes what you do next, and put several small questions into one call.`,
  }),
  'schema thrash': (locus) => ({
    title: `Look at the parameters${of(locus)} first`,
    problem: `Calls${of(locus)} were refused because of their arguments, and then guessed again.`,
    rule: `Before the first call${of(locus)} in a session, look at the names and types of its parameters and pass exactly those. After one refusal read its schema again; do not guess.`,
  }),
  'tool thrash': (locus) => ({
    title: `Choose one way${locus ? `, not many calls of ${code(locus)}` : ''}`,
    problem: `Tools were called back and forth${locus ? ` (${code(locus)})` : ''} without getting closer.`,
    rule: `Say what you want to find out before you call ${locus ? code(locus) : 'a tool'}, choose the one call that answers it, and when two calls have not brought you closer, change the approach.`,
  }),
  'unread edit': () => ({
    title: 'Read a file before you edit it',
    problem: 'Edits failed because the file had not been read in the session, or had changed since.',
    rule: 'Read a file in this session before you edit it. Read it again when anything else may have changed it since: a formatter, a command, or the user.',
  }),
  'repeated correction': (locus) => ({
    title: locus ? `Told more than once: ${beginning(locus, 60)}` : 'What the user had to say more than once',
    problem: 'The user corrected the same thing in several sessions.',
    rule: locus
      ? `The user has said more than once: “${beginning(locus, mostLocus)}”. Do so without being told.`
      : 'Look up what the user has corrected before, and do it that way without being told.',
  }),
  'command sequence': (locus) => {
    const steps = commandsIn(locus)
    return {
      title:
        steps.length > 1
          ? `${beginning(steps[0]!, 36)} to ${beginning(steps.at(-1)!, 36)}`
          : `Run ${beginning(locus, 60)}`,
      problem: 'The same commands, in the same order, led to the goal in several sessions.',
      rule: 'When this is to be done, run these commands in this order. Stop at the first one that fails, and repair that before you go on.',
      steps: steps.map(code),
    }
  },
  'lost at compaction': () => ({
    title: 'Write down where you are before the context is compacted',
    problem: 'After a compaction, work was done again or decisions were forgotten.',
    rule: 'At every milestone write down what was decided, what is done, what is left and which files matter. After a compaction read that before you go on.',
  }),
  denial: (locus) => ({
    title: `Ask before ${locus ? code(locus) : 'what was refused before'}`,
    problem: `Calls${of(locus)} were refused by the user or by their permissions.`,
    rule: `Do not call ${locus ? code(locus) : 'what was refused before'} without asking first: say what it is for, and offer another way.`,
  }),
  'untested change': (locus) => ({
    title: 'Run the tests after the last change',
    problem: 'Sessions ended with changed code and no test run after it.',
    rule: `After the last change run ${locus ? code(locus) : 'the tests that cover it'}, and say what came out. If there is no test, say so.`,
  }),
}

function of(locus: string): string {
  return locus ? ` of ${code(locus)}` : ''
}

function code(text: string): string {
  const short = text.length > mostLocus ? `${beginning(text, mostLocus)}…` : text
  return short.includes('`') ? `\`\` ${short} \`\`` : `\`${short}\``
}

/** Joined by what a shell, or we, put between commands. */
function commandsIn(locus: string): string[] {
  return locus
    .split(/\s*(?:&&|→|->|;)\s*/)
    .map((command) => command.trim())
    .filter((command) => command !== '')
}
