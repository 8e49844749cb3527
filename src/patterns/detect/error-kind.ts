// Classifies errors, so that the same error of different agents, programs and projects is one kind.
// Known kinds have a name; others go by the shape of the message, or by the command where it gives
// no reason.
import { isTestCommand } from '../../core/commands.ts'
import { isInspection, isTestStep } from '../../digest/command-names.ts'
import { errorShape } from '../../digest/fingerprint.ts'
import { ellipsize, truncate } from '../../text/truncate.ts'

export interface DigestError {
  message: string
  tool: string
  command?: string
}

export interface ErrorKind {
  locus: string
  /** Plural noun that names these errors; the quoted message where the kind has no name. */
  says: string
}

/**
 * Undefined for expected failures: a search without result, a call that was denied or aborted with
 * another one, a failing test.
 */
export function errorKind({ message, tool, command }: DigestError): ErrorKind | undefined {
  if (followsFromAnother.test(message) || isDenial.test(message)) return undefined
  const isTest = command !== undefined && (isTestCommand(command) || isTestStep(command))
  if (isTest && !byWhoRanIt.test(message)) return undefined
  const known = kinds.find(({ is }) => is.test(message))
  if (known) return known
  if (isTest) return undefined
  if (tool !== '' && (saysNothing.test(message) || !saysWhy.test(message)))
    return command && !isInspection(command) ? { locus: `${command}${fails}`, says: failuresOf(command) } : undefined
  return { locus: truncate(errorShape(message), 160), says: `"${ellipsize(message, 120)}"` }
}

const fails = ' fails'

function failuresOf(command: string): string {
  return `failures of \`${command}\``
}

/** Whether only the command is known, and not what was wrong. */
export function isUnexplained(locus: string): boolean {
  return locus.endsWith(fails)
}

/** Undefined where the locus is the shape of a message. */
export function describeErrorKind(locus: string): string | undefined {
  const known = kinds.find((kind) => kind.locus === locus)?.says
  return known ?? (isUnexplained(locus) ? failuresOf(locus.slice(0, -fails.length)) : undefined)
}

/** Kinds with their own signal type. */
export const notReadYet = 'edit before read'
export const wrongArguments = 'wrong arguments'

/**
 * The first match counts. Wordings of 2026: Claude Code 2.1, Codex 0.14x, Gemini CLI, Copilot CLI,
 * pi, and common programs.
 */
