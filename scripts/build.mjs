// Bundles the program into dist/: one small entry and lazily loaded chunks, so that a command pays only for what it uses.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
