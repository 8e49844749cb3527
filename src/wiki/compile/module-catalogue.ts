// Collects the modules of a project that were named or changed, to resolve names in texts.
import { isSameName, type Module, moduleOf, withoutTest } from './modules.ts'
import { leadNames, type TextNames } from './names.ts'

interface KnownModule {
  name: string
  /** In order of appearance. The first keeps the bare name; others are prefixed by their folder. */
  folders: string[]
  /** File names with counts. */
  files: Map<string, number>
}

export type ModuleCatalogue = Map<string, KnownModule>

/** Names in one text or session, and the files that it changed. */
export interface NamedText {
  named: TextNames
  text: string
  /** Paths relative to the folder of the session. */
  changed: readonly string[]
}

/** `articles` come first, so that existing titles keep their folder. */
export function catalogueOf(
  namings: readonly NamedText[],
  project: string,
  articles: readonly { topic: string; title: string }[] = [],
): ModuleCatalogue {
  const modules: ModuleCatalogue = new Map()
  for (const { topic, title } of articles) {
    const name = /^file:([^/]+)$/.exec(topic)?.[1]
    const folder = name === undefined ? undefined : /^([^/]+)\/[^/]+$/.exec(title)?.[1]
    if (name !== undefined && folder !== undefined) addModule(modules, { name, folder })
  }
  for (const { named, text, changed } of namings) {
    for (const path of [...named.paths.keys(), ...changed]) {
      const module = moduleOf(path, project)
      if (module) addModule(modules, module, path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1))
    }
    for (const parts of named.dotted) {
      const [first, second = '', third] = parts
      if (third !== undefined && isSameName(first!, project) && /^[a-z]\w+$/.test(second))
        addModule(modules, { name: second, folder: '' })
    }
    for (const name of testedNames(named, text)) addModule(modules, { name, folder: '' })
  }
  return modules
}

/**
 * `test_stats_histogram.py` belongs to `stats`, if it exists: a module known only by tests may be
 * part of another.
 */
function testedModule(modules: ModuleCatalogue, name: string): string {
  const known = modules.get(name)
  const files = [...(known?.files.keys() ?? [])]
  if (files.length === 0 || !files.every((file) => /^test_|_test\.|\.test\.|\.spec\.|_spec\./.test(file))) return name
  for (let at = name.lastIndexOf('_'); at > 0; at = name.lastIndexOf('_', at - 1)) {
    if (modules.has(name.slice(0, at))) return name.slice(0, at)
  }
  return name
}

/** `append_event, test_ledger - …` implies a module `ledger`, even if its file is not named. */
function testedNames({ paths }: TextNames, text: string): string[] {
  if (paths.size > 0) return []
  return leadNames(text).flatMap((name) => (/^test_[a-z]{4,}$/.test(name) ? withoutTest(name) : []))
}

function addModule(modules: ModuleCatalogue, { name, folder }: Module, file?: string): void {
  const known = modules.get(name.toLowerCase())
  const module: KnownModule = known ?? { name, folders: [], files: new Map() }
  if (!known) modules.set(name.toLowerCase(), module)
  if (folder !== '' && !module.folders.includes(folder)) module.folders.push(folder)
  if (file !== undefined) module.files.set(file, (module.files.get(file) ?? 0) + 1)
}

/** The topic of a module; undefined if it is unknown. */
export function topicOfModule(modules: ModuleCatalogue, module: Module): string | undefined {
  const { folder } = module
  if (!modules.has(module.name.toLowerCase())) return undefined
  const name = testedModule(modules, module.name.toLowerCase())
  const known = modules.get(name)!
  const isOther = folder !== '' && known.folders.indexOf(folder) > 0
  return `file:${isOther ? `${folder}/` : ''}${name}`
}

/** Title with the folder, if there is one. */
export function titleOfModule(modules: ModuleCatalogue, topic: string): string {
  const place = topic.slice('file:'.length)
  const [folder, name] = place.includes('/') ? place.split('/') : [undefined, place]
  const known = modules.get(name!)
  const above = folder ?? known?.folders[0]
  return above === undefined ? (known?.name ?? name!) : `${above}/${known?.name ?? name}`
}
