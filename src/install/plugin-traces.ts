// What an agent writes down of the plugin that `install plugin` made, when the user adds it there. It
// is taken out again with the plugin: an agent would report one that it cannot load.
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'smol-toml'
import type { PluginTrace, PluginTraces } from '../agents/agent.ts'
import type { App } from '../app.ts'
import { readTextOrEmpty, writeAtomically } from '../core/files.ts'
import { removeFolders } from './apply.ts'
import { jsonOf, parseJson } from './edit/json-document.ts'
import { removeOwnedEntries } from './edit/owned-entries.ts'
import { removeOwnedTable } from './edit/plan-toml-table.ts'
import { readText } from './edit/read-text.ts'
import type { FileEdit } from './types.ts'

/** The folder that agents know as the marketplace. */
export function pluginFolder(root: string): string {
  return join(root, 'plugin')
}

export function planPluginRemoval(app: App, read: (path: string) => string | undefined = readText): FileEdit[] {
  const originals = readOriginals(app)
  return tracesOf(app).flatMap(({ files }) => {
    const planned = new Map<string, FileEdit>()
    for (const trace of files) {
      const { path } = trace.file
      const { before, after: text } = planned.get(path) ?? { before: read(path), after: read(path) }
      if (text === undefined) continue
      const after = originalOr(withoutTrace(text, trace), trace, originals)
      if (after !== before) planned.set(path, { path, before, after })
    }
    return [...planned.values()]
  })
}

/** The agents' copies of the plugin. To be called before its traces are removed. */
export function copiesOfPlugin(app: App): string[] {
  return tracesOf(app).flatMap(({ folders }) => folders)
}

export function removeCopies(folders: readonly string[]): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  removeFolders(folders.flatMap((folder) => [dirname(folder), dirname(dirname(folder))]))
}

/** Keeps the bytes of the files in which agents will note the plugin: they write them in their own form. */
export function keepOriginals(app: App): void {
  const originals: Originals = readOriginals(app)
  for (const { hooks } of app.agents) {
    const isNoted = hooks?.pluginTraces?.(app.machine, pluginFolder(app.layout.root)).isNoted
    if (!hooks?.pluginTraces || isNoted) continue
    for (const { file } of hooks.pluginTraces(app.machine, pluginFolder(app.layout.root)).files)
      originals[file.path] = readText(file.path) ?? null
  }
  mkdirSync(app.layout.backups, { recursive: true, mode: 0o700 })
  writeAtomically(originalsPath(app), JSON.stringify(originals))
}

export function forgetOriginals(app: App): void {
  rmSync(originalsPath(app), { force: true })
}

/** By path; null for a file that did not exist. */
type Originals = Record<string, string | null>

function originalsPath({ layout }: App): string {
  return join(layout.backups, 'plugin-originals.json')
}

function readOriginals(app: App): Originals {
  try {
    return JSON.parse(readTextOrEmpty(originalsPath(app)) || '{}') as Originals
  } catch {
    return {} // damaged: then the agents' form stays
  }
}

function tracesOf({ agents, machine, layout }: App): PluginTraces[] {
  const traces = agents.flatMap(({ hooks }) => hooks?.pluginTraces?.(machine, pluginFolder(layout.root)) ?? [])
  return traces.filter(({ isNoted }) => isNoted)
}

function withoutTrace(text: string, { file, made }: PluginTrace): string {
  return file.kind === 'json'
    ? removeOwnedEntries(text, file.path, { isOurs: () => false, entries: file.entries, made }, 'all')
    : removeOwnedTable(text, file, () => true)
}

/** The bytes that the file had before, if it says the same again; undefined if there was no file. */
function originalOr(text: string, { file, empty }: PluginTrace, originals: Originals): string | undefined {
  const original = originals[file.path]
  if (original === undefined) return text
  const parsedValue = (content: string) => valueIn(file.kind, content, file.path)
  if (original === null) return isDeepStrictEqual(parsedValue(text), empty) ? undefined : text
  return isDeepStrictEqual(parsedValue(text), parsedValue(original)) ? original : text
}

function valueIn(kind: PluginTrace['file']['kind'], text: string, path: string): unknown {
  if (kind === 'toml table') return { ...parse(text) }
  const { root } = parseJson(text, path)
  return root ? jsonOf(root) : {}
}
