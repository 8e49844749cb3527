// Commands that change nothing with the listed options. Other options are refused, which excludes
// `sort -o`, `find -exec`, `git diff --output` and options of later versions.

export interface ReadOnlyCommand {
  /** Options of one letter, also combined behind one dash; those after the colon take a value. */
  letters?: string
  /** `--name`; with a trailing `=` it needs a value in the same word. */
  long?: string[]
  /** Whether `-20` is a number of lines. */
  takesNumber?: boolean
  /** How many non-option words come before the files: a pattern, a script. */
  texts?: number
  /** Pattern for such a text. */
  text?: RegExp
  /** Maximum of non-option words, for programs that write into a further one. */
  max?: number
  /** Subcommands, each with its own rules. */
  subcommands?: Record<string, ReadOnlyCommand>
}

const counted = { letters: 'qv:cn', takesNumber: true, long: ['lines=', 'bytes=', 'quiet', 'verbose'] }
const commits = {
  letters: 'bimpsuwz:nSGLU',
  takesNumber: true,
  long: [
    ...['oneline', 'stat', 'shortstat', 'numstat', 'name-only', 'name-status', 'summary', 'patch', 'no-patch', 'raw'],
    ...['graph', 'all', 'branches', 'tags', 'remotes', 'decorate', 'no-decorate', 'abbrev-commit', 'follow', 'reverse'],
    ...['merges', 'no-merges', 'first-parent', 'no-color', 'no-renames', 'full-index', 'word-diff', 'no-ext-diff'],
    ...['cached', 'staged', 'merge-base', 'ignore-all-space', 'ignore-space-change', 'no-textconv', 'check'],
    ...['max-count=', 'skip=', 'since=', 'until=', 'after=', 'before=', 'author=', 'committer=', 'grep='],
    ...['format=', 'pretty=', 'date=', 'unified=', 'diff-filter='],
  ],
}

export const readOnlyCommands: Record<string, ReadOnlyCommand> = {
  basename: {},
  cat: { letters: 'AbeEnstTuv' },
  cmp: { letters: 'bls' },
  cut: { letters: 's:bcdf', long: ['bytes=', 'characters=', 'delimiter=', 'fields=', 'only-delimited'] },
  diff: { letters: 'abBdiNpqstuwy:UC', long: ['brief', 'unified=', 'side-by-side'] }, // -r would follow links,
  dirname: {},
  du: { letters: 'abchkms:d', long: ['max-depth=', 'summarize', 'human-readable'] },
  echo: { letters: 'n', texts: Number.POSITIVE_INFINITY },
  find: {}, // its options are not like those of others: see below
  git: {
    subcommands: {
      blame: { letters: 'beflnstw:L', long: ['porcelain', 'line-porcelain', 'date='] },
      branch: { letters: 'arv', long: ['all', 'list', 'remotes', 'show-current', 'verbose', 'no-color'], max: 0 },
      diff: commits,
      log: commits,
      'ls-files': {
        letters: 'cdmostz',
        long: ['cached', 'deleted', 'modified', 'others', 'exclude-standard', 'stage'],
      },
      'rev-parse': {
        long: ['show-toplevel', 'abbrev-ref', 'short', 'verify', 'git-dir', 'is-inside-work-tree', 'show-prefix'],
      },
      show: commits,
      status: { letters: 'bsuvz', long: ['short', 'branch', 'porcelain', 'long', 'verbose', 'ignored', 'show-stash'] },
    },
  },
  grep: {
    letters: 'EFGPciloqrsvwxnHhaLz:ABCem',
    long: [
      ...['recursive', 'ignore-case', 'line-number', 'files-with-matches', 'count', 'word-regexp', 'fixed-strings'],
      ...[
        'extended-regexp',
        'perl-regexp',
        'invert-match',
        'only-matching',
        'no-messages',
        'with-filename',
        'no-filename',
      ],
      ...['include=', 'exclude=', 'exclude-dir=', 'max-count=', 'context=', 'color=', 'regexp='],
    ],
    texts: 1,
  },
  head: counted,
  ls: {
    letters: '1AaBCFGghiLlmnopqRrSstUux',
    long: ['all', 'almost-all', 'human-readable', 'recursive', 'color=', 'reverse'],
  },
  nl: { letters: ':b' },
  pwd: { letters: 'LP', max: 0 },
  sed: { letters: 'nE', texts: 1, text: /^\d+(?:,\d+)?p$/ },
  sort: { letters: 'bdfghinrsuVz:kt', long: ['reverse', 'numeric-sort', 'unique', 'key=', 'human-numeric-sort'] },
  stat: { letters: 'Lft:c', long: ['format=', 'terse', 'dereference'] },
  tail: counted,
  tr: { letters: 'cds', texts: 2, max: 2 },
  true: { max: 0 },
  uniq: { letters: 'cdiu', long: ['count', 'repeated', 'unique', 'ignore-case'], max: 1 },
  wc: { letters: 'clmwL', long: ['lines', 'words', 'bytes', 'chars'] },
}

/** Tests of `find` that only read; each takes a value, or none. */
export const findTests: Record<string, 'value' | 'alone'> = {
  '-name': 'value',
  '-iname': 'value',
  '-path': 'value',
  '-ipath': 'value',
  '-type': 'value',
  '-maxdepth': 'value',
  '-mindepth': 'value',
  '-mtime': 'value',
  '-mmin': 'value',
  '-size': 'value',
  '-newermt': 'value',
  '-not': 'alone',
  '-o': 'alone',
  '-a': 'alone',
  '-empty': 'alone',
  '-print': 'alone',
  '-prune': 'alone',
}
