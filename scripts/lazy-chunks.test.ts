import { describe, expect, it } from 'vitest'
// @ts-expect-error: build scripts have no types.
import { deferRequires, makeLazy, requireChunk } from './lazy-chunks.mjs'

const deferred = 'var loaded_import_a; const import_a = () => (loaded_import_a ??= require("./a.js"));'

describe('deferRequires', () => {
  it.each([
    ['a member', 'import_a.run(1);', '(import_a()).run(1);'],
    ['a call through the comma operator', '(0, import_a.run)();', '(0, (import_a()).run)();'],
    ['a use inside a function', 'function f() { return import_a.b; }', 'function f() { return (import_a()).b; }'],
    ['a value of an object', 'x({ key: import_a });', 'x({ key: (import_a()) });'],
    ['a computed property', 'x[import_a];', 'x[(import_a())];'],
    ['two uses in one line', 'import_a.b + import_a.c;', '(import_a()).b + (import_a()).c;'],
  ])('defers %s', (_, use, expected) =>
    expect(deferRequires(`var import_a = require("./a.js");\n${use}`)).toBe(`${deferred}\n${expected}`),
  )

  it.each([
    ['the same name in a string', '"import_a";'],
    ['the same name in a template', '`import_a`;'],
    ['the same name in a pattern', '/import_a/;'],
    ['a property of that name', 'x.import_a;'],
    ['a key of that name', '({ import_a: 1 });'],
    ['a longer name', 'import_ab;'],
  ])('leaves %s alone', (_, use) =>
    expect(deferRequires(`var import_a = require("./a.js");\n${use}`)).toBe(`${deferred}\n${use}`),
  )

  it('defers interop calls', () =>
    expect(deferRequires('var import_b = __toESM(require("b"), 1);')).toBe(
      'var loaded_import_b; const import_b = () => (loaded_import_b ??= __toESM(require("b"), 1));',
    ))

  it.each([
    ['other variables', 'var other = require("./a.js");'],
    ['other initialisers', 'var import_a = make("./a.js");'],
    ['several declarations in one statement', 'var import_a = require("./a.js"), b = 1;'],
  ])('does not change %s', (_, code) => expect(deferRequires(code)).toBe(code))

  it('rejects shorthand properties, which it cannot rewrite', () =>
    expect(() => deferRequires('var import_a = require("./a.js");\nx({ import_a });')).toThrow('shorthand'))
})

describe('makeLazy', () => {
  it('requires a module when it is first used', async () => {
    const code = await makeLazy(
      'import { a } from "./a.js"; import fs from "node:fs"; export const f = () => a; export const g = () => fs.x',
      'node22.18',
    )
    const loaded: string[] = []
    const load = (name: string) => {
      loaded.push(name)
      return name === './a.js' ? { a: 1 } : { x: 2 }
    }
    const module = { exports: {} as { f(): number; g(): number } }
    new Function('require', 'module', 'exports', code)(load, module, module.exports)
    expect(loaded).toEqual([])
    expect([module.exports.f(), module.exports.f(), module.exports.g()]).toEqual([1, 1, 2])
    expect(loaded).toEqual(['./a.js', 'node:fs'])
  })

  it('replaces import.meta.url by the path of the chunk', async () => {
    const code = await makeLazy('export const url = import.meta.url', 'node22.18')
    expect(code).toContain('pathToFileURL(__filename)')
    expect(code).not.toContain('import.meta')
  })
})

describe('requireChunk', () => {
  it('turns the dynamic import of the entry into a require', () =>
    expect(requireChunk('const { run } = await import("./chunks/a.js")\nrun()')).toBe(
      `const { run } = process.getBuiltinModule('node:module').createRequire(import.meta.url)("./chunks/a.js")\nrun()`,
    ))

  it.each([
    ['none', 'run()'],
    ['two', 'await import("a"); await import("b")'],
  ])('rejects an entry with %s dynamic imports', (_, entry) =>
    expect(() => requireChunk(entry)).toThrow('exactly one dynamic import'),
  )
})
