// The models as a user meets them on the command line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeSession, lines, type Place, place, recollect, sessionName, start } from '../program.ts'
import { waitFor } from '../wait-for.ts'
import { isAlive, type Model, modelOf, says, status } from './scripted.ts'

let at: Place
let claude: Model
let ollama: Model
beforeAll(async () => {
  claude = await modelOf('claude')
  ollama = await modelOf('ollama')
  for (const model of [claude, ollama]) model.script(says('{"sum":5}'))
  at = place()
  at.env = { ...claude.env, ...ollama.env }
  mkdirSync(at.store)
  writeFileSync(join(at.store, 'config.toml'), '[models]\ndaily_calls = 1\n')
})
afterAll(async () => {
  at.remove()
  await claude.close()
  await ollama.close()
})

describe('recollect models', () => {
  it('lists the order, and names the pending decision', async () => {
    const { out, err, status } = await run('models')
    expect(status).toBe(0)
    expect(out.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['judge', 'available', 'model or problem', 'cost', 'allowed', 'today'],
      ['claude', 'yes', 'haiku', 'paid', 'not yet', '$0.00, 0 calls'],
      ['ollama', 'yes', 'qwen2.5:3b, llama3.2:3b', 'free', 'not yet'],
      ['heuristic', 'yes', 'rules, no model', 'free', 'yes'],
      [''],
    ])
    expect(err).toBe(
      'Today $0.00 of $0.50, 0 of 1 call.\nTo use claude (haiku, about $0.02 per long session): recollect models allow claude\nTo use ollama (qwen2.5:3b, free): recollect models allow ollama\n',
    )
  })

  it('does not try a provider that was not allowed', async () => {
    const { err, status } = await run('models', 'try', 'claude')
    expect({ err, status }).toEqual({
      status: 1,
      err: 'claude did not answer: not allowed yet: recollect models allow claude\n',
    })
    expect(claude.asked).toEqual([])
  })

  it('allows, tries, and shows what it cost', async () => {
    expect((await run('models', 'allow', 'claude')).out).toBe(
      'claude is allowed, at most $0.50 and 1 paid call a day.\n',
    )
    const tried = await run('models', 'try', 'claude')
    expect(tried).toMatchObject({ status: 0, err: '' })
    expect(tried.out).toMatch(/^claude-haiku-4-5-20251001 answered 2 \+ 3 = 5 in \d+ ms for \$0\.0013\n$/)
    const listed = JSON.parse((await run('models', '--json')).out)
    expect(listed.models[0]).toMatchObject({ name: 'claude', consent: 'allowed', today: { usd: 0.00125, calls: 1 } })
    expect(listed.budget).toMatchObject({ isUsedUp: true, steppedDownTo: ['heuristic'] })
  })

  it('reports the limit and the judge that takes over', async () => {
    expect((await run('models', 'try', 'claude')).err).toBe(
      'claude did not answer: the limit of 1 call a day is reached\n',
    )
    await run('models', 'allow', 'ollama')
    expect((await run('models')).err).toContain('The limit is reached; until midnight: ollama, else heuristic.')
  })

  it('tries a free provider, as JSON', async () => {
    const { out, status } = await run('models', 'try', 'ollama', '--json')
    expect(status).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      name: 'ollama',
      answer: { kind: 'answered', value: { sum: 5 }, model: 'qwen2.5:3b', costUsd: 0 },
      ms: expect.any(Number),
    })
  })

  it('can refuse a free provider', async () => {
    await run('models', 'deny', 'ollama')
    expect(await run('models', 'try', 'ollama')).toMatchObject({ status: 1 })
  })

  it.each([
    [['models', 'allow', 'gpt']],
    [['models', 'allow', 'heuristic']],
    [['models', 'alow', 'claude']],
    [['models', 'try']],
  ])('is wrong usage: %j', async (args) => {
    expect(await run(...args)).toMatchObject({ status: 2, out: '' })
  })
})

