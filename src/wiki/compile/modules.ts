// Maps a path to its module name: without extension, tests under the name of what they test, and
// files that represent their folder (index.ts, mod.rs, __init__.py) under the name of the folder.

export interface Module {
  /** `retry`; with its extension if people use it as part of the name: `pyproject.toml`. */
  name: string
  /** Folder that distinguishes it from modules of the same name; may be empty. */
  folder: string
}

/** Undefined for files that are no topic, such as lock files. `project`: name of the project. */
export function moduleOf(path: string, project: string): Module | undefined {
  const parts = path
    .replaceAll('\\', '/')
    .replace(homes, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  const file = parts.pop() ?? ''
  const match = /^(.+?)((?:\.\w+)+)$/.exec(file)
  if (!match || noTopics.test(file)) return undefined
  const ending = match[2]!.slice(match[2]!.lastIndexOf('.') + 1).toLowerCase()
  if (parts.some((part) => /^\.\w/.test(part) && part !== '.github')) return undefined
  const folder = isTelling(parts.at(-1) ?? '', project) ? parts.at(-1)! : ''
  if (plainEndings.has(ending)) return isPlainTopic(file) ? { name: file, folder: '' } : undefined
  if (!codeEndings.has(ending)) return undefined
  const name = withoutTest(file.slice(0, file.indexOf('.', 1)))
  if (!standsForFolder.has(name.toLowerCase()))
    return isName(name) ? { name, folder: isSameName(folder, name) ? '' : folder } : undefined
  const above = parts.findLast((part) => isTelling(part, project))
  return above === undefined ? undefined : { name: above, folder: '' }
}

/** Maps `test_retry`, `retry_test`, `retry_spec` and `RetryTest` to retry. */
export function withoutTest(name: string): string {
  if (!/test|spec|bench/i.test(name)) return name
  const plain = name
    .replace(/^(?:tests?|bench)_(?=\w)/i, '')
    .replace(/(?<=\w)_(?:tests?|spec|bench)$/i, '')
    .replace(/(?<=[a-z0-9])(?:Tests?|Spec)$/, '')
  return plain === '' ? name : plain
}

export function isCode(path: string): boolean {
  return codeEndings.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
}

function isTelling(folder: string, project: string): boolean {
  return (
    !/^$|^\.|^~$|^[A-Za-z]:$|(?:^|[_-])tests?$/i.test(folder) &&
    !roots.has(folder.toLowerCase()) &&
    !isSameName(folder, project)
  )
}

/** Ignores case and punctuation. */
export function isSameName(one: string, other: string): boolean {
  return bare(one) === bare(other)
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function isName(name: string): boolean {
  return (
    /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) && name.replace(/^_+/, '').length > 1 && !emptyNames.has(name.toLowerCase())
  )
}

export const codeEndings: ReadonlySet<string> = new Set(
  `py pyi pyx ipynb ts tsx mts cts js jsx mjs cjs vue svelte astro rs go java kt kts scala groovy rb php c h cc cpp cxx hpp cs fs swift m mm
  dart lua ex exs erl hs ml clj jl pl pm zig nim sol sh bash zsh ps1 sql proto graphql tf css scss less`.split(/\s+/),
)

/** Extensions of files that people call by their full name. */
export const plainEndings: ReadonlySet<string> = new Set('toml yaml yml cfg ini md rst json html'.split(' '))

/** Settings and well-known documents of a repository; other documents and data are no topics. */
function isPlainTopic(file: string): boolean {
  return /\.(?:toml|ya?ml|cfg|ini)$/i.test(file) || /^(?:package|tsconfig)\.json$|^[A-Z][A-Z_]+\.(?:md|rst)$/.test(file)
}

const noTopics =
  /^(?:package-lock\.json|.*\.lock|.*\.min\.\w+|.*\.(?:map|snap)|test_?regression\.\w+|memory\.md|todo\.md|notes?\.md|plan\.md)$/i

const standsForFolder = new Set(['index', 'mod', 'lib', 'main', '__init__', '__main__', 'package', 'init'])

const emptyNames = new Set(
  'test tests spec conftest foo bar baz a b x tmp temp script example examples sample demo untitled new old file repro page route layout'.split(
    ' ',
  ),
)

/** Home folders. */
const homes = /^(?:[A-Za-z]:)?\/(?:home|Users)\/[^/]+\/|^\/root\/|^~\//

/** Folders that do not distinguish modules. */
const roots = new Set(
  `src source lib libs app apps pkg packages internal cmd crates modules test tests __tests__ spec specs e2e bench benches examples docs doc
  scripts bin dist build out target public static assets main java kotlin python home users user work workspace projects repos repo code git
  tmp temp var private usr opt root mnt data github.com gitlab.com node_modules worktrees`.split(/\s+/),
)
