// The files that the repository offers, with the real programs that read them: plugins and extensions are installed from
// a copy of the repository, and the plugin works with a Recollect that was installed from the packed archive.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { layOutBundle } from '../../scripts/packaging/bundle.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { gemini } from './agents/gemini.ts'
import { type Api, serve, text } from './api.ts'
import { type Client, type Home, makeHome, type Ran, removeHome, runClient } from './client.ts'
import { given } from './contract.ts'
import { binary, isInstalled } from './install-clients.ts'
import { settled } from './ledger.ts'
import { packInto } from './packed.ts'

const root = join(import.meta.dirname, '..', '..')
let place: string
let repository: string
let prefix: string
beforeAll(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'recollect-packaging-')))
  repository = join(place, 'repository')
  prefix = join(place, 'prefix')
  execFileSync('git', ['checkout-index', '--all', `--prefix=${repository}/`], { cwd: root })
  const { path } = packInto(place)
  execFileSync('npm', ['install', '--global', '--offline', '--silent', '--prefix', prefix, path])
})
afterAll(() => rmSync(place, { recursive: true }))

it('npm install -g links the program and the manual page', () => {
  const version = execFileSync(join(prefix, 'bin', 'recollect'), ['--version'], { encoding: 'utf8' })
  expect(version).toBe(`${manifest.version}\n`)
  // A text as the value of `man` is ignored by npm 11.
  expect(readFileSync(join(prefix, 'share', 'man', 'man1', 'recollect.1'), 'utf8')).toMatch(/^\.TH RECOLLECT 1/)
})

interface Stage {
  api: Api
  at: Home
  /** Runs a command of the client, which has to succeed. */
  type(...args: string[]): Promise<string>
  asks(prompt: string): Promise<Ran>
}