describe('the judge of sessions', () => {
  const transcript = (name: string, hoursAgo: number) => {
    const records = lines(claudeSession(name, 6, { says: (turn) => `No, never do ${turn} on Fridays here.` }))
    const day = new Date(Date.now() - hoursAgo * 3_600_000).toISOString().slice(0, 10)
    return records.replaceAll('2026-09-01T', `${day}T`).replaceAll('T10:', 'T00:')
  }
  const answer = says('{"memories":[],"title":"Fridays","leftOff":"","journal":null}')
  const homeWith = (model: Model) => {
    const folder = '.claude/projects/-home-dev-app'
    const other = place({
      [`${folder}/${sessionName(0)}.jsonl`]: transcript(sessionName(0), 24),
      [`${folder}/${sessionName(1)}.jsonl`]: transcript(sessionName(1), 24),
    })
    other.env = { ...model.env, OLLAMA_HOST: '127.0.0.1:9' }
    model.script(answer)
    return other
  }

  it('is chosen with --judge where nobody can be asked, and judges the last days with the next sweep', async () => {
    const other = homeWith(claude)
    expect(recollect(other, 'sweep').err).toBe('')
    expect(recollect(other, 'status').out).toMatch(
      /^Judge: none\. Rules propose .*\nA model can decide: recollect models allow claude \((?:about|less than) \$0\.0\d a day\)$/m,
    )
    expect(recollect(other, 'sweep', '--judge', 'openai')).toMatchObject({
      status: 2,
      err: 'openai cannot judge here\nAvailable: claude, none. To see why: recollect models\n',
    })
    const asked = claude.asked.length
    const { err, status } = recollect(other, '--judge', 'claude')
    expect(status).toBe(0)
    expect(err).toMatch(
      /^claude \(haiku\) judges sessions from now on\. .*\nIt can judge 2 sessions of the last 3 days in 2 calls, for (?:about|less than) \$0\.0\d\.\nThe next sweep judges them: recollect sweep\n$/,
    )
    expect(claude.asked).toHaveLength(asked)
    recollect(other, 'sweep')
    expect(claude.asked).toHaveLength(asked + 2)
    expect(recollect(other, 'status').out).toMatch(
      /^Judge: claude \(haiku\), one call per session at rest\n {2}Today 2 of 24 calls, \$0\.0025 of \$0\.30$/m,
    )
    recollect(other, 'sweep', '--judge', 'none')
    expect(recollect(other, 'status', '--json').json().judge).toBe('none')
    other.remove()
  })

  it.each([
    ['at once', ['--yes'], 2, 'now'],
    ['not', ['--no-rejudge'], 0, 'never'],
    ['with the next sweep', [], 2, 'next sweep'],
  ])('judges the sessions of the last days after models allow: %s', (_, options, calls, when) => {
    const other = homeWith(claude)
    recollect(other, 'sweep')
    const asked = claude.asked.length
    const { rejudge } = recollect(other, 'models', 'allow', 'claude', ...options, '--json').json()
    expect(rejudge).toMatchObject({ sessions: 2, when })
    expect(rejudge.usd).toBeGreaterThan(0.005)
    expect(claude.asked).toHaveLength(asked + (when === 'now' ? calls : 0))
    recollect(other, 'sweep')
    expect(claude.asked).toHaveLength(asked + calls)
    other.remove()
  })

  // util-linux; other systems have another `script`.
  it.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))(
    'is asked for once at a terminal, and Enter is none',
    async () => {
      const other = homeWith(claude)
      const asked = claude.asked.length
      const first = await atTerminal(other, [], ['three', '', 'q'])
      expect(first).toContain('Which model may decide what is worth remembering?')
      expect(first).toMatch(
        / {2}1 {2}claude: haiku, Anthropic, with your Claude Code; (?:about|less than) \$0\.0\d a day/,
      )
      expect(first).toContain('"three" is none of them.')
      expect(first).toContain('Look at it in the browser?')
      expect(first).toContain('No model judges: rules propose candidates, and you keep them.')
      expect(await atTerminal(other, ['sweep'], [])).not.toContain('Which model')
      expect(await atTerminal(other, ['models', 'allow', 'claude'], ['n'])).toContain('It can judge 2 sessions')
      await atTerminal(other, ['sweep'], [])
      expect(claude.asked).toHaveLength(asked)
      other.remove()
    },
  )

  it('puts a model into the order that is not in it', () => {
    const other = homeWith(claude)
    expect(recollect(other, 'models', 'allow', 'anthropic').err).toBe('Judges, in this order: anthropic, heuristic\n')
    expect(recollect(other, 'config', '--json').json().config.models.order).toEqual(['anthropic', 'heuristic'])
    other.remove()
  })
})

