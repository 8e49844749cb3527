// Bundles the program into dist/: one small entry and lazily loaded chunks, so that a command pays only for what it uses.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './setup.mjs'

rmSync(join(root, 'dist'), { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli/main.ts', 'thread-main': 'src/capture/thread-main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node22.18',
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
})

// The hook for machines without sh stands alone, and starts faster as CommonJS; the one for sh is copied as it is.
await build({
  absWorkingDir: root,
  entryPoints: ['src/hook/entry.ts'],
  outfile: 'dist/hook.cjs',
  bundle: true,
  platform: 'node',
  target: 'node22.18',
  format: 'cjs',
  minify: true,
  logLevel: 'warning',
})
copyFileSync(join(root, 'src', 'hook', 'hook.sh'), join(root, 'dist', 'hook.sh'))

// The libraries in the bundle ask for their licences to come along.
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
)
const licences = [...packages].sort().map((name) => {
  const folder = join(root, 'node_modules', name)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  return `${name}\n\n${file ? readFileSync(join(folder, file), 'utf8') : 'see its package'}`
})
writeFileSync(join(root, 'dist', 'LICENSES.txt'), licences.join('\n\n---\n\n'))
