import { describe, expect, it } from 'vitest'
// @ts-expect-error: build scripts have no types.
import { deferRequires, makeLazy, moduleHelpers, requireStart } from './lazy-modules.mjs'

const numberOf = () => 7
const deferred = 'var loaded_import_a; const import_a = () => (loaded_import_a ??= __load(7));'

describe('deferRequires', () => {
  it.each([
    ['a member', 'import_a.run(1);', '(import_a()).run(1);'],
    ['a call through the comma operator', '(0, import_a.run)();', '(0, (import_a()).run)();'],
    ['a use inside a function', 'function f() { return import_a.b; }', 'function f() { return (import_a()).b; }'],
    ['a value of an object', 'x({ key: import_a });', 'x({ key: (import_a()) });'],
    ['a computed property', 'x[import_a];', 'x[(import_a())];'],
    ['two uses in one line', 'import_a.b + import_a.c;', '(import_a()).b + (import_a()).c;'],
  ])('defers %s', (_, use, expected) =>
    expect(deferRequires(`var import_a = require("./a.js");\n${use}`, numberOf)).toBe(`${deferred}\n${expected}`),
  )

  it.each([
    ['the same name in a string', '"import_a";'],
    ['the same name in a template', '`import_a`;'],
    ['the same name in a pattern', '/import_a/;'],
    ['a property of that name', 'x.import_a;'],
    ['a key of that name', '({ import_a: 1 });'],
    ['a longer name', 'import_ab;'],
  ])('leaves %s alone', (_, use) =>
    expect(deferRequires(`var import_a = require("./a.js");\n${use}`, numberOf)).toBe(`\n${use}`),
  )

  it('defers modules of Node and interop calls', () =>
    expect(deferRequires('var import_b = __toESM(require("b"), 1);\nimport_b.c;', numberOf)).toBe(
      'var loaded_import_b; const import_b = () => (loaded_import_b ??= __toESM(require("b")));\n(import_b()).c;',
    ))

  it('loads a module that is required inside of a function', () =>
    expect(deferRequires('const f = () => __toESM(require("./a.js"));', numberOf)).toBe(
      'const f = () => __toESM(__load(7));',
    ))

  it('leaves out what esbuild adds to every module', () =>
    expect(
      deferRequires('var __defProp = 1;\nvar stdin_exports = {};\nmodule.exports = __toCommonJS(stdin_exports);\nx;'),
    ).toBe('\n\n\nx;'))

  it.each([
    ['other variables', 'var other = require("a");'],
    ['other initialisers', 'var import_a = make("./a.js");'],
    ['several declarations in one statement', 'var import_a = require("a"), b = 1;'],
  ])('does not change %s', (_, code) => expect(deferRequires(code, numberOf)).toBe(code))

  it('rejects shorthand properties, which it cannot rewrite', () =>
    expect(() => deferRequires('var import_a = require("./a.js");\nx({ import_a });', numberOf)).toThrow('shorthand'))
})

describe('makeLazy', () => {
  it('loads a module when it is first used', async () => {
    const code = await makeLazy(
      'import { a } from "./a.js"; import fs from "node:fs"; export const f = () => a; export const g = () => fs.x',
      { target: 'node22.18', numberOf },
    )
    const loaded: unknown[] = []
    const load = (number: number) => {
      loaded.push(number)
      return { __esModule: true, a: 1 }
    }
    const require = (name: string) => {
      loaded.push(name)
      return { x: 2 }
    }
    const exports = {} as { f(): number; g(): number }
    new Function('__load', 'require', 'stdin_exports', moduleHelpers + code)(load, require, exports)
    expect(loaded).toEqual([])
    expect([exports.f(), exports.f(), exports.g()]).toEqual([1, 1, 2])
    expect(loaded).toEqual([7, 'node:fs'])
  })

  it('loads a module inside of a function that has a variable named load', async () => {
    const module = `export async function f() {
      const { a } = await import('./a.js')
      const load = a()
      return [load, load]
    }`
    const code = await makeLazy(module, { target: 'node22.18', numberOf })
    const exports = {} as { f(): Promise<number[]> }
    new Function('__load', 'require', 'stdin_exports', moduleHelpers + code)(() => ({ a: () => 1 }), require, exports)
    expect(await exports.f()).toEqual([1, 1])
  })

  it('replaces import.meta.url by the path of the file', async () => {
    const code = await makeLazy('export const url = import.meta.url', { target: 'node22.18', numberOf })
    expect(code).toContain('pathToFileURL(__filename)')
    expect(code).not.toContain('import.meta')
  })
})

describe('requireStart', () => {
  it('turns the dynamic import of the entry into a require', () =>
    expect(requireStart('const { run } = await import("./chunks/a.js")\nrun()')).toBe(
      `const { run } = process.getBuiltinModule('node:module').createRequire(import.meta.url)("./chunks/load.js")\nrun()`,
    ))

  it.each([
    ['none', 'run()'],
    ['two', 'await import("a"); await import("b")'],
  ])('rejects an entry with %s dynamic imports', (_, entry) =>
    expect(() => requireStart(entry)).toThrow('exactly one dynamic import'),
  )
})
