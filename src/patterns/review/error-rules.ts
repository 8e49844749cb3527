// What to do about errors that have a name (detect/error-kind.ts): each is known well enough to be avoided, not only mended.
export interface ErrorRule {
  title: string
  problem: string
  rule: string
}

export function errorRule(locus: string): ErrorRule | undefined {
  return Object.hasOwn(rules, locus) ? rules[locus] : undefined
}

const rules: Readonly<Record<string, ErrorRule>> = {
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
