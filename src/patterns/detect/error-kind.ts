// Classifies errors, so that the same error of different agents, programs and projects is one kind.
// Known kinds have a name; others go by the shape of the message, or by the command where it gives
// no reason.
import { isTestCommand } from '../../core/commands.ts'
import { isInspection, isTestStep } from '../../digest/command-names.ts'
import { errorShape } from '../../digest/fingerprint.ts'
import { truncate } from '../../text/truncate.ts'

export interface DigestError {
  message: string
  tool: string
  command?: string
}

export interface ErrorKind {
  locus: string
  /** Description as part of a sentence. */
  says: string
}

/**
 * Undefined for expected failures: a search without result, a call aborted with another one, a
 * failing test.
 */
export function errorKind({ message, tool, command }: DigestError): ErrorKind | undefined {
  if (followsFromAnother.test(message)) return undefined
  const isTest = command !== undefined && (isTestCommand(command) || isTestStep(command))
  if (isTest && !byWhoRanIt.test(message)) return undefined
  const known = kinds.find(({ is }) => is.test(message))
  if (known) return known
  if (isTest) return undefined
  if (tool !== '' && (saysNothing.test(message) || !saysWhy.test(message)))
    return command && !isInspection(command) ? { locus: `${command}${fails}`, says: `\`${command}\` fails` } : undefined
  return { locus: truncate(errorShape(message), 160), says: `"${truncate(message, 120)}"` }
}

const fails = ' fails'

/** Undefined where the locus is the shape of a message. */
export function describeErrorKind(locus: string): string | undefined {
  const known = kinds.find((kind) => kind.locus === locus)?.says
  return known ?? (locus.endsWith(fails) ? `\`${locus.slice(0, -fails.length)}\`${fails}` : undefined)
}

/** Kinds with their own signal type. */
export const notReadYet = 'edit before read'
export const wrongArguments = 'wrong arguments'

/**
 * The first match counts. Wordings of 2026: Claude Code 2.1, Codex 0.14x, Gemini CLI, Copilot CLI,
 * pi, and common programs.
 */
const kinds: (ErrorKind & { is: RegExp })[] = [
  { locus: notReadYet, says: 'a file is edited before it was read', is: /has not been read yet|read it first/i },
  {
    locus: 'edit of changed file',
    says: 'a file has changed since it was read',
    is: /(?:been )?(?:unexpectedly )?modified since (?:it was )?(?:last )?read|file has changed since/i,
  },
  {
    locus: 'edit text not found',
    says: 'the text to replace is not in the file',
    is: /string to replace not found|failed to find (?:expected|context)|could not find the (?:exact )?(?:text|string)|0 occurrences found|search block failed|no match found for .*(?:old_?str|search)|old_?str(?:ing)? (?:was )?not found|did not appear verbatim/i,
  },
  {
    locus: 'edit text ambiguous',
    says: 'the text to replace is there more than once',
    is: /found \d+ (?:matches|occurrences) of|(?:multiple|several) (?:matches|occurrences)|is not unique|but found \d+/i,
  },
  {
    locus: 'edit without change',
    says: 'an edit changes nothing',
    is: /no changes (?:to make|made)|old_string and new_string are (?:exactly )?the same|identical content/i,
  },
  {
    locus: wrongArguments,
    says: 'a tool is called with arguments that it does not take',
    is: /inputvalidationerror|input validation error|invalid (?:arguments|params|parameters|input) for (?:tool)?|params must have|missing required (?:param|arg|prop)|required parameter .* (?:is )?missing|failed to parse function arguments|unrecognized_keys|must have required property/i,
  },
  {
    locus: 'file too large to read',
    says: 'a file is too large to be read at once',
    is: /exceeds maximum allowed (?:tokens|size)|file (?:is )?too large/i,
  },
  {
    locus: 'command not found',
    says: 'a program is not installed',
    is: /command not found|is not recognized as|: not found$/i,
  },
  {
    locus: 'no such file',
    says: 'a path is guessed that does not exist',
    is: /no such file or directory|file does not exist|path does not exist|\benoent\b|cannot find the (?:path|file)|cannot access .*|file not found|does not exist in (?:the )?(?:file ?system|directory)/i,
  },
  {
    locus: 'module not found',
    says: 'a module is missing',
    is: /cannot find (?:module|package)|no module named|module not found|unresolved import/i,
  },
  {
    locus: 'push rejected',
    says: 'a push is rejected because others have pushed',
    is: /! \[rejected\].*\((?:fetch first|non-fast-forward|stale info)|updates were rejected|non-fast-forward/i,
  },
  {
    locus: 'push refused',
    says: 'the other side does not take a push',
    is: /! \[(?:remote )?rejected\]|pre-receive hook declined|repository rule violations|protected branch/i,
  },
  { locus: `git push${fails}`, says: `\`git push\`${fails}`, is: /failed to push some refs/i },
  {
    locus: 'branches diverged',
    says: 'a branch has gone another way than the one it follows',
    is: /not possible to fast-forward|divergent branches/i,
  },
  {
    locus: 'merge conflict',
    says: 'commits conflict',
    is: /^conflict\b|could not apply|merge conflict|automatic merge failed|fix conflicts/i,
  },
  { locus: 'no git repository', says: 'git is run outside of a repository', is: /not a git repository/i },
  {
    locus: 'unknown revision',
    says: 'git is asked for a revision that does not exist',
    is: /ambiguous argument|unknown revision|bad revision|invalid reference|pathspec .* did not match/i,
  },
  {
    locus: 'shell quoting',
    says: 'the shell trips over quotes or wildcards',
    is: /parse error near|unmatched ['"`]|unexpected eof while looking|syntax error near unexpected token|no matches found: |unterminated quoted|bad substitution|event not found/i,
  },
  {
    locus: 'unknown option',
    says: 'a program is called with an option it does not have',
    is: /unknown (?:flag|option|command|argument|json field)|unrecognized (?:flag|option|argument)s?|unexpected argument|invalid option|illegal option|no such option|accepts at most \d+ arg/i,
  },
  {
    locus: 'permission denied',
    says: 'the system does not permit it',
    is: /permission denied|operation not permitted|\beacces\b|\beperm\b/i,
  },
  {
    locus: 'not signed in',
    says: 'a service does not know who is asking',
    is: /bad credentials|\b401\b|unauthorized|authentication (?:failed|required)|not logged in/i,
  },
  {
    locus: 'service overloaded',
    says: "the model's service is overloaded",
    is: /\b529\b|overloaded|\b429\b|rate.?limit|too many requests/i,
  },
  { locus: 'timeout', says: 'something takes longer than it may', is: /timed out|timeout|deadline exceeded/i },
  {
    locus: 'network',
    says: 'the network does not answer',
    is: /econnrefused|econnreset|enotfound|could not resolve host|connection refused|network is unreachable/i,
  },
]

/**
 * Messages of the shell or the tool that tests did not run or finish, as opposed to test output.
 */
const byWhoRanIt = /^(?:\(eval\)|(?:\S*\/)?(?:ba|z|da|k)?sh\b).*:|^command timed out|^command not found/i
const followsFromAnother = /sibling tool call errored|parallel tool call .*errored|^(?:command )?aborted|^terminated$/i
const saysNothing = /^(?:\(no output\)|(?:error: )?exit code:? \d+|command exited with code \d+|[\W_]*)$/i
const saysWhy =
  /error|fail|cannot|can't|could not|unable|not |no such|denied|invalid|unknown|unexpected|missing|refused|fatal|panic|exception|undefined|conflict|rejected|expected|exceed/i