const kinds: (ErrorKind & { is: RegExp })[] = [
  { locus: notReadYet, says: 'files edited before they were read', is: /has not been read yet|read it first/i },
  {
    locus: 'edit of changed file',
    says: 'edits of files that had changed since they were read',
    is: /(?:been )?(?:unexpectedly )?modified since (?:it was )?(?:last )?read|file has changed since/i,
  },
  {
    locus: 'edit text not found',
    says: 'edits whose text to replace is not in the file',
    is: /string to replace not found|failed to find (?:expected|context)|could not find the (?:exact )?(?:text|string)|0 occurrences found|search block failed|no match found for .*(?:old_?str|search)|old_?str(?:ing)? (?:was )?not found|did not appear verbatim/i,
  },
  {
    locus: 'edit text ambiguous',
    says: 'edits whose text to replace occurs more than once',
    is: /found \d+ (?:matches|occurrences) of|(?:multiple|several) (?:matches|occurrences)|is not unique|but found \d+/i,
  },
  {
    locus: 'edit without change',
    says: 'edits that change nothing',
    is: /no changes (?:to make|made)|old_string and new_string are (?:exactly )?the same|identical content/i,
  },
  {
    locus: wrongArguments,
    says: 'tool calls with invalid arguments',
    is: /inputvalidationerror|input validation error|invalid (?:arguments|params|parameters|input) for (?:tool)?|params must have|missing required (?:param|arg|prop)|required parameter .* (?:is )?missing|failed to parse function arguments|unrecognized_keys|must have required property/i,
  },
  {
    locus: 'file too large to read',
    says: 'files too large to read at once',
    is: /exceeds maximum allowed (?:tokens|size)|file (?:is )?too large/i,
  },
  {
    locus: 'command not found',
    says: 'missing commands',
    is: /command not found|is not recognized as|: not found$/i,
  },
  {
    locus: 'no such file',
    says: 'paths that do not exist',
    is: /no such file or directory|file does not exist|path does not exist|\benoent\b|cannot find the (?:path|file)|cannot access .*|file not found|does not exist in (?:the )?(?:file ?system|directory)/i,
  },
  {
    locus: 'module not found',
    says: 'missing modules',
    is: /cannot find (?:module|package)|no module named|module not found|unresolved import/i,
  },
  {
    locus: 'push rejected',
    says: 'pushes rejected because the remote has newer commits',
    is: /! \[rejected\].*\((?:fetch first|non-fast-forward|stale info)|updates were rejected|non-fast-forward/i,
  },
  {
    locus: 'push refused',
    says: 'pushes refused by rules of the remote',
    is: /! \[(?:remote )?rejected\]|pre-receive hook declined|repository rule violations|protected branch/i,
  },
  { locus: `git push${fails}`, says: failuresOf('git push'), is: /failed to push some refs/i },
  {
    locus: 'branches diverged',
    says: 'pulls that fail because the branches have diverged',
    is: /not possible to fast-forward|divergent branches/i,
  },
  {
    locus: 'merge conflict',
    says: 'merge conflicts',
    is: /^conflict\b|could not apply|merge conflict|automatic merge failed|fix conflicts/i,
  },
  { locus: 'no git repository', says: 'git commands outside of a repository', is: /not a git repository/i },
  {
    locus: 'unknown revision',
    says: 'unknown git revisions or paths',
    is: /ambiguous argument|unknown revision|bad revision|invalid reference|pathspec .* did not match/i,
  },
  {
    locus: 'shell quoting',
    says: 'shell quoting and glob errors',
    is: /parse error near|unmatched ['"`]|unexpected eof while looking|syntax error near unexpected token|no matches found: |unterminated quoted|bad substitution|event not found/i,
  },
  {
    locus: 'invalid regex',
    says: 'invalid regular expressions',
    is: /regex parse error|not allowed in a regex|invalid regular expression|unbalanced parenthes[ie]s|unmatched \[|-e expression #\d+/i,
  },
  {
    locus: 'unknown option',
    says: 'unknown options or subcommands',
    is: /unknown (?:flag|option|command|argument|json field)|unrecognized (?:flag|option|argument)s?|unexpected argument|invalid option|illegal option|no such option|accepts at most \d+ arg/i,
  },
  {
    locus: 'permission denied',
    says: 'permission errors',
    is: /permission denied|operation not permitted|\beacces\b|\beperm\b/i,
  },
  {
    locus: 'not signed in',
    says: 'authentication errors',
    is: /bad credentials|\b401\b|unauthorized|authentication (?:failed|required)|not logged in/i,
  },
  {
    locus: 'service overloaded',
    says: 'overloaded services and rate limits',
    is: /\b529\b|overloaded|\b429\b|rate.?limit|too many requests/i,
  },
  { locus: 'timeout', says: 'timeouts', is: /timed out|timeout|deadline exceeded/i },
  {
    locus: 'network',
    says: 'network errors',
    is: /econnrefused|econnreset|enotfound|could not resolve host|connection refused|network is unreachable/i,
  },
]

/**
 * Messages of the shell or the tool that tests did not run or finish, as opposed to test output.
 */
const byWhoRanIt = /^(?:\(eval\)|(?:\S*\/)?(?:ba|z|da|k)?sh\b).*:|^command timed out|^command not found/i
const followsFromAnother = /sibling tool call errored|parallel tool call .*errored|^(?:command )?aborted|^terminated$/i
/** Denials have a signal of their own. Wordings of Claude Code 2.1 and Codex 0.14x. */
const isDenial = /user doesn't want to (?:proceed|take this action)|tool use was rejected|rejected by (?:the )?user/i
const saysNothing = /^(?:\(no output\)|(?:error: )?exit code:? \d+|command exited with code \d+|[\W_]*)$/i
const saysWhy =
  /error|fail|cannot|can't|could not|unable|not |no such|denied|invalid|unknown|unexpected|missing|refused|fatal|panic|exception|undefined|conflict|rejected|expected|exceed|deprecated|no longer/i
