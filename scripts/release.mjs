// Releases a version: checks what must be true, runs the tests, then packs it as npm would publish it.
//   node scripts/release.mjs                        tries everything and publishes nothing
//   node scripts/release.mjs --publish --tag v1.2.3 publishes it with provenance, which npm makes only in CI
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { root } from './setup.mjs'

/** What prevents a release; empty if nothing does. */
export function releaseProblems({ version, tag, changelog, changes }) {
  const [, unreleased = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? []
  return [
    ...(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version) ? [] : [`"${version}" in package.json is no version`]),
    ...(tag !== undefined && tag !== `v${version}` ? [`the tag is ${tag}, but package.json has ${version}`] : []),
    ...(new RegExp(`^## \\[?${version.replaceAll('.', '\\.')}\\]?(?:\\s|$)`, 'm').test(changelog)
      ? []
      : [`CHANGELOG.md has no section "## ${version}"`]),
    ...(unreleased.trim() === '' ? [] : ['CHANGELOG.md still has notes under "Unreleased"']),
    ...(changes === '' ? [] : [`files are changed but not committed:\n${changes}`]),
  ]
}

function main() {
  const { values } = parseArgs({ options: { publish: { type: 'boolean' }, tag: { type: 'string' } } })
  run('npm', 'run', '--silent', 'packaging') // a generated file that is not current shows up as a change below
  const problems = releaseProblems({
    version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
    tag: values.tag,
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    changes: spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).stdout.trim(),
  })
  for (const problem of problems) console.error(`Not ready: ${problem}`)
  if (problems.length > 0 && values.publish) process.exit(1)
  run(join(root, '.ci', 'run'))
  run('npm', 'publish', ...(values.publish ? ['--provenance'] : ['--dry-run']))
  if (problems.length > 0) process.exit(1)
}

function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
