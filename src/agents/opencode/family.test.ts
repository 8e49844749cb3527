import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collect } from '../../../test/agents/collect.ts'
import { openCodeFamily } from './agent.ts'

describe('the family of OpenCode', () => {
  let home = ''
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'recollect-family-'))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  it('reads the files of MiMo Code, and not the differences of OpenCode', () => {
    for (const name of ['mimocode', 'opencode']) {
      const folder = `.local/share/${name}/storage`
      const session = name === 'mimocode' ? 'session_diff/global' : 'session/global'
      write(`${folder}/${session}/ses_1.json`, { id: 'ses_1', directory: '/home/dev/reef', title: 'Corals' })
      write(`${folder}/message/ses_1/msg_1.json`, { id: 'msg_1', role: 'user' })
      write(`${folder}/part/msg_1/prt_1.json`, { id: 'prt_1', type: 'text', text: `said to ${name}` })
    }
    write('.local/share/opencode/storage/session_diff/ses_1.json', [{ file: 'a.ts' }])
    expect(promptsOf('mimo')).toEqual(['said to mimocode'])
    expect(promptsOf('opencode')).toEqual(['said to opencode'])
  })

  it('finds a configured database by any name', () => {
    write('data/sessions.sqlite', {})
    const kilo = memberOf('kilo')
    const env = { KILO_DB: join(home, 'data/sessions.sqlite') }
    const found = kilo.roots({ home, env, platform: 'linux' }).flatMap((root) => [...kilo.find(root)])
    expect(found.map(({ path }) => path)).toEqual([env.KILO_DB])
  })

  function write(place: string, content: unknown): void {
    mkdirSync(dirname(join(home, place)), { recursive: true })
    writeFileSync(join(home, place), JSON.stringify(content))
  }

  function promptsOf(id: string): string[] {
    const { sessions } = collect(memberOf(id), { home, env: {}, platform: 'linux' })
    return [...sessions.values()].flatMap(({ events }) => events.map(({ text }) => text))
  }
})

function memberOf(id: string) {
  return openCodeFamily.find((agent) => agent.id === id)!
}