it('ends the claude program when it is terminated', async () => {
  const pidsFile = join(claude.env.SCRIPTED!, 'pids')
  const other = place()
  other.env = claude.env
  recollect(other, 'models', 'allow', 'claude')
  claude.script({ kind: 'silence' })
  const child = start(other, 'models', 'try', 'claude')
  await waitFor(() => existsSync(pidsFile))
  const pids = readFileSync(pidsFile, 'utf8').split(' ').map(Number)
  child.kill('SIGTERM')
  await once(child, 'close')
  await waitFor(() => !pids.some(isAlive))
  const [call] = recollect(other, 'cost', '--judge', '--json').json().calls
  expect(call).toMatchObject({ provider: 'claude', result: 'not finished', costUsd: expect.closeTo(0.0007, 3) })
  other.remove()
})

it('SPEC A.22: status, doctor, models and sweep tell what waits for a model', async () => {
  const transcript = '.claude/projects/-home-dev-app/session.jsonl'
  const other = place({ [transcript]: claudeSession(sessionName(0), 1, { says: () => 'Always use pnpm here.' }) })
  other.env = claude.env
  mkdirSync(other.store)
  const config = '[models]\norder = ["claude", "heuristic"]\n[learn]\nfresh_days = 3650\n'
  writeFileSync(join(other.store, 'config.toml'), config)
  recollect(other, 'models', 'allow', 'claude')
  claude.script(status(401))
  expect(recollect(other, 'sweep').out).toContain('1 exchange waits for a model (recollect status)')
  const line =
    /^1 question waits for a model since \d{4}-\d\d-\d\d \d\d:\d\d\n {2}Last reason: claude: haiku: http 401.*\n/m
  const told = recollect(other, 'status').out
  expect(told).toMatch(line)
  expect(told).toContain('Check the key, login and model: recollect models\n  To ask now: recollect sweep --retry')
  const shown = told.split('\n').filter((text) => /^1 question|^ {2}/.test(text))
  expect(shown.filter((text) => text.length > 80)).toEqual([])
  expect(recollect(other, 'models').err).toMatch(line)
  const doctor = recollect(other, 'doctor', '--json').json()
  const checks: { name: string }[] = Array.isArray(doctor) ? doctor : doctor.checks
  expect(checks.find(({ name }) => name === 'learning')).toMatchObject({
    ok: false,
    detail: expect.stringMatching(line),
    fix: expect.stringContaining('recollect sweep --retry'),
  })
  expect(recollect(other, 'status', '--json').json().waiting).toMatchObject({
    count: 1,
    cause: 'access',
    needsUser: true,
  })
  expect(recollect(other, 'models', 'deny', 'claude').err).toContain('1 question no longer waiting')
  expect(recollect(other, 'status', '--json').json().waiting).toBeNull()
  recollect(other, 'models', 'allow', 'claude')
  recollect(other, 'rebuild', '--learn')
  recollect(other, 'sweep')
  expect(recollect(other, 'status', '--json').json().waiting).toMatchObject({ count: 1 })
  claude.script(says('{"memories":[]}'))
  expect(recollect(other, 'sweep', '--retry').err).toContain('Asking 1 failed question again')
  expect(recollect(other, 'status', '--json').json().waiting).toBeNull()
  expect(recollect(other, 'work', '--log').out).toMatch(/waits .*claude: haiku: http 401/)
  other.remove()
})

