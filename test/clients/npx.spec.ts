// `npx recollect` from the packed archive: an empty home, an empty cache, no network, on each supported Node.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { binary, type ClientName, isInstalled } from './install-clients.ts'
import { npmFolder, packInto, writingOnlyTo } from './packed.ts'

/** Of dist, demo and texts; a second large dependency or a picture would double it. */
const maxBytes = 3_000_000

let packs: string
let archive: { path: string; bytes: number }
beforeAll(() => {
  packs = realpathSync(mkdtempSync(join(tmpdir(), 'recollect-pack-')))
  archive = packInto(packs)
})
afterAll(() => rmSync(packs, { recursive: true }))

it('the archive is small', () => {
  console.log(`The package: ${(archive.bytes / 1e6).toFixed(1)} MB`)
  expect(archive.bytes).toBeLessThan(maxBytes)
})

const versions: [name: string, client: ClientName | undefined][] = [
  ['22.18', 'node22'],
  ['24', undefined],
  ['26', 'node26'],
]

describe.each(versions)('on Node %s', (_, client) => {
  describe.skipIf(client && !isInstalled(client))('npx recollect', () => {
    let place: string
    beforeAll(() => (place = emptyPlace()))
    afterAll(() => rmSync(place, { recursive: true }))
    const npx = (args: string[], input?: string) => runNpx(place, nodeOf(client), args, input)

    it('starts after the download of one package', () => {
      const begun = performance.now()
      const { status, stdout, stderr } = npx(['--version'])
      console.log(`npx recollect on ${client ?? 'node24'}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
      expect(stderr).not.toMatch(/warn|deprecated/i)
      expect({ status, stdout }).toEqual({ status: 0, stdout: `${manifest.version}\n` })
    })

    it('shows the demo on a machine without sessions', () => {
      const { status, stdout, stderr } = npx([])
      expect(status, stderr).toBe(0)
      expect(stdout).toContain('This is the overview of the demo that comes with Recollect')
      expect(stdout).toContain('tidepool')
    })

    it('lists no sessions', () => expect(npx(['sessions', '--json'])).toMatchObject({ status: 1, stdout: '[]\n' }))

    it('shows what install would change, and changes nothing', () => {
      const { status, stdout } = npx(['install', 'claude-code', '--dry-run'])
      expect(status).toBe(0)
      expect(stdout).toContain('.claude/settings.json')
    })

    it('answers over MCP', () => {
      const clientInfo = { name: 'test', version: '1' }
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
      const { stdout } = npx(['mcp'], `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
      expect(JSON.parse(stdout)).toMatchObject({
        id: 1,
        result: { serverInfo: { name: 'recollect', version: manifest.version } },
      })
    })

    it('says how to get the embedded database, which is not in the package', () => {
      const { status, stderr } = npx(['server', 'user', 'list'])
      expect(status).toBe(2)
      expect(stderr).toContain(`npm install --prefix ${place}/home/.recollect/packages @electric-sql/pglite@`)
    })

    it('has written to its own folders alone', () => {
      expect(readdirSync(join(place, 'home')).sort()).toEqual(['.npm', '.recollect'])
      expect(readdirSync(join(place, 'tmp')).filter((name) => !name.startsWith('node-compile-cache'))).toEqual([])
      expect(readdirSync(place).sort()).toEqual(['home', 'tmp'])
    })
  })
})

describe.skipIf(!isInstalled('node20'))('on an older Node', () => {
  it('says in one line what to do', () => {
    const place = emptyPlace()
    const { status, stdout, stderr } = runNpx(place, nodeOf('node20'), ['--version'])
    rmSync(place, { recursive: true })
    const [line, ...more] = stderr.split('\n').filter((text) => text !== '' && !text.startsWith('npm '))
    expect({ status, stdout, more }).toEqual({ status: 1, stdout: '', more: [] })
    expect(line).toMatch(/^Recollect needs Node\.js 22\.18 or later; this is 20\.19\.6\. .*https:\/\/nodejs\.org/)
  })
})

function nodeOf(client: ClientName | undefined): string {
  return client ? binary(client) : process.execPath
}

function emptyPlace(): string {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'recollect-npx-')))
  for (const name of ['home', 'tmp']) mkdirSync(join(place, name))
  return place
}

function runNpx(place: string, node: string, args: string[], input = '') {
  const [command, ...rest] = writingOnlyTo(place, ['npx', '-y', `--package=${archive.path}`, 'recollect', ...args])
  return spawnSync(command!, rest, {
    cwd: place,
    input,
    encoding: 'utf8',
    timeout: 110_000,
    env: {
      PATH: `${dirname(node)}:${npmFolder}:/usr/local/bin:/usr/bin:/bin`,
      HOME: join(place, 'home'),
      TMPDIR: join(place, 'tmp'),
      TZ: 'UTC',
      npm_config_update_notifier: 'false',
      npm_config_offline: 'true',
    },
  })
}
