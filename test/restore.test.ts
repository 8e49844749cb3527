// Transcripts that an agent has deleted are written again as they were, but for secrets.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { claudeSession, exited, killAfter, lines, type Place, place, recollect, sessionName, start } from './program.ts'
import { scaled } from './proof.ts'
import { randomNumbers } from './random.ts'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

const session = sessionName(1)
const transcript = `.claude/projects/-home-dev-app/${session}.jsonl`

function swept(files: Record<string, string | object[]>): Place {
  const at = place(files)
  places.push(at)
  sweep(at)
  return at
}

function sweep(at: Place) {
  const run = recollect(at, 'sweep', '--json')
  expect(run.status, run.err).toBe(0)
  return run.json()
}

/** Deletes a transcript, restores its session, and returns both contents. */
function restored(at: Place, path = transcript, id = session): { before: Buffer; after: Buffer } {
  const file = join(at.home, path)
  const before = readFileSync(file)
  rmSync(file)
  const run = recollect(at, 'restore', id, '--json')
  expect(run.status, run.err).toBe(0)
  expect(run.json()).toMatchObject({ path: file, missing: 0 })
  return { before, after: readFileSync(file) }
}

/** Records that no event is made of, and bytes that no JSON has. */
const oddities = [
  { type: 'a-type-of-the-future', payload: { deep: [1, 2.5, null], text: 'kept as it is, whatever it means' } },
  { type: 'progress', data: { type: 'bash_progress', output: 'half of it' } },
]

