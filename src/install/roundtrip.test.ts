// Install, and the way back, over unusual files. A failure
// prints its file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HookFile, JsonEntry } from '../agents/agent.ts'
import type { Json } from '../core/session.ts'
import { type JsonElement, type JsonNode, jsonOf, parseJson } from './edit/json-document.ts'
import { ownedByCommand } from './edit/owned-entries.ts'
import { parseToml } from './edit/plan-toml.ts'
import { applyTextEdits, type TextEdit } from './edit/text-edits.ts'
import { planInstall } from './plan.ts'
import type { AgentRecord, FileRecord } from './types.ts'
import { planUninstall } from './uninstall.ts'

const isOurs = ownedByCommand((command) => command.startsWith('recollect '))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recollect-roundtrip-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('install and uninstall of a JSON file', () => {
  it('restore every byte', () => {
    check(jsonText, jsonEntries, (text, entries) => {
      const { after, record } = install(text, jsonFile(entries))
      expect(uninstall(after, record)).toBe(text)
    })
  })

  it('add the entries and keep everything else', () => {
    check(jsonText, jsonEntries, (text, entries) => {
      const { after, record } = install(text, jsonFile(entries))
      const root = (jsonIn(after) ?? {}) as Record<string, Json>
      for (const entry of entries) {
        const there = entry.at.reduce<Json | undefined>((value, key) => (value as Record<string, Json>)[key], root)
        if ('item' in entry) expect(there).toContainEqual(entry.item)
        else expect(there).toBeDefined()
      }
      expect(keysOf(after).filter((key) => keysOf(text).includes(key))).toEqual(keysOf(text))
      expect(textWithout(after, record.splices)).toBe(textWithout(text, record.splices, 'before'))
    })
  })

  it('edit the file only once', () => {
    check(jsonText, jsonEntries, (text, entries) => {
      const { after, record } = install(text, jsonFile(entries))
      expect(plan(after, jsonFile(entries), record)).toEqual([])
      expect(plan(after, jsonFile(entries))).toEqual([])
    })
  })

  it('keep changes of the user and remove our entries', () => {
    check(jsonText, fc.tuple(jsonEntries, userEdit), (text, [entries, edit]) => {
      const { after, record } = install(text, jsonFile(entries))
      const change = edit(text)
      fc.pre(change !== undefined && isApart(change, record.splices))
      const moved = { ...change!, at: change!.at + shiftAt(change!.at, record.splices) }
      expect(uninstall(applyTextEdits(after, [moved]), record)).toBe(applyTextEdits(text, [change!]))
    })
  })

  it('keep the values if the file was reformatted in between', () => {
    check(jsonText, jsonEntries, (text, entries) => {
      const before = jsonIn(text)
      const { after, record } = install(text, jsonFile(entries))
      const result = uninstall(JSON.stringify(jsonIn(after), null, 3), record)
      const kept = fallbacksNeeded(before, entries)
      expect(jsonIn(result!)).toEqual(kept)
    })
  })

  it('keep every comment when our items are recognised by content', () => {
    check(jsonText, jsonItems, (text, entries) => {
      const { after, record } = install(text, jsonFile(entries))
      const result = uninstall(after, { ...record, splices: [] })!
      expect(jsonIn(result) ?? {}).toEqual(jsonIn(text) ?? {})
      expect(commentsOf(result)).toEqual(commentsOf(text))
    })
  })

  it('update an older form of our items and remove it', () => {
    check(jsonText, jsonItems, (text, entries) => {
      const first = install(text, jsonFile(entries))
      const renewed = entries.map(({ at }) => ({ at, item: ours(`recollect v2 ${at.at(-1)}`) }))
      const second = install(first.after, jsonFile(renewed), first.record)
      expect(second.after).not.toContain('recollect hook')
      expect(plan(second.after, jsonFile(renewed), second.record)).toEqual([])
      expect(uninstall(second.after, second.record)).toBe(text)
    })
  })
})

