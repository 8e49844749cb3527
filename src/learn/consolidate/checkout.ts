// Which names a checkout has now: in what is checked out, and in what others build on.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { type Checkout, runGit } from './git.ts'
import { type CodeName, escapeRegex } from './names.ts'

export interface MissingNames {
  names: CodeName[]
  /** Every file that is there in some place. */
  paths: Set<string>
}

/** The names that are in none of the places; undefined where git does not tell. */
export function findMissingNames(places: readonly Checkout[], names: readonly CodeName[]): MissingNames | undefined {
  const paths = new Set<string>()
  let left = [...names]
  for (const place of places) {
    const main = mainBranch(place)
    for (const tree of [undefined, ...(main === undefined ? [] : [main])]) {
      const listed = pathsIn(place, tree)
      const there = linesIn(place, left, tree)
      if (!listed || !there) return undefined
      for (const path of listed) paths.add(path)
      left = left.filter((name) => !there.has(name))
    }
  }
  const ends = endsOf(paths)
  left = left.filter(({ kind, text }) => kind !== 'path' || !(ends.has(text.toLowerCase()) || isOnDisk(places, text)))
  return { names: left, paths }
}

/** A branch of one's own may have lost what this one has. */
function mainBranch(place: Checkout): string | undefined {
  const names = [
    'remotes/origin/HEAD',
    'remotes/origin/main',
    'remotes/origin/master',
    'heads/main',
    'heads/master',
  ].map((name) => `refs/${name}`)
  const found = runGit(place, ['for-each-ref', '--format=%(refname)', ...names])?.split('\n') ?? []
  return names.find((name) => found.includes(name))
}

function pathsIn(place: Checkout, tree: string | undefined): string[] | undefined {
  const listing =
    tree === undefined
      ? ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
      : ['ls-tree', '-r', '-z', '--name-only', tree]
  return runGit(place, listing)
    ?.split('\0')
    .filter((path) => path !== '')
}

/** Every end of every path: `src/a/b.ts`, `a/b.ts`, `b.ts`. In lower case: `Mail.ts` that became `mail.ts` is the same to everybody. */
function endsOf(paths: ReadonlySet<string>): Set<string> {
  const folded = [...paths].map((path) => path.toLowerCase())
  const ends = new Set(folded)
  for (const path of folded)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) ends.add(path.slice(at + 1))
  return ends
}

/** Ignored files are in no list. A link on the way may lead anywhere, so what lies behind it counts as there. */
export function isOnDisk(places: readonly Checkout[], path: string): boolean {
  return places.some(({ folder }) => {
    let at = folder
    for (const part of path.split('/')) {
      at = join(at, part)
      const found = lstatSync(at, { throwIfNoEntry: false })
      if (!found?.isDirectory()) return found !== undefined
    }
    return true
  })
}

/** Names that stand in lines: symbols anywhere, scripts and targets where they are defined. */
function linesIn(place: Checkout, names: readonly CodeName[], tree: string | undefined): Set<CodeName> | undefined {
  const found = new Set<CodeName>()
  for (const kind of ['symbol', 'script', 'target'] as const) {
    const wanted = names.filter((name) => name.kind === kind)
    if (wanted.length === 0) continue
    const { form, patternOf, nameIn, files } = searches[kind]
    const patterns = wanted.flatMap(({ text }) => ['-e', patternOf(text)])
    const where = tree === undefined ? ['--untracked'] : [tree]
    // Git ends with 1 where it finds nothing.
    const out = runGit(
      place,
      ['grep', '-I', '-h', '-o', '--no-color', ...form, ...patterns, ...where, '--', ...files],
      '',
      [1],
    )
    if (out === undefined) return undefined
    const there = new Set(out.split('\n').map(nameIn))
    for (const name of wanted) if (there.has(name.text)) found.add(name)
  }
  return found
}

export const scriptFiles = [':(glob)**/package.json']
export const targetFiles = [':(glob,icase)**/*makefile', ':(glob)**/*.mk']

const searches = {
  symbol: {
    form: ['-w', '-F'],
    patternOf: (text: string) => text,
    nameIn: (line: string) => line,
    files: [] as string[],
  },
  script: {
    form: ['-E'],
    patternOf: (text: string) => `"${escapeRegex(text)}"[[:space:]]*:`,
    nameIn: (line: string) => line.split('"')[1] ?? '',
    files: scriptFiles,
  },
  target: {
    form: ['-E'],
    patternOf: (text: string) => `^${escapeRegex(text)}[[:space:]]*:`,
    nameIn: (line: string) => line.replace(/\s*:$/, ''),
    files: targetFiles,
  },
}
