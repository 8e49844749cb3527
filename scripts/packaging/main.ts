// npm run packaging                     writes the generated files into the repository
// npm run packaging -- --bundle DIR     lays out the bundle for Claude Desktop in DIR; then: npx @anthropic-ai/mcpb pack DIR
// npm run packaging -- --formula FILE   records the published package (an .tgz) in the Homebrew formula
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { layOutBundle } from './bundle.ts'
import { packagingFiles, repository } from './files.ts'
import { homebrewFormula } from './homebrew.ts'

const root = join(import.meta.dirname, '..', '..')
const { values } = parseArgs({ options: { bundle: { type: 'string' }, formula: { type: 'string' } } })

if (values.formula !== undefined) {
  const { name, version, description } = manifest
  const released = {
    url: `${repository}/releases/download/v${version}/${name}-${version}.tgz`,
    sha256: createHash('sha256').update(readFileSync(values.formula)).digest('hex'),
  }
  write('packaging/homebrew/recollect.rb', homebrewFormula('', { repository, description }, released))
} else if (values.bundle !== undefined) {
  layOutBundle(root, resolve(values.bundle))
} else {
  for (const { path, content } of packagingFiles(read)) if (read(path) !== content) write(path, content)
}

function read(path: string): string {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
  console.log(path)
}