describe('install and uninstall of a TOML file', () => {
  it('restore every byte and edit the file only once', () => {
    check(tomlText, fc.constant(tomlBlock), (text, block) => {
      const { after, record } = install(text, tomlFile(block))
      expect(tomlIn(after).hooks).toEqual([...((tomlIn(text).hooks as []) ?? []), ...(tomlIn(block).hooks as [])])
      expect(plan(after, tomlFile(block), record)).toEqual([])
      expect(uninstall(after, record)).toBe(text)
    })
  })

  it('keep changes of the user and remove our entries', () => {
    check(tomlText, fc.constantFrom('first = 1\n', '# note\n'), (text, mine) => {
      const { after, record } = install(text, tomlFile(tomlBlock))
      const table = '\n[added]\nvalue = 2\n'
      expect(uninstall(mine + after, record)).toBe(mine + text)
      expect(uninstall(after + table, record)).toBe(text + table)
      const other = uninstall(after + table, { ...record, splices: [] })!
      expect(tomlIn(other)).toEqual(tomlIn(text + table))
    })
  })

  it('update an older form of our block and remove it', () => {
    check(tomlText, fc.constant(tomlBlock.replaceAll('hook', 'v2')), (text, renewed) => {
      const block = renewed.replaceAll('[[v2s]]', '[[hooks]]')
      const first = install(text, tomlFile(tomlBlock))
      const second = install(first.after, tomlFile(block), first.record)
      expect(second.after).not.toContain('recollect hook')
      expect(uninstall(second.after, second.record)).toBe(text)
    })
  })
})

describe('install and uninstall of a table in a TOML file', () => {
  it('restore every byte and edit the file only once', () => {
    check(tomlText, fc.constant(tomlTable), (text, table) => {
      const { after, record } = install(text, tableFile(table))
      const theirs = tomlIn(text).servers as object | undefined
      expect(tomlIn(after)).toEqual({ ...tomlIn(text), servers: { ...theirs, ...(tomlIn(table).servers as object) } })
      expect(plan(after, tableFile(table), record)).toEqual([])
      expect(uninstall(after, record)).toBe(text)
    })
  })

  it('keep changes of the user and remove our table', () => {
    check(tomlText, fc.constantFrom('first = 1\n', '# note\n'), (text, mine) => {
      const { after, record } = install(text, tableFile(tomlTable))
      const table = '\n[added]\nvalue = 2\n'
      expect(uninstall(mine + after, record)).toBe(mine + text)
      expect(uninstall(after + table, record)).toBe(text + table)
      const other = uninstall(after + table, { ...record, splices: [] })!
      expect(tomlIn(other)).toEqual(tomlIn(text + table))
    })
  })

  it('update an older form of our table and remove it', () => {
    check(tomlText, fc.constant(tomlTable.replace('recollect serve', 'recollect serve v2')), (text, renewed) => {
      const first = install(text, tableFile(tomlTable))
      const second = install(first.after, tableFile(renewed), first.record)
      expect(second.after).toContain('serve v2')
      expect(uninstall(second.after, second.record)).toBe(text)
    })
  })
})

function check<T>(texts: fc.Arbitrary<string>, more: fc.Arbitrary<T>, test: (text: string, more: T) => void): void {
  fc.assert(fc.property(texts, more, test), { numRuns: 120 })
}

const path = (): string => join(folder, 'settings')
const jsonFile = (entries: JsonEntry[]): HookFile => ({ kind: 'json', path: path(), entries })
const tomlFile = (text: string): HookFile => ({ kind: 'toml', path: path(), text })
const tableFile = (text: string): HookFile => ({ kind: 'toml table', path: path(), at: ['servers', 'recollect'], text })

function plan(text: string, file: HookFile, known?: FileRecord) {
  writeFileSync(path(), text)
  return planInstall([file], { isOurs, record: known && recordOf(known) })
}

function install(text: string, file: HookFile, known?: FileRecord): { after: string; record: FileRecord } {
  const [edit] = plan(text, file, known)
  return { after: edit!.after!, record: edit!.record! }
}

function uninstall(text: string, known: FileRecord): string | undefined {
  writeFileSync(path(), text)
  const [edit] = planUninstall([], { isOurs, record: recordOf(known) })
  return edit ? edit.after : readFileSync(path(), 'utf8')
}

function recordOf(known: FileRecord): AgentRecord {
  return { at: '2026-02-03T10:20:30Z', files: [known], folders: [], backups: [] }
}

