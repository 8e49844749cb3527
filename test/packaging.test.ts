// What the repository offers to agents, registries and package managers: generated files are current, all of them name
// the same version and address, and each keeps the rules of its format. test/clients/packaging.spec.ts installs them.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { packagingFiles, repository } from '../scripts/packaging/files.ts'
import { homebrewFormula } from '../scripts/packaging/homebrew.ts'
import { portableHookCommand } from '../src/core/hook-command.ts'
import { type Place, place } from './program.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')

describe('generated files', () => {
  it.each(packagingFiles(read))('$path is current (npm run packaging)', ({ path, content }) =>
    expect(read(path)).toBe(content),
  )

  it('have no path of a machine', () => {
    for (const { content } of packagingFiles(read)) expect(content).not.toMatch(/\/(?:home|root|Users|tmp)\//)
  })
})

describe('package.json', () => {
  it('names the address of the repository that all files use', () => {
    const tracked = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).stdout.split('\0')
    const texts = tracked.filter((path) => /\.(?:md|json|ya?ml|rb|ts|mjs)$/.test(path) && !/fixtures|^demo/.test(path))
    const addresses = texts.flatMap((path) => read(path).match(/github\.com\/[\w-]+\/recollect\b/g) ?? [])
    expect([...new Set(addresses)]).toEqual([repository.replace('https://', '')])
  })

  it('needs the Node that the program asks for', () => {
    const [, major, minor] = /\[minMajor, minMinor\] = \[(\d+), (\d+)\]/.exec(read('src/cli/main.ts'))!
    expect(manifest.engines.node).toBe(`>=${major}.${minor}`)
  })

  it('has no dependency, so that npx downloads one package', () => expect(manifest).not.toHaveProperty('dependencies'))
})

/** The rules of the registry for the schema of 2025-12-11, as far as they concern this file. */
const registryEntry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .min(3)
    .max(200),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+/),
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
  websiteUrl: z.url(),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      registryBaseUrl: z.literal('https://registry.npmjs.org'),
      identifier: z.literal(manifest.name),
      version: z.literal(manifest.version),
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
      environmentVariables: z.array(
        z.strictObject({ name: z.string(), description: z.string(), format: z.enum(['string', 'filepath']) }),
      ),
    }),
  ),
})

describe('server.json', () => {
  it('keeps the rules of the MCP registry', () => {
    const entry = registryEntry.parse(JSON.parse(read('server.json')))
    expect(entry.name).toBe(manifest.mcpName)
    expect(entry.version).toBe(manifest.version)
    // The registry gives names of this form to the owner of the repository.
    expect(entry.name).toBe(`io.github.${repository.split('/').slice(-2).join('/')}`)
  })
})

describe('the Homebrew formula', () => {
  const released = { url: 'https://registry.npmjs.org/recollect/-/recollect-1.2.3.tgz', sha256: 'ab'.repeat(32) }
  const text = { repository, description: manifest.description }

  it('has a description that Homebrew accepts', () =>
    expect(/desc "(.*)"/.exec(read('packaging/homebrew/recollect.rb'))![1]!.length).toBeLessThan(80))

  it('keeps the release that is recorded in it', () => {
    const formula = homebrewFormula('', text, released)
    expect(formula).toContain(`  url "${released.url}"\n  sha256 "${released.sha256}"\n`)
    expect(homebrewFormula(formula, text)).toBe(formula)
  })

  it.skipIf(spawnSync('ruby', ['--version']).status !== 0)('is Ruby', () => {
    for (const input of [read('packaging/homebrew/recollect.rb'), homebrewFormula('', text, released)])
      expect(spawnSync('ruby', ['-wc'], { input, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })
})

describe('YAML files', () => {
  const folder = '.github/ISSUE_TEMPLATE'
  const forms = readdirSync(join(root, folder)).filter((name) => name !== 'config.yml')

  it.each(forms)('%s is an issue form', (name) => {
    const form = parse(read(`${folder}/${name}`))
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    const types = z.enum(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes'])
    for (const { type, id, attributes } of form.body) {
      types.parse(type)
      expect([id, attributes.label]).toEqual([expect.any(String), expect.any(String)])
    }
  })

  it('the action uses inputs and scripts that exist', () => {
    const text = read('action.yml')
    const { inputs, runs } = parse(text)
    expect(runs.using).toBe('composite')
    for (const [, name] of text.matchAll(/inputs\.([\w-]+)/g)) expect(Object.keys(inputs)).toContain(name)
    for (const [, path] of text.matchAll(/GITHUB_ACTION_PATH\/([\w/.-]+)/g)) expect(read(path!)).not.toBe('')
    // What a person typed must not become part of a script.
    for (const { run } of runs.steps) expect(run ?? '').not.toContain('${{')
  })

  it('the server of compose.yaml has no password in it and listens on this machine alone', () => {
    const { services } = parse(read('packaging/docker/compose.yaml'))
    expect(services.server.environment.DATABASE_URL).toMatch(/^postgres:\/\/recollect:\$\{POSTGRES_PASSWORD:\?.*\}@/)
    expect(services.server.ports).toEqual(['127.0.0.1:7718:7718'])
    expect(read(services.server.build.dockerfile)).toContain('USER node')
  })
})

describe('the plugin in the repository', () => {
  it('lists sessions where only npx has the program', () =>
    expect(read('plugins/recollect/commands/sessions.md')).toContain('Bash(npx -y recollect sessions:*)'))

  it('is installed as docs/install.md says', () => {
    expect(read('docs/install.md')).toContain('plugin marketplace add recollect-dev/recollect')
    expect(read('plugins/recollect/README.md')).toContain('/plugin marketplace add recollect-dev/recollect')
  })
})

describe('the hook of the plugin in the repository', () => {
  let at: Place
  beforeAll(() => (at = place()))
  afterAll(() => at.remove())

  it.each([
    ['no variable', {}],
    ['RECOLLECT_HOME', { RECOLLECT_HOME: '/nowhere' }],
  ])('does nothing where Recollect is not installed: %s', (_, env) => {
    const command = portableHookCommand('claude-code', 'Stop')
    const options = { input: '{}', encoding: 'utf8', env: { PATH: process.env.PATH, HOME: at.home, ...env } } as const
    expect(spawnSync('sh', ['-c', command], options)).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(readdirSync(at.home)).toEqual([])
  })
})