describe('recollect restore', () => {
  it('writes the transcript again, byte for byte', () => {
    const at = swept({ [transcript]: [...oddities, ...claudeSession(session, 3), ...oddities] })
    const { before, after } = restored(at)
    expect(after.equals(before)).toBe(true)
    expect(sweep(at)).toMatchObject({ events: 0, failed: [] })
    expect(restored(at).after.equals(before)).toBe(true)
  })

  it('keeps odd spacing, torn records, CR, NUL, BOM and bytes that are not UTF-8', () => {
    const [first, ...rest] = claudeSession(session, 2).map((record) => JSON.stringify(record))
    const content = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from(`${first!.replace('{', '{ ')}\r\n\n{"torn":"rec\n`),
      Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x01, 0x7d, 10]),
      Buffer.from(`${rest.join('\n')}\n{"mark":"\u0001\u0001"}\n`),
    ])
    const at = swept({ [transcript]: [] })
    writeFileSync(join(at.home, transcript), content)
    sweep(at)
    expect(restored(at).after.equals(content)).toBe(true)
  })

  it('follows a session that grows, a turn at a time', () => {
    const records = claudeSession(session, 14)
    const at = swept({ [transcript]: records.slice(0, 3) })
    for (let from = 3; from < records.length; from += 4) {
      appendFileSync(join(at.home, transcript), lines(records.slice(from, from + 4)))
      sweep(at)
    }
    const { before, after } = restored(at)
    expect(after.equals(before)).toBe(true)
  })

  it('gives the new content of a transcript that was rewritten', () => {
    const at = swept({ [transcript]: claudeSession(session, 5) })
    writeFileSync(join(at.home, transcript), lines(claudeSession(session, 2, { says: () => 'rewritten' })))
    sweep(at)
    const { before, after } = restored(at)
    expect(after.equals(before)).toBe(true)
  })

  it('leaves secrets out wherever they are', () => {
    const token = `ghp_${'a1B2c3D4'.repeat(5)}`.slice(0, 40)
    const at = swept({
      [transcript]: [
        ...claudeSession(session, 1, { says: () => `use ${token} to push` }),
        { type: 'a-type-of-the-future', note: `also ${token} here` },
      ],
    })
    const { after } = restored(at)
    expect(after.toString()).not.toContain(token)
    expect(after.toString().match(/\[secret: /g)!.length).toBeGreaterThan(1)
    for (const file of readdirSync(join(at.store, 'bodies'), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.zst')) expect(readFileSync(join(at.store, 'bodies', file)).includes(token)).toBe(false)
  })

  it('leaves out what a file of secrets holds, also where no event has it', () => {
    const [prompt, ...rest] = claudeSession(session, 1)
    const read = (id: string, content: object) => ({ ...(prompt as object), uuid: id, ...content })
    const records = [
      prompt!,
      read('call-1', {
        type: 'assistant',
        message: {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/home/dev/app/.env' } }],
        },
      }),
      read('result-1', {
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '     1→TOOL_CODE=walnut-77-harbour\n' }],
        },
        toolUseResult: { file: { filePath: '/home/dev/app/.env', content: 'TOOL_CODE=walnut-77-harbour\n' } },
      }),
      ...rest,
    ]
    const at = swept({ [transcript]: records })
    expect(restored(at).after.toString()).not.toContain('walnut-77-harbour')
  })

  it('writes what stands beside the transcript of a subagent again', () => {
    const folder = `.claude/projects/-home-dev-app/${session}/subagents`
    const token = `ghp_${'a1B2c3D4'.repeat(5)}`.slice(0, 40)
    const meta = (words: string) => JSON.stringify({ agentType: 'Explore', description: words, toolUseId: 'toolu_1' })
    const subagent = claudeSession(session, 1).map((record) => ({ ...record, isSidechain: true, agentId: 'k7' }))
    const at = swept({
      [transcript]: claudeSession(session, 1),
      [`${folder}/agent-k7.jsonl`]: subagent.map((record) => ({
        ...record,
        uuid: `${'uuid' in record && record.uuid}-k7`,
      })),
      [`${folder}/agent-k7.meta.json`]: meta(`Push with ${token}`),
    })
    rmSync(join(at.home, '.claude'), { recursive: true })
    expect(recollect(at, 'restore', session, '--json').json().others).toHaveLength(2)
    expect(existsSync(join(at.home, folder, 'agent-k7.jsonl'))).toBe(true)
    const { description, ...rest } = JSON.parse(readFileSync(join(at.home, folder, 'agent-k7.meta.json'), 'utf8'))
    expect(rest).toEqual({ agentType: 'Explore', toolUseId: 'toolu_1' })
    expect(description).toMatch(/^Push with \[secret: /)
    sweep(at)
    expect(recollect(at, 'sweep', '--full').status).toBe(0)
    rmSync(join(at.home, '.claude'), { recursive: true })
    expect(recollect(at, 'restore', session, '--json').json().others).toHaveLength(2)
  })

  it('never replaces a file', () => {
    const at = swept({ [transcript]: claudeSession(session, 1) })
    expect(recollect(at, 'restore', session)).toMatchObject({
      status: 1,
      err: expect.stringContaining('exists already'),
    })
    const out = join(at.root, 'mine.jsonl')
    writeFileSync(out, 'mine')
    expect(recollect(at, 'restore', session, '--out', out).status).toBe(1)
    expect(readFileSync(out, 'utf8')).toBe('mine')
    const other = join(at.root, 'new.jsonl')
    expect(recollect(at, 'restore', session, '--out', other).status).toBe(0)
    expect(readFileSync(other).equals(readFileSync(join(at.home, transcript)))).toBe(true)
  })

  it('says what it cannot restore, and what to do instead', () => {
    const at = swept({})
    cpSync(join(import.meta.dirname, 'agents/fixtures/opencode/home'), at.home, { recursive: true })
    sweep(at)
    const [{ id }] = recollect(at, 'sessions', '--agent', 'opencode', '--json').json()
    expect(recollect(at, 'restore', id)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/is not kept: [\s\S]*recollect handoff \S+ --to <agent>/),
    })
  })

  it('is told about deleted sessions: nothing of them is left to restore', () => {
    const at = swept({ [transcript]: claudeSession(session, 1) })
    expect(recollect(at, 'delete', session, '--yes').status).toBe(0)
    expect(recollect(at, 'restore', session).status).toBe(1)
    expect(recollect(at, 'undo').status).toBe(0)
    expect(restored(at).after.length).toBeGreaterThan(0)
  })
})