it('SPEC C.10, C.11: cost --judge tells what forks did, and allowing one tells what it reads', async () => {
  const other = place()
  const session = claudeSession(sessionName(0), 1, { cwd: other.home, says: () => 'Always use pnpm here.' })
  mkdirSync(join(other.home, '.claude/projects/app'), { recursive: true })
  writeFileSync(join(other.home, '.claude/projects/app', `${sessionName(0)}.jsonl`), lines(session))
  other.env = claude.env
  mkdirSync(other.store)
  const config = '[models]\norder = ["claude-fork", "heuristic"]\n[learn]\nfresh_days = 3650\n'
  writeFileSync(join(other.store, 'config.toml'), config)
  expect(recollect(other, 'models', 'allow', 'claude-fork').err).toContain('secrets in it are not removed')
  claude.script(says('---\nname: pnpm\ntype: feedback\n---\nPackages are installed with pnpm.\n'))
  recollect(other, 'sweep')
  const { out } = recollect(other, 'cost', '--judge')
  expect(out).toContain('1 fork: 2 turns, 80 % of the input from the cache,\n')
  expect(out).toContain('  1 file written, 1 memory saved, 1 tool call refused\n')
  expect(recollect(other, 'cost', '--judge', '--json').json().calls).toMatchObject([
    {
      model: 'claude-opus-4-6',
      memoriesSaved: 1,
      fork: { turns: 2, cacheReadTokens: 80, filesWritten: 1, refused: [{ tool: 'WebFetch' }] },
    },
  ])
  other.remove()
})

describe('recollect cost --judge', () => {
  it('sums calls by purpose and model, lists them, and compares the day with the limits', async () => {
    at.env.COLUMNS = '140'
    const { out, status } = await run('cost', '--judge')
    expect(status).toBe(0)
    const [sums, list] = out.split('\n\n').map((part) => part.split('\n').map((line) => line.split(/\s{2,}/)))
    expect(sums!.map((row) => row.slice(0, 6))).toEqual([
      ['why', 'model', 'calls', 'input', 'output', 'cost'],
      ['try', 'claude-haiku-4-5', '1', '1,000', '50', '$0.0013'],
      ['try', 'qwen2.5:3b', '1', '1,000', '100', '$0.00'],
    ])
    const [head, first, second, day] = list!
    expect(head).toEqual(['when', 'why', 'session', 'provider', 'model', 'input', 'output', 'time', 'cost', 'result'])
    expect(first!.slice(1)).toEqual([
      'try',
      'claude',
      'claude-haiku-4-5-20251001',
      '1,000',
      '50',
      expect.any(String),
      '$0.0013',
      'ok',
    ])
    expect(second!.slice(1, 4)).toEqual(['try', 'ollama', 'qwen2.5:3b'])
    expect(day![1]).toBe('$0.0013 of $0.50, 1 of 1 paid calls')
  })

  it('as JSON', () => {
    expect(recollect(at, 'cost', '--judge', '--json').json()).toEqual({
      purposes: [
        expect.objectContaining({ purpose: 'try', model: 'claude-haiku-4-5', calls: 1, results: { ok: 1 } }),
        expect.objectContaining({ purpose: 'try', model: 'qwen2.5:3b', personShare: null }),
      ],
      calls: [
        expect.objectContaining({ purpose: 'try', session: null, provider: 'claude', costUsd: 0.00125, result: 'ok' }),
        expect.objectContaining({ provider: 'ollama', costUsd: 0, result: 'ok' }),
      ],
      days: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), usd: 0.00125, calls: 1 }],
      limits: { usd: 0.5, calls: 1 },
    })
  })

  it('exits with 1 if no model was asked', () => {
    expect(recollect(at, 'cost', '--judge', '--since', '2099-01-01')).toMatchObject({
      status: 1,
      err: 'No model was called.\n',
    })
  })
})

/** Not waiting in one go: the scripted server lives in this process, and has to answer meanwhile. */
async function run(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const child = start(at, ...args)
  let out = ''
  let err = ''
  child.stdout!.setEncoding('utf8').on('data', (piece) => (out += piece))
  child.stderr!.setEncoding('utf8').on('data', (piece) => (err += piece))
  const [status] = await once(child, 'close')
  return { status, out, err }
}

/** Runs a command at a terminal of its own, and gives the answers one after the other. */
async function atTerminal(at: Place, args: string[], answers: string[]): Promise<string> {
  const command = `${process.execPath} ${join(import.meta.dirname, '../../dist/cli.js')} ${args.join(' ')}`
  const env = { HOME: at.home, RECOLLECT_HOME: at.store, TZ: 'UTC', ...at.env }
  const child = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { env: { SHELL: '/bin/sh', ...env } })
  let out = ''
  let given = 0
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    out += piece
    const questions = out.match(/recollect models\): |\[y\/N\] |key leaves: /g)?.length ?? 0
    if (questions > given && given < answers.length) child.stdin.write(`${answers[given++]}\n`)
  })
  await once(child, 'close')
  return out
}
