// Bundles the program into dist/: one small entry, and chunks that are loaded when something in them is first used, so that a
// command pays only for what it needs.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, transform } from 'esbuild'
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
  const code = isChunk
    ? await lazyChunk(text)
    : text.replace('await import(', `process.getBuiltinModule('node:module').createRequire(import.meta.url)(`)
  writeFileSync(path, (await transform(code, { minify: true, target })).code, { mode: isChunk ? 0o644 : 0o755 })
}
writeFileSync(join(out, 'chunks', 'package.json'), '{"type":"commonjs"}\n')

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
  const names = []
  const lazy = code.replace(/^var (import_\w+) = (.*\brequire\("[^"]+"\).*);$/gm, (_, name, required) => {
    names.push(name)
    return `var loaded_${name}; const ${name} = () => (loaded_${name} ??= ${required});`
  })
  return names.reduce((text, name) => text.replace(new RegExp(`\\b${name}\\.`, 'g'), `(${name}()).`), lazy)
}

// The threads are programs of their own: all of each is needed as soon as it starts.
const threads = await build({
  ...options,
  entryPoints: { 'thread-main': 'src/capture/thread-main.ts', 'ahead-main': 'src/learn/ahead-main.ts' },
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
