// Bundles the program into dist/: one small entry, and chunks that are loaded when something in them is first used, so that a
// command pays only for what it needs.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, transform } from 'esbuild'
import { parseAst } from 'vite'
import { root } from './setup.mjs'

const out = process.argv[2] ?? join(root, 'dist')
const target = 'node22.18'
const options = {
  absWorkingDir: root,
  outdir: out,
  bundle: true,
  platform: 'node',
  target,
  format: 'esm',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  // Comes as a package beside this one: a database of several megabytes that it finds by its own place.
  external: ['@electric-sql/pglite'],
  // Its CommonJS build is UMD, whose requires cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
}

rmSync(out, { recursive: true, force: true })
const program = await build({
  ...options,
  entryPoints: { cli: 'src/cli/main.ts' },
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  write: false,
})
for (const { path, text } of program.outputFiles) {
  const isChunk = dirname(path) !== out
  mkdirSync(dirname(path), { recursive: true })
  const code = isChunk ? await lazyChunk(text) : requiring(text)
  writeFileSync(path, (await transform(code, { minify: true, target })).code, { mode: isChunk ? 0o644 : 0o755 })
}
writeFileSync(join(out, 'chunks', 'package.json'), '{"type":"commonjs"}\n')

/** The entry loads one chunk, as what it is. */
function requiring(entry) {
  const [before, after, ...more] = entry.split('await import(')
  if (after === undefined || more.length > 0) throw new Error('the entry has to import one thing')
  return `${before}process.getBuiltinModule('node:module').createRequire(import.meta.url)(${after}`
}

/**
 * As CommonJS, whose modules start in a third of the time; and what a chunk takes from other chunks and from Node is
 * required where it is first used, not where the chunk begins.
 */
async function lazyChunk(module) {
  const { code } = await transform(module, {
    format: 'cjs',
    platform: 'node',
    target,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url' },
    banner: module.includes('import.meta.url')
      ? "const __url = require('node:url').pathToFileURL(__filename).href;"
      : '',
  })
  const { body } = parseAst(code)
  const imports = new Map(body.flatMap((statement) => importIn(statement, code)))
  const edits = [...imports.values()]
  for (const statement of body) {
    if (!edits.some(({ start }) => start === statement.start)) edits.push(...usesIn(statement, imports))
  }
  return edits.sort((a, b) => b.start - a.start).reduce((text, edit) => replaced(text, edit), code)
}

/** `var import_x = __toESM(require("x"))`, which becomes a function that requires it. */
function importIn(statement, code) {
  const [declared, another] = statement.type === 'VariableDeclaration' ? statement.declarations : []
  const name = declared?.id.name
  if (another || !/^import_\w+$/.test(name ?? '') || !declared.init) return []
  const required = code.slice(declared.init.start, declared.init.end)
  if (!/^(?:__toESM\()?require\("[^"]+"\)(?:, 1)?\)?$/.test(required)) return []
  const { start, end } = statement
  return [[name, { start, end, text: `var loaded_${name}; const ${name} = () => (loaded_${name} ??= ${required});` }]]
}

/** Told by the syntax: the same letters in a text, a pattern or the name of a property are left alone. */
function usesIn(node, imports) {
  if (Array.isArray(node)) return node.flatMap((one) => usesIn(one, imports))
  if (typeof node?.type !== 'string') return []
  if (node.type === 'Identifier')
    return imports.has(node.name) ? [{ start: node.start, end: node.end, text: `(${node.name}())` }] : []
  const isNamed = !node.computed && (node.type === 'MemberExpression' || 'key' in node)
  const label = isNamed ? (node.type === 'MemberExpression' ? 'property' : 'key') : undefined
  if (node.shorthand && imports.has(node.key.name)) throw new Error(`${node.key.name} in short form`)
  return Object.entries(node).flatMap(([part, inner]) => (part === label ? [] : usesIn(inner, imports)))
}

function replaced(text, { start, end, text: by }) {
  return text.slice(0, start) + by + text.slice(end)
}

// The threads are programs of their own: all of each is needed as soon as it starts.
const threads = await build({
  ...options,
  entryPoints: ['src/capture/read-thread-main.ts', 'src/learn/judge-thread-main.ts'],
  entryNames: '[name]',
  minify: true,
})

// The hook for machines without sh stands alone, and starts faster as CommonJS; the one for sh is copied as it is.
await build({
  ...options,
  entryPoints: ['src/hook/entry.ts'],
  outdir: undefined,
  outfile: join(out, 'hook.cjs'),
  format: 'cjs',
  minify: true,
})
copyFileSync(join(root, 'src', 'hook', 'hook.sh'), join(out, 'hook.sh'))

// The libraries in the bundle ask for their licences to come along.
const inputs = [program, threads].flatMap(({ metafile }) => Object.keys(metafile.inputs))
const packages = new Set(inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))
const licences = [...packages].sort().map((name) => {
  const folder = join(root, 'node_modules', name)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  return `${name}\n\n${file ? readFileSync(join(folder, file), 'utf8') : 'see its package'}`
})
writeFileSync(join(out, 'LICENSES.txt'), licences.join('\n\n---\n\n'))