describe('transcripts of the other agents that write lines', () => {
  it('codex: its list of sessions is not taken for a transcript', () => {
    const thread = '019f0000-0000-7000-8000-000000000001'
    const rollout = `.codex/sessions/2026/09/01/rollout-2026-09-01T10-00-00-${thread}.jsonl`
    const at = place({ '.codex/session_index.jsonl': [{ id: thread, thread_name: 'the name' }] })
    places.push(at)
    const file = join(at.home, rollout)
    mkdirSync(dirname(file), { recursive: true })
    const meta = { timestamp: '2026-09-01T10:00:00Z', type: 'session_meta', payload: { id: thread, cwd: '/home/dev' } }
    const text = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }
    writeFileSync(file, lines([meta, { timestamp: '2026-09-01T10:00:01Z', type: 'response_item', payload: text }]))
    sweep(at)
    expect(recollect(at, 'show', thread, '--json').json().session).toMatchObject({
      title: 'the name',
      transcript: { path: file },
    })
    const { before, after } = restored(at, rollout, thread)
    expect(after.equals(before)).toBe(true)
  })

  it.each(['codex', 'qwen-code', 'copilot-cli', 'pi', 'droid', 'kimi', 'antigravity'])(
    '%s: every one is restored',
    (agent) => {
      const at = swept({})
      cpSync(join(import.meta.dirname, 'agents/fixtures', agent, 'home'), at.home, { recursive: true })
      sweep(at)
      const sessions = recollect(at, 'sessions', '--agent', agent, '--all', '--json').json() as { id: string }[]
      const contents = new Map<string, Buffer>()
      for (const { id } of sessions) {
        const { transcript: file } = recollect(at, 'show', id, '--json').json().session
        if (file?.path.endsWith('.jsonl') && existsSync(file.path)) contents.set(file.path, readFileSync(file.path))
      }
      expect(contents.size).toBeGreaterThan(0)
      for (const path of contents.keys()) rmSync(path)
      for (const { id } of sessions) recollect(at, 'restore', id)
      for (const [path, content] of contents) {
        const same = lastWholeLine(content)
        expect(readFileSync(path).subarray(0, same.length).toString(), path).toBe(
          redactedLike(same, readFileSync(path)),
        )
      }
    },
  )
})

/** An unfinished last line is not captured yet. */
function lastWholeLine(content: Buffer): Buffer {
  return content.subarray(0, content.lastIndexOf(10) + 1)
}

/** Fixtures hold made-up secrets; then only the beginning can be compared. */
function redactedLike(content: Buffer, restored: Buffer): string {
  return restored.includes('[secret: ') ? restored.subarray(0, content.length).toString() : content.toString()
}

