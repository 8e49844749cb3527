// The status line as Claude Code runs it: JSON on standard input, one line out, whatever the ledger is like.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/core/sqlite.ts'
import { claudeSession, environment, type Place, place, recollect, sessionName } from './program.ts'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

function newPlace(files: Record<string, string | object[]> = {}): Place {
  const at = place(files)
  places.push(at)
  return at
}

const said = {
  session_id: sessionName(1),
  model: { id: 'claude-opus-4-8', display_name: 'Opus 4.8' },
  cost: { total_cost_usd: 1.5 },
  context_window: { used_percentage: 26 },
}
const saidText = 'Opus 4.8 | $1.50 session | context 26 %\n'

function statusline(
  at: Place,
  input: string = JSON.stringify(said),
): { status: number | null; out: string; err: string } {
  const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
  const child = spawnSync(process.execPath, [cli, 'statusline'], { input, env: environment(at), encoding: 'utf8' })
  return { status: child.status, out: child.stdout, err: child.stderr }
}

describe('statusline', () => {
  it('adds the cost of today and the block that is not over', () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const session = claudeSession(sessionName(1), 2).map((record, index) => ({ ...record, timestamp: ago(8 - index) }))
    const at = newPlace({ [`.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`]: session })
    expect(recollect(at, 'sweep').status).toBe(0)
    expect(statusline(at)).toMatchObject({
      status: 0,
      out: expect.stringMatching(
        /^Opus 4\.8 \| \$1\.50 session, (≥ )?\$\d\S+ today \| block (≥ )?\$\S+, [\d a-z]+ left, (≥ )?\$\S+\/h \| context 26 %\n$/,
      ),
    })
  })

  it.each([
    ['there is no ledger', () => {}],
    ['the ledger is damaged', (at: Place) => writeFileSync(join(at.store, 'ledger.db'), 'no database')],
    ['the configuration is invalid', (at: Place) => writeFileSync(join(at.store, 'config.toml'), '[[[')],
  ])('shows what Claude Code said if %s', (_, prepare) => {
    const at = newPlace()
    mkdirSync(at.store)
    prepare(at)
    expect(statusline(at)).toEqual({ status: 0, out: saidText, err: '' })
  })

  it('shows what Claude Code said while another process keeps the ledger locked', () => {
    const at = newPlace()
    recollect(at, 'sweep')
    const lock = openDatabase(join(at.store, 'ledger.db'), {
      pragmas: ['journal_mode = DELETE', 'locking_mode = EXCLUSIVE'],
    })
    lock.raw.exec('BEGIN EXCLUSIVE')
    expect(statusline(at)).toEqual({ status: 0, out: saidText, err: '' })
    lock.close()
  })

  it('prints an empty line for what is no JSON', () => {
    expect(statusline(newPlace(), 'no JSON')).toEqual({ status: 0, out: '\n', err: '' })
  })
})

describe('statusline --install', () => {
  const settings = '{\n  "model": "opus"\n}\n'

  it('is set only on request, and uninstall restores the settings exactly', () => {
    const at = newPlace({ '.claude/settings.json': settings })
    const path = join(at.home, '.claude/settings.json')
    expect(recollect(at, 'install', 'claude-code', '--yes', '--no-mcp').status).toBe(0)
    expect(readFileSync(path, 'utf8')).not.toContain('statusLine')
    expect(recollect(at, 'statusline', '--install', '--yes').status).toBe(0)
    const { statusLine } = JSON.parse(readFileSync(path, 'utf8'))
    expect(statusLine).toEqual({ type: 'command', command: `'${join(at.store, 'bin', 'recollect')}' statusline` })
    const run = spawnSync(statusLine.command, { shell: true, input: JSON.stringify(said), encoding: 'utf8' })
    expect(run.stdout).toBe(saidText)
    expect(recollect(at, 'uninstall', '--yes').status).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe(settings)
  })

  it('leaves a status line of the user alone', () => {
    const own = '{ "statusLine": { "type": "command", "command": "date" } }\n'
    const at = newPlace({ '.claude/settings.json': own })
    expect(recollect(at, 'statusline', '--install', '--yes')).toMatchObject({
      status: 0,
      err: expect.stringContaining('has a status line already'),
    })
    expect(readFileSync(join(at.home, '.claude/settings.json'), 'utf8')).toBe(own)
  })
})
