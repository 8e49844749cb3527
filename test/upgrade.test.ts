import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { repository } from '../src/install/installation.ts'
import { type Place, place, recollect, start } from './program.ts'

const root = join(import.meta.dirname, '..')
const { version } = manifest
let at: Place
beforeEach(() => {
  at = place()
  recollect(at, 'sweep')
})
afterEach(() => at.remove())

const used = () => join(at.store, 'run', 'version.json')

describe('upgrade', () => {
  it('says the version, how it was installed, and how to upgrade', () => {
    const { out, status } = recollect(at, 'upgrade')
    expect(status).toBe(0)
    expect(out).toBe(
      `Recollect ${version} (a checkout of the repository)\nTo upgrade: git -C ${root} pull && npm --prefix ${root} run build\nThen renew hooks: recollect install\n`,
    )
  })

  it('shows what is new since the version that was used before', () => {
    expect(recollect(at, 'upgrade', '--notes').out).toBe(`Nothing is new since ${version}.\n`)
    writeFileSync(used(), '{"current":"0.0.1"}')
    expect(recollect(at, 'upgrade', '--json').json()).toMatchObject({ version, previous: '0.0.1', notes: [] })
    expect(JSON.parse(readFileSync(used(), 'utf8'))).toEqual({ current: version, previous: '0.0.1' })
  })

  describe('--check', () => {
    /** git asks this folder instead of the repository. */
    const check = async (folder: string) => {
      const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: `url.${folder}.insteadOf`, GIT_CONFIG_VALUE_0: repository }
      const child = start({ ...at, env }, 'upgrade', '--check')
      let text = ''
      for (const stream of [child.stdout!, child.stderr!])
        stream.setEncoding('utf8').on('data', (part) => (text += part))
      const [status] = await once(child, 'close')
      return { status, text }
    }

    it('asks the repository for its tags', async () => {
      const folder = join(at.root, 'repository')
      const git = (...args: string[]) =>
        spawnSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a', ...args])
      mkdirSync(folder)
      git('init', '-q')
      git('commit', '-q', '--allow-empty', '-m', 'a')
      for (const tag of ['v0.0.9', 'v9.9.9', 'v9.10.0-beta', 'other']) git('tag', tag)
      const { status, text } = await check(folder)
      expect(text).toContain('The latest version is 9.9.9.\nTo upgrade: ')
      expect(status).toBe(0)
    })

    it('fails with the reason when there is no network', async () => {
      const { status, text } = await check('/nowhere')
      expect(text).toContain('The repository could not be asked: ')
      expect(status).toBe(3)
    })
  })
})

// `script` gives a command a terminal, and its typescript goes to /dev/null.
describe.skipIf(spawnSync('script', ['--version']).status !== 0)('after an upgrade', () => {
  const atTerminal = (command: string) =>
    spawnSync('script', ['-qec', `'${process.execPath}' '${join(root, 'dist', 'cli.js')}' ${command}`, '/dev/null'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: at.home, RECOLLECT_HOME: at.store },
    }).stdout
  const line = `Recollect 0.0.1 → ${version}: recollect upgrade --notes`

  it('the next command at a terminal says so, once', () => {
    expect(atTerminal('du')).not.toContain('→')
    writeFileSync(used(), '{"current":"0.0.1"}')
    expect(recollect(at, 'du').err).toBe('')
    expect(atTerminal('du --json')).not.toContain('→')
    expect(atTerminal('du')).toContain(line)
    expect(atTerminal('du')).not.toContain('→')
  })

  it('an older version says nothing', () => {
    writeFileSync(used(), '{"current":"99.0.0"}')
    expect(atTerminal('du')).not.toContain('→')
  })
})
