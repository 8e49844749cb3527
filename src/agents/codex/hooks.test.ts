import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hookCommand } from '../../core/hook-command.ts'
import type { Machine } from '../../core/paths.ts'
import type { Json } from '../../core/session.ts'
import { codexHooks } from './hooks.ts'

describe('codexHooks.isTrusted', () => {
  let home = ''
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'recollect-codex-'))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  const theirs = { hooks: [{ type: 'command', command: 'notify-send done' }] }

  it('is undefined without its files', () => {
    expect(isTrusted()).toBeUndefined()
    writeHooks({})
    writeConfig('[hooks')
    expect(isTrusted()).toBeUndefined()
  })

  it('is false until the user approves', () => {
    writeHooks({})
    expect(isTrusted()).toBe(false)
    writeConfig('model = "gpt-5.5"\n')
    expect(isTrusted()).toBe(false)
  })

  it('is true once every command is approved, at its position among those of the user', () => {
    writeHooks({ Stop: [theirs] })
    const early = ['session_start:0:0', 'pre_compact:0:0']
    agree([...early, 'stop:0:0'])
    expect(isTrusted()).toBe(false) // that one is theirs
    agree([...early, 'stop:1:0'])
    expect(isTrusted()).toBe(true)
  })

  it('is false when a hook was disabled or removed by hand', () => {
    writeHooks({})
    const places = ['session_start:0:0', 'stop:0:0', 'pre_compact:0:0']
    agree(places)
    expect(isTrusted()).toBe(true)
    agree(places, 'enabled = false\n')
    expect(isTrusted()).toBe(false)
    writeFileSync(join(home, 'hooks.json'), JSON.stringify({ hooks: { Stop: [theirs] } }))
    agree(places)
    expect(isTrusted()).toBe(false)
  })

  it('recognises a home that is reached through a link', () => {
    mkdirSync(join(home, 'real'))
    symlinkSync(join(home, 'real'), join(home, 'link'))
    const real = join(home, 'real')
    const link = join(home, 'link')
    home = link
    writeHooks({})
    agree(['session_start:0:0', 'stop:0:0', 'pre_compact:0:0'], '', real)
    expect(isTrusted()).toBe(true)
    home = join(link, '..')
  })

  function isTrusted(): boolean | undefined {
    return codexHooks.isTrusted?.(machine())
  }

  function machine(): Machine {
    return { home: '/home/dev', env: { CODEX_HOME: home }, platform: 'linux' }
  }

  /** Ours, after what is there already. */
  function writeHooks(before: Record<string, Json[]>): void {
    const hooks: Record<string, Json[]> = { ...before }
    const place = { root: '/home/dev/.recollect', platform: 'linux', node: '/usr/bin/node' } as const
    const [file] = codexHooks.files(machine(), (event) => hookCommand(place, 'codex', event))
    if (file?.kind !== 'json') throw new Error('no JSON file is planned')
    for (const entry of file.entries) {
      const event = entry.at[1]!
      if ('item' in entry) hooks[event] = [...(hooks[event] ?? []), entry.item]
    }
    writeFileSync(file.path, JSON.stringify({ hooks }))
  }

  function writeConfig(text: string): void {
    writeFileSync(join(home, 'config.toml'), text)
  }

  function agree(places: string[], more = '', folder = home): void {
    const path = join(folder, 'hooks.json')
    writeConfig(
      places.map((place) => `[hooks.state."${path}:${place}"]\ntrusted_hash = "sha256:0"\n${more}`).join('\n'),
    )
  }
})