function jsonIn(text: string): Json | undefined {
  const { root } = parseJson(text, 'test')
  return root && jsonOf(root)
}

function tomlIn(text: string): Record<string, unknown> {
  return parseToml(text, 'test')
}

function keysOf(text: string): string[] {
  const { root } = parseJson(text, 'test')
  return root?.kind === 'object' ? root.elements.map(({ key }) => key!) : []
}

function commentsOf(text: string): string[] {
  return parseJson(text, 'test').comments.map(({ start, end }) => text.slice(start, end))
}

/** What the splices did not touch, on either side of them. */
function textWithout(text: string, splices: TextEdit[], side: 'before' | 'after' = 'after'): string {
  let shift = 0
  const cuts = splices.map(({ at, removed, added }) => {
    const start = side === 'before' ? at : at + shift
    shift += added.length - removed.length
    return { at: start, removed: side === 'before' ? removed : added, added: '' }
  })
  return applyTextEdits(text, cuts)
}

function isApart(change: TextEdit, splices: TextEdit[]): boolean {
  return splices.every(({ at, removed }) => change.at + change.removed.length < at || change.at > at + removed.length)
}

function shiftAt(offset: number, splices: TextEdit[]): number {
  return splices.reduce((sum, { at, removed, added }) => sum + (at < offset ? added.length - removed.length : 0), 0)
}

/**
 * What is left of a file without us: the user's own hooks keep the version that we set beside them.
 */
function fallbacksNeeded(before: Json | undefined, entries: JsonEntry[]): Json {
  const root = { ...((before ?? {}) as Record<string, Json>) }
  const hooks = root.hooks as Record<string, Json> | undefined
  const fallback = entries.find((entry) => 'fallback' in entry)
  if (hooks && Object.keys(hooks).length > 0 && fallback && root.version === undefined) root.version = 1
  return root
}

// --- Files

const ours = (command: string): Json => ({ matcher: '', hooks: [{ type: 'command', command, timeout: 10 }] })

const events = ['Stop', 'SessionStart', 'SessionEnd'] as const
const jsonItems = fc
  .subarray([...events], { minLength: 1 })
  .map((names) => names.map((name) => ({ at: ['hooks', name], item: ours(`recollect hook ${name}`) })))
const jsonMember: JsonEntry = { at: ['servers', 'recollect'], member: { command: 'recollect serve', args: ['mcp'] } }
const jsonEntries: fc.Arbitrary<JsonEntry[]> = fc
  .tuple(jsonItems, fc.boolean(), fc.boolean())
  .map(([items, isVersioned, hasMember]) => [
    ...(isVersioned ? [{ at: ['version'], fallback: 1 }] : []),
    ...items,
    ...(hasMember ? [jsonMember] : []),
  ])

const theirItem = fc.oneof(
  fc.constantFrom<Json>({ hooks: [{ type: 'command', command: 'lint' }] }, { command: 'say', args: [] }, 'beep', []),
  fc.jsonValue({ maxDepth: 2 }).map((value) => value as Json),
)
const theirHooks = fc.dictionary(fc.constantFrom(...events, 'Notification'), fc.array(theirItem, { maxLength: 3 }), {
  noNullPrototype: true,
})
const theirValue = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
  noNullPrototype: true,
})
const theirServers = fc.dictionary(fc.constantFrom('files', 'web'), fc.constant({ command: 'serve', args: [] }), {
  noNullPrototype: true,
})
const jsonRoot = fc
  .tuple(theirValue, fc.option(theirHooks, { nil: undefined }), fc.option(theirServers, { nil: undefined }), theirValue)
  .map(([first, hooks, servers, last]) => {
    const known = { ...(hooks && { hooks }), ...(servers && { servers }) }
    return { ...first, ...known, ...last, ...known } as Json
  })
  .filter((root) => isUsable(root as Record<string, Json>))

/** Drawn names may hit upon ours. */
function isUsable({ hooks, version }: Record<string, Json>): boolean {
  return version === undefined && (hooks === undefined || Object.values(hooks as object).every(Array.isArray))
}