describe('a killed restore', () => {
  it('leaves a whole file or none, and nothing once it is run again', async () => {
    const at = swept({ [transcript]: claudeSession(session, 60, { padding: 5000 }) })
    const file = join(at.home, transcript)
    const content = readFileSync(file)
    const random = randomNumbers()
    rmSync(file)
    const begun = performance.now()
    expect(await exited(start(at, 'restore', session))).toBe(0)
    const fullMs = performance.now() - begun
    for (let trial = 0; trial < scaled(2, 60); trial++) {
      rmSync(file, { force: true })
      await killAfter(start(at, 'restore', session), fullMs * (0.3 + 0.7 * random()))
      if (existsSync(file)) expect(readFileSync(file).equals(content)).toBe(true)
      expect(readdirSync(dirname(file)).filter((name) => name !== `${session}.jsonl`)).toEqual([])
    }
    rmSync(file, { force: true })
    expect(recollect(at, 'restore', session).status).toBe(0)
    expect(readdirSync(join(at.store, 'run')).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('recollect resume', () => {
  /** A program that stands for the agent and writes down how it was started. */
  function withAgent(at: Place, name: string): string {
    const log = join(at.root, 'started')
    const program = join(at.root, 'bin', name)
    mkdirSync(dirname(program), { recursive: true })
    writeFileSync(program, `#!/bin/sh\necho "$PWD $*" >'${log}'\n`)
    chmodSync(program, 0o755)
    at.env.PATH = `${dirname(program)}:${process.env.PATH}`
    return log
  }

  function sessionIn(at: Place, folder: string, says = 'fix the flaky login test') {
    mkdirSync(folder, { recursive: true })
    const records = claudeSession(session, 2, { says: () => says }).map((record) => ({ ...record, cwd: folder }))
    const file = join(at.home, transcript)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, lines(records))
    sweep(at)
  }

  it('restores the transcript, and starts the agent in the folder of the session', async () => {
    const at = swept({})
    const folder = join(at.root, 'app')
    sessionIn(at, folder)
    const log = withAgent(at, 'claude')
    rmSync(join(at.home, transcript))
    expect(await exited(start(at, 'resume', session))).toBe(0)
    expect(readFileSync(log, 'utf8')).toBe(`${folder} --resume ${session}\n`)
    expect(existsSync(join(at.home, transcript))).toBe(true)
    expect(statSync(join(at.home, transcript)).mtimeMs).toBeLessThan(Date.now() - 86_400_000)
  })

  it('finds it by words, and prints the command', () => {
    const at = swept({})
    const folder = join(at.root, "it's app")
    sessionIn(at, folder)
    const run = recollect(at, 'resume', 'flaky', 'login', 'test', '--print')
    expect(run.out).toBe(`cd '${join(at.root, `it'"'"'s app`)}' && claude --resume ${session}\n`)
    const file = join(at.home, transcript)
    rmSync(file)
    expect(recollect(at, 'resume', session, '--print').err).toContain(`Restored ${file}`)
    rmSync(file)
    expect(recollect(at, 'resume', session, '--json').json()).toMatchObject({ restored: file })
    expect(recollect(at, 'resume', 'zeppelin', 'harbour', '--print')).toMatchObject({
      status: 1,
      err: expect.stringContaining('No session matches'),
    })
  })

  it('never starts an agent with an option that a transcript names as its id', async () => {
    const option = '--dangerously-skip-permissions'
    const at = swept({})
    const folder = join(at.root, "a'; touch owned; '")
    mkdirSync(folder, { recursive: true })
    const records = claudeSession(option, 2, { says: () => 'fix the flaky login test' })
    const file = join(at.home, dirname(transcript), `${option}.jsonl`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, lines(records.map((record) => ({ ...record, cwd: folder }))))
    sweep(at)
    const log = withAgent(at, 'claude')
    const [{ id }] = recollect(at, 'sessions', '--json').json()
    expect(id).toMatch(/^claude-code:_--dangerously-skip-permissions~[0-9a-f]{12}$/)
    for (const wanted of [id, option.slice(2), 'flaky login test'])
      expect(recollect(at, 'resume', wanted)).toMatchObject({ status: 1, out: '' })
    expect(existsSync(log)).toBe(false)
    const handoff = recollect(at, 'handoff', id, '--to', 'codex')
    expect(handoff.out).toMatch(/^cd '.*' && codex resume [0-9a-f-]{36}\n$/)
    expect(execFileSync('sh', ['-c', `${handoff.out.replace(/codex resume.*\n/, 'pwd')}`], { encoding: 'utf8' })).toBe(
      `${folder}\n`,
    )
  })

  it('says that the folder is gone', async () => {
    const at = swept({})
    const folder = join(at.root, 'app')
    sessionIn(at, folder)
    rmSync(folder, { recursive: true })
    expect(recollect(at, 'resume', session)).toMatchObject({
      status: 1,
      err: expect.stringContaining('The folder of the session is gone'),
    })
  })
})
