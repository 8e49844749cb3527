// What the repository offers to agents, registries and package managers: generated files are current, all of them name
// the same version and address, and each keeps the rules of its format. test/clients/packaging.spec.ts installs them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { packagingFiles, repository } from '../scripts/packaging/files.ts'
import { homebrewFormula } from '../scripts/packaging/homebrew.ts'
import { notInstalled, portableHookCommand } from '../src/core/hook-command.ts'
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

  it('has no dependency, so that an installation is one package', () =>
    expect(manifest).not.toHaveProperty('dependencies'))
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
  const released = { url: `${repository}/releases/download/v1.2.3/recollect-1.2.3.tgz`, sha256: 'ab'.repeat(32) }
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
  it('is installed as docs/install.md says', () => {
    expect(read('docs/install.md')).toContain('plugin marketplace add recollect-dev/recollect')
    expect(read('plugins/recollect/README.md')).toContain('/plugin marketplace add recollect-dev/recollect')
  })
})

describe('the hook of the plugin in the repository', () => {
  let at: Place
  beforeAll(() => (at = place()))
  afterAll(() => at.remove())

  const run = (event: string, env: Record<string, string> = {}) => {
    const all = { PATH: '/usr/bin:/bin', HOME: at.home, ...env }
    const command = portableHookCommand('claude-code', event)
    return spawnSync('sh', ['-c', command], { input: '{}', encoding: 'utf8', env: all })
  }

  it.each([
    ['no variable', {}],
    ['RECOLLECT_HOME', { RECOLLECT_HOME: '/nowhere' }],
  ])('does nothing where Recollect is not installed: %s', (_, env) => {
    expect(run('Stop', env)).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(readdirSync(at.home)).toEqual([])
  })

  it('is silent while only the program is installed: its MCP server writes the hook', () => {
    writeFileSync(join(at.root, 'recollect'), '#!/bin/sh\n', { mode: 0o755 })
    expect(run('SessionStart', { PATH: `${at.root}:/usr/bin:/bin` })).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    })
    expect(readdirSync(at.home)).toEqual([])
  })

  it('tells the person once, when a session starts, and leaves a line', () => {
    const first = run('SessionStart')
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(first.stdout)).toEqual({ systemMessage: notInstalled })
    expect(readFileSync(join(at.home, '.recollect', 'logs', 'plugin.log'), 'utf8')).toBe(`${notInstalled}\n`)
    expect(run('SessionStart')).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })

  it('fails no agent where nothing can be written', () =>
    expect(run('SessionStart', { RECOLLECT_HOME: '/dev/null/x' })).toMatchObject({ status: 0, stdout: '', stderr: '' }))
})

describe('the MCP server of the plugin in the repository', () => {
  let at: Place
  beforeAll(() => (at = place()))
  afterAll(() => at.remove())
  const { command, args } = JSON.parse(read('plugins/recollect/.mcp.json')).mcpServers.recollect
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`
  const ask = (env: Record<string, string>, input = '') =>
    spawnSync(command, args, { input, encoding: 'utf8', cwd: at.root, env: { HOME: at.home, PATH: path, ...env } })
  const program = (folder: string, says: string) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'recollect'), `#!/bin/sh\necho "${says} $*"\n`, { mode: 0o755 })
  }

  it('says what to do where Recollect is missing, and does not fail', () => {
    program(at.root, 'of the project') // the working directory is no place to look in
    const requests = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26' } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'recollect_is_missing' } },
      { id: 4, method: 'resources/list' },
    ]
    const input = requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join('')
    const { status, stdout, stderr } = ask({ PATH: `${path}::.` }, input)
    expect({ status, stderr }).toEqual({ status: 0, stderr: `${notInstalled}\n` })
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers).toMatchObject([
      { id: 1, result: { protocolVersion: '2025-03-26', instructions: notInstalled } },
      { id: 2, result: { tools: [{ description: notInstalled }] } },
      { id: 3, result: { content: [{ text: notInstalled }] } },
      { id: 4, error: { code: -32601 } },
    ])
  })

  it('starts the launcher in the store, else the program on the PATH', () => {
    program(join(at.root, 'bin'), 'on the PATH')
    const env = { PATH: `${path}:${join(at.root, 'bin')}` }
    expect(ask(env)).toMatchObject({ status: 0, stdout: 'on the PATH mcp --plugin\n' })
    program(join(at.home, '.recollect', 'bin'), 'in the store')
    expect(ask(env)).toMatchObject({ status: 0, stdout: 'in the store mcp --plugin\n' })
    program(join(at.root, 'elsewhere', 'bin'), 'elsewhere')
    expect(ask({ ...env, RECOLLECT_HOME: join(at.root, 'elsewhere') }).stdout).toBe('elsewhere mcp --plugin\n')
  })
})

describe('everything that is shipped', () => {
  /** Folders, archives of releases, programs of others that are named on purpose, and lists of such runners. */
  const known = /^(?:[./]|https:|<|\$\{|skills$|bunx$|@anthropic-ai\/mcpb@|@electric-sql\/pglite)/
  /** As code: at the beginning of a line, or after a quote or an operator. */
  const runs =
    /(?:^|[`'"(=:&] *)(?:npx|npm (?:i|install|exec|x)|pnpm (?:add|dlx)|bunx|bun (?:add|x)|yarn (?:dlx|global add)|uvx|pipx run)(?: -[\w-]+)* ([^\s`'"|&;)]+)/gm
  const gitFiles = (...paths: string[]) =>
    spawnSync('git', ['ls-files', '-z', ...paths], { cwd: root, encoding: 'utf8' }).stdout.split('\0')

  it('runs and installs no package by a name that is not ours', () => {
    const pack = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline']
    const packed = JSON.parse(spawnSync('npm', pack, { cwd: root, encoding: 'utf8' }).stdout)[0].files
    const paths = [
      ...packed.map(({ path }: { path: string }) => path),
      ...gitFiles('action.yml', 'packaging', 'plugins', 'skills', 'hooks', '*.json', '*.md'),
      ...packagingFiles(read).map(({ path }) => path),
    ] as string[]
    // Sessions of the demo, tests and measurements show what others type.
    const shipped = [...new Set(paths)].filter(
      (path) => !/^(?:demo|test|bench)\/|\.(?:png|svg)$|LICENSES|^$/.test(path),
    )
    expect(shipped).toEqual(
      expect.arrayContaining(['dist/cli.js', 'plugins/recollect/.mcp.json', 'gemini-extension.json']),
    )
    const found = shipped.flatMap((path) =>
      [...read(path).matchAll(runs)].flatMap(([line, name]) => (known.test(name!) ? [] : [`${path}: ${line}`])),
    )
    expect(found).toEqual([])
    for (const path of shipped.filter((one) => one.endsWith('.json')))
      expect([path, /"(?:command|runtimeHint)":\s*"(?:npx|bunx|uvx|pnpx)"/.test(read(path))]).toEqual([path, false])
  })
})