/** A client on a machine where `npm install -g recollect` has been run and nothing else. */
function withClient(client: Client, tests: (stage: Stage) => void): void {
  const installed: Client = {
    ...client,
    env: (home, url) => ({
      ...client.env(home, url),
      PATH: `${join(prefix, 'bin')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    }),
  }
  const stage = {
    async type(...args: string[]) {
      const { status, out, err } = await runClient({ ...installed, args: () => args }, stage.at, stage.api.url, '')
      expect(status, `${out}\n${err}`).toBe(0)
      return `${out}\n${err}`
    },
    asks: (prompt: string) => runClient(installed, stage.at, stage.api.url, prompt),
  } as Stage
  describe.skipIf(!isInstalled(client.name))(client.name, () => {
    beforeEach(async () => {
      stage.api = await serve(client.protocol)
      const at = makeHome(installed, stage.api.url)
      stage.at = { ...at, store: join(at.home, '.recollect') }
    })
    afterEach(async () => {
      await removeHome(stage.at)
      await stage.api.close()
    })
    tests(stage)
  })
}

/** Its MCP server writes the hook, and hooks capture and give a brief from then on. */
async function worksFromSecondSession(client: Client, { api, at, asks }: Stage): Promise<void> {
  expect(existsSync(join(at.store, 'bin'))).toBe(false)
  api.says(text('Blue.'))
  await asks('Which colour has the sea?')
  expect(given(api).some(({ brief }) => brief)).toBe(false)
  expect(readdirSync(join(at.store, 'bin')).sort()).toEqual(['hook', 'recollect'])
  api.says(text('Grey.'))
  await asks('And in winter?')
  expect(await settled(client, at)).not.toEqual([])
  api.says(text('Green.'))
  await asks('And in spring?')
  expect(given(api)).toEqual([{ purpose: 'main', brief: true }])
}

withClient(claude, (stage) => {
  it('has a valid marketplace and plugin', async () => {
    for (const folder of [repository, join(repository, 'plugins', 'recollect')])
      expect(await stage.type('plugin', 'validate', folder)).toContain('Validation passed')
  })

  it('is left by `uninstall plugin` as it was before', async () => {
    const { at } = stage
    const path = join(at.home, '.claude', 'settings.json')
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    const recollect = (...args: string[]) =>
      execFileSync(join(prefix, 'bin', 'recollect'), [...args, '--yes'], {
        env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: at.home, RECOLLECT_HOME: at.store },
        encoding: 'utf8',
      })
    recollect('install', 'plugin')
    await stage.type('plugin', 'marketplace', 'add', join(at.store, 'plugin'))
    await stage.type('plugin', 'install', 'recollect@recollect')
    expect(await stage.type('plugin', 'list')).toContain('recollect@recollect')
    recollect('uninstall', 'plugin')
    expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(before)
    expect(await stage.type('plugin', 'list')).not.toMatch(/recollect|failed/i)
    expect(await stage.type('plugin', 'marketplace', 'list')).not.toContain('recollect')
  })

  it('says once to the person that the program is missing, and goes on', async () => {
    const { api, at } = stage
    await stage.type('plugin', 'marketplace', 'add', repository)
    await stage.type('plugin', 'install', 'recollect@recollect')
    const without: Client = {
      ...claude,
      env: (home, url) => ({ ...claude.env(home, url), PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }),
    }
    api.says(text('Blue.'))
    const ran = await runClient(without, at, api.url, 'Which colour has the sea?')
    expect(ran.status, ran.err).toBe(0)
    expect(ran.out).toContain('Blue.')
    expect(readFileSync(join(at.store, 'logs', 'plugin.log'), 'utf8')).toContain('is not installed on this machine')
    expect(api.asked.some((request) => request.text.includes('is not installed on this machine'))).toBe(true)
  })

  it('installs the plugin, which works from the second session', async () => {
    await stage.type('plugin', 'marketplace', 'add', repository)
    await stage.type('plugin', 'install', 'recollect@recollect')
    await worksFromSecondSession(claude, stage)
    const { asked } = stage.api
    expect(asked.some((request) => request.text.includes('mcp__plugin_recollect_recollect__recall'))).toBe(true)
  })
})

/** Its plugins are off in the other tests, because they ask the network at the end. */
const codexWithPlugins: Client = {
  ...codex,
  settings: (home, url) =>
    Object.fromEntries(
      Object.entries(codex.settings(home, url)).map(([path, text]) => [
        path,
        text.replace('plugins = false', 'plugins = true'),
      ]),
    ),
}

withClient(codexWithPlugins, (stage) => {
  it('installs the plugin, which works from the second session', async () => {
    await stage.type('plugin', 'marketplace', 'add', repository)
    await stage.type('plugin', 'add', 'recollect@recollect')
    expect(await stage.type('mcp', 'list')).toMatch(/^recollect +node +-e .*enabled/m)
    await worksFromSecondSession(codex, stage)
  })
})

withClient(gemini, (stage) => {
  it('installs the extension, which works from the second session', async () => {
    expect(await stage.type('extensions', 'validate', repository)).toContain('successfully validated')
    await stage.type('extensions', 'install', repository, '--consent')
    const list = await stage.type('extensions', 'list')
    expect(list).toMatch(/recollect \(\d[\s\S]*MCP servers:\s+recollect[\s\S]*earlier-sessions/)
    await worksFromSecondSession(gemini, stage)
  })
})

describe.skipIf(!isInstalled('skills'))('npx skills add', () => {
  it('finds the skill once', () => {
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: place, DISABLE_TELEMETRY: '1' }
    const { stdout } = spawnSync(binary('skills'), ['add', repository, '--list'], { encoding: 'utf8', env, cwd: place })
    expect(stdout).toContain('Found 1 skill')
    expect(stdout).toContain('earlier-sessions')
  })
})

describe.skipIf(!isInstalled('mcpb'))('the bundle for Claude Desktop', () => {
  const mcpb = (...args: string[]) => execFileSync(binary('mcpb'), args, { encoding: 'utf8', cwd: place })

  it('is valid, and its server answers', () => {
    const bundle = join(place, 'bundle')
    layOutBundle(root, bundle)
    expect(mcpb('validate', join(bundle, 'manifest.json'))).toContain('passes')
    mcpb('pack', bundle, join(place, 'recollect.mcpb'))
    console.log(`The bundle: ${(statSync(join(place, 'recollect.mcpb')).size / 1e6).toFixed(1)} MB`)
    mcpb('unpack', join(place, 'recollect.mcpb'), join(place, 'unpacked'))
    const { server } = JSON.parse(readFileSync(join(place, 'unpacked', 'manifest.json'), 'utf8'))
    const args = server.mcp_config.args.map((arg: string) => arg.replace(/^\$\{__dirname\}/, join(place, 'unpacked')))
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`
    const answer = execFileSync(process.execPath, args, { input, encoding: 'utf8', env: { HOME: place } })
    expect(JSON.parse(answer).result.serverInfo).toMatchObject({ name: 'recollect', version: manifest.version })
  })
})

describe.skipIf(!isInstalled('actions'))('GitHub', () => {
  it.each(['action.yml', '.github/workflows/ci.yml', '.github/workflows/release.yml'])('%s is valid', (path) => {
    const { status, stdout, stderr } = spawnSync(binary('actions'), [join(repository, path)], { encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
  })
})
