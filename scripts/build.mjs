// Bundles the program into dist/: one small entry and chunks that are loaded on first use, so that
// a command only pays for what it needs.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { build, transform } from 'esbuild'
import { requireStart } from './lazy-modules.mjs'
import { lazyModules, writePacks } from './packs.mjs'
import { root } from './setup.mjs'

/** Commander loads `child_process` for commands that are programs of their own, which we do not have. */
const withoutChildProcess = {
  name: 'without-child-process',
  setup({ onLoad }) {
    onLoad({ filter: /commander.lib.command\.js$/ }, ({ path }) => {
      const [before, after, ...more] = readFileSync(path, 'utf8').split("require('node:child_process')")
      if (after === undefined || more.length > 0) throw new Error(`${path} has changed`)
      return { contents: `${before}{}${after}` }
    })
  },
}

const destination = process.argv[2] ?? join(root, 'dist')
/** Built aside and moved at the end, so that a build never leaves another process without a program. */
const out = `${destination}.${process.pid}.tmp`
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
  // A separate package: a database of several megabytes that locates its files by its own path.
  external: ['@electric-sql/pglite'],
  plugins: [withoutChildProcess],
  // Its CommonJS build is UMD, whose requires cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
}

const cli = join(out, 'cli.js')
const entry = await build({ ...options, entryPoints: { cli: 'src/cli/main.ts' }, splitting: true, write: false })
const entryText = entry.outputFiles.find(({ path }) => path === cli).text
mkdirSync(join(out, 'chunks'), { recursive: true })
writeFileSync(cli, (await transform(requireStart(entryText), { minify: true, target })).code, { mode: 0o755 })
const program = await lazyModules(options, 'src/cli/run.ts')
const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'build', version: '1' } }
writePacks(program.modules, {
  chunks: join(out, 'chunks'),
  cli,
  home: join(root, 'demo', 'home'),
  runs: [
    { args: ['sweep'] }, // reads everything; the next one is an ordinary one
    { args: ['sweep'], pack: 'sweep' },
    { args: [], pack: 'overview' },
    { args: ['search', 'build'], pack: 'search' },
    { args: ['recall', 'build'], pack: 'recall' },
    { args: ['sessions'], pack: 'sessions' },
    { args: ['status'], pack: 'status' },
    {
      args: ['mcp'],
      pack: 'mcp',
      input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })}\n`,
    },
  ],
})

// Worker threads are bundles of their own, because each needs all of its code at start.
const threads = await build({
  ...options,
  entryPoints: ['src/capture/reading/read-thread-main.ts', 'src/learn/judge-thread-main.ts'],
  entryNames: '[name]',
  minify: true,
})

// The hook for machines without sh is one CommonJS file, which starts faster; the one for sh is
// copied.
await build({
  ...options,
  entryPoints: ['src/hook/entry.ts'],
  outdir: undefined,
  outfile: join(out, 'hook.cjs'),
  format: 'cjs',
  minify: true,
})
copyFileSync(join(root, 'src', 'hook', 'hook.sh'), join(out, 'hook.sh'))
copyFileSync(join(root, 'src', 'store', 'schema.sql'), join(out, 'schema.sql'))

// Files that the page loads in the browser.
const client = await build({
  ...options,
  platform: 'browser',
  target: 'es2022',
  entryPoints: ['src/web/client/main.ts'],
  outdir: undefined,
  outfile: join(out, 'page', 'client.js'),
  format: 'iife',
  minify: true,
})
const style = readFileSync(join(root, 'src', 'html', 'style.css'), 'utf8')
const minified = await transform(style, { loader: 'css', minify: true })
writeFileSync(join(out, 'page', 'style.css'), minified.code)

// The manual page, from the definitions of the commands.
writeFileSync(join(out, 'recollect.1'), execFileSync(process.execPath, [cli, 'help', '--man'], { encoding: 'utf8' }))
rmSync(join(out, '.cache'), { recursive: true, force: true })

// Licences of bundled libraries must be distributed with them.
const inputs = [...program.inputs, ...[threads, client].flatMap(({ metafile }) => Object.keys(metafile.inputs))]
const packages = new Set(inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))
const licences = [...packages].sort().map((name) => {
  const folder = join(root, 'node_modules', name)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  return `${name}\n\n${file ? readFileSync(join(folder, file), 'utf8') : 'see its package'}`
})
writeFileSync(join(out, 'LICENSES.txt'), licences.join('\n\n---\n\n'))

const previous = `${destination}.${process.pid}.old`
if (existsSync(destination)) renameSync(destination, previous)
renameSync(out, destination)
rmSync(previous, { recursive: true, force: true })