/** As programs write it. */
const printed = fc
  .tuple(jsonRoot, fc.constantFrom('', '  ', '    ', '\t'), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n'))
  .map(([root, unit, eol, end]) => (JSON.stringify(root, null, unit) + end).replaceAll('\n', eol))

/**
 * Unusual formatting: anything that may stand between two tokens stands between any two of them.
 */
const wild = fc
  .tuple(
    jsonRoot,
    fc.array(fc.constantFrom('', ' ', '\n', '\n\t', '  ', '/* a */', ' // b\n', '\n  // c "x", {\n  ', '/* d\n */ '), {
      minLength: 1,
      maxLength: 40,
    }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([root, gaps, eol, hasTrailingCommas, hasMark]) => {
    let used = 0
    const text = tokensOf(root, hasTrailingCommas).reduce((all, token) => all + token + gaps[used++ % gaps.length], '')
    return (hasMark ? '\uFEFF' : '') + text.replaceAll('\n', eol)
  })

const blank = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\r\n\r\n',
  '\uFEFF',
  '// only a remark',
  '/* only a remark */\n',
  '{}',
  '{ }',
  '{\n}\n',
)
const jsonText = fc.oneof(
  { arbitrary: printed, weight: 4 },
  { arbitrary: wild, weight: 4 },
  { arbitrary: blank, weight: 1 },
)

function tokensOf(value: Json | undefined, hasTrailingCommas: boolean): string[] {
  if (value === null || typeof value !== 'object') return [JSON.stringify(value)]
  const inner = Array.isArray(value)
    ? value.map((item) => tokensOf(item, hasTrailingCommas))
    : Object.entries(value).map(([key, item]) => [JSON.stringify(key), ':', ...tokensOf(item, hasTrailingCommas)])
  const list = inner.flatMap((tokens, index) =>
    index < inner.length - 1 || hasTrailingCommas ? [...tokens, ','] : tokens,
  )
  return Array.isArray(value) ? ['[', ...list, ']'] : ['{', ...list, '}']
}

/** A change that a user makes anywhere in the file. */
const userEdit: fc.Arbitrary<(text: string) => TextEdit | undefined> = fc.oneof(
  fc.nat(30).map((index) => (text: string) => {
    const scalars = scalarsOf(parseJson(text, 'test').root)
    const chosen = scalars[index % Math.max(1, scalars.length)]
    if (!chosen) return undefined
    return { at: chosen.start, removed: text.slice(chosen.start, chosen.end), added: '"changed"' }
  }),
  fc.constant((text: string) => {
    const { root } = parseJson(text, 'test')
    if (root?.kind !== 'object' || root.elements.length === 0) return undefined
    return { at: root.start + 1, removed: '', added: '"mine": [1], ' }
  }),
  fc.constant((text: string) => ({ at: text.length, removed: '', added: '\n// the end\n' })),
)

function scalarsOf(node: JsonNode | undefined): JsonNode[] {
  if (!node || node.kind === 'scalar') return node ? [node] : []
  return node.elements.flatMap((element: JsonElement) => scalarsOf(element.value))
}

const tomlBlock = ['Stop', 'SessionEnd']
  .map((event) => `# Recollect\n[[hooks]]\nevent = "${event}"\ncommand = "recollect hook ${event}"\n`)
  .join('\n')

const tomlTable = '[servers.recollect]\ncommand = "recollect serve"\nargs = [ "mcp" ]\n'

const tomlPart = fc.constantFrom(
  '[servers.files]\ncommand = "files"\n[servers.files.env]\nROOT = "/"\n',
  '[model]\nname = "big" # mine\nwindow = 9007199254740993\n',
  '[[hooks]]\nevent = "Stop"\ncommand = "lint"\n',
  '# only a remark\n',
  '\n\n',
  '[text]\nlong = """\n[[hooks]]\ncommand = "not a table"\n"""\nlist = [\n  [1],\n]\n',
  '[[other.list]]\nsince = 2026-02-03T10:20:30Z\n',
)
const tomlText = fc
  .tuple(
    fc.constantFrom('', 'theme = "dark"\n', '# head\r\n'),
    fc.uniqueArray(tomlPart, { maxLength: 4 }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([head, parts, eol, isCut]) => {
    const text = (head + parts.join('')).replaceAll('\r\n', '\n').replaceAll('\n', eol)
    return isCut ? text.replace(/\r?\n$/, '') : text
  })
