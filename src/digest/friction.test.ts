import { describe, expect, it } from 'vitest'
import type { Event, Json } from '../core/session.ts'
import { type Friction, foldFriction, newFriction } from './friction.ts'

type EventInput = Partial<Event> & Pick<Event, 'kind'>

const call = (name: string, input: Json, result: Partial<Event> = {}): EventInput[] => {
  const id = JSON.stringify(input)
  return [
    { kind: 'tool_call', tool: name, call: id, input },
    { kind: 'tool_result', tool: name, call: id, ...result },
  ]
}
const failed = (text: string) => ({ text, error: 'failed' as const })
const run = (command: string, result?: Partial<Event>) => call('Bash', { command }, result)
const read = (path: string) => call('Read', { file_path: path })
const edit = (path: string, result?: Partial<Event>) => [
  ...call('Edit', { file_path: path }, result),
  ...(result ? [] : [{ kind: 'edit' as const, files: [{ path, change: 'update' as const }] }]),
]
const prompt = (text: string): EventInput => ({ kind: 'prompt', role: 'user', text })
const compaction: EventInput = { kind: 'compaction', role: 'system', text: 'compacted' }

function friction(...events: (EventInput | EventInput[])[]): Friction {
  const state = newFriction()
  for (const [seq, event] of events.flat().entries())
    foldFriction(state, { id: '', ts: null, role: 'assistant', text: '', seq, ...event })
  return state
}

describe('friction: retry storms', () => {
  const deploy = run('npm run deploy', failed('Error: locked'))

  it('counts three failures of the same call', () => {
    expect(friction(deploy, deploy, deploy, deploy).storms).toEqual([{ what: 'npm run deploy', times: 4, seq: 1 }])
  })

  it.each([
    ['a change in between', [deploy, deploy, ...edit('/a.ts'), deploy].flat()],
    ['a success in between', [deploy, deploy, run('npm run deploy'), deploy].flat()],
    ['looks that find nothing', [1, 2, 3].flatMap((word) => run(`rg word${word}`, failed('')))],
  ])('does not count %s', (_, events) => expect(friction(events).storms).toEqual([]))

  it('is attributed to all commands of a line', () => {
    const both = run('cd app && make fmt && make lint 2>&1 | tail -5', failed('lint: 3 issues'))
    expect(friction(both, both, both).storms).toMatchObject([{ what: 'make fmt && make lint', times: 3 }])
  })

  it('counts calls of one batch as one try', () => {
    const [asked, answered] = [deploy[0]!, deploy[1]!]
    const together = (one: number) => [
      { ...asked, call: `a${one}` },
      { ...asked, call: `b${one}` },
      { ...answered, call: `a${one}` },
      { ...answered, call: `b${one}` },
    ]
    expect(friction(together(1), together(2)).storms).toEqual([])
    expect(friction(together(1), together(2), together(3)).storms).toMatchObject([{ times: 3 }])
  })
})

describe('friction: recoveries', () => {
  it('records what was done before the success', () => {
    const state = friction(run('git push', failed('error: failed to push some refs')), run('git pull'), run('git push'))
    expect(state.recoveries).toMatchObject([{ by: 'git pull' }])
  })

  it('treats every inspecting command as read', () => {
    const missed = edit('/app/a.ts', failed('String to replace not found in file.'))
    for (const look of [read('/app/a.ts'), run('sed -n 1,20p /app/a.ts'), run('cat /app/a.ts | head')])
      expect(friction(read('/app/a.ts'), missed, look, edit('/app/a.ts')).recoveries).toMatchObject([{ by: 'read' }])
  })
})

describe('friction: edits of unread files', () => {
  const missed = failed('Failed to find expected lines')
  const patch = (path: string, result?: Partial<Event>) =>
    call('apply_patch', { input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch` }, result)

  it.each([
    ['one that was refused', edit('/a.ts', failed('File has not been read yet. Read it first.')), 1],
    ['one that failed, and nobody had looked', patch('/app/a.ts', missed), 1],
    ['none where it had been looked at', [...run('sed -n 1,9p src/a.ts'), ...patch('/app/src/a.ts', missed)], 0],
    ['none where the person named it', [prompt('look at src/a.ts'), ...patch('/app/src/a.ts', missed)], 0],
    ['none where it went well', patch('/app/a.ts'), 0],
  ])('counts %s', (_, events, count) => expect(friction(events).unread).toHaveLength(count))
})

describe('friction: compactions', () => {
  const files = ['/a/one.ts', '/a/two.ts', '/a/three.ts'].flatMap(read)

  it('records files that are read again right after it', () => {
    expect(friction(files, compaction, files).lost).toMatchObject([{ rereads: 3, isCorrected: false }])
  })

  it('records a correction right after it', () => {
    expect(friction(files, compaction, prompt('no, we wanted it without a cache')).lost).toMatchObject([
      { isCorrected: true },
    ])
  })

  it('ignores searches in the same folders', () => {
    const searches = ['/a/one', '/a/two', '/a/three'].flatMap((path) => call('Grep', { pattern: 'x', path }))
    expect(friction(searches, compaction, searches).lost).toEqual([])
  })

  it('ignores new and written files', () => {
    const write = run("cat > note.md <<'EOF'\none.ts two.ts three.ts\nEOF")
    expect(friction(files, compaction, ['/b/x.ts', '/b/y.ts', '/b/z.ts'].flatMap(read), write).lost).toEqual([])
  })
})

describe('friction: repeated calls', () => {
  it('counts repeated calls without a change in between', () => {
    const look = run('git status')
    expect(friction(look, look, look, look).thrash).toMatchObject([{ what: 'git status', times: 4 }])
    expect(friction(look, look, edit('/a.ts'), look, look).thrash).toEqual([])
    expect(friction(look, look, run('npm install'), look, look).thrash).toEqual([])
  })
})

describe('friction: stored state', () => {
  it('keeps the commands that change or check something', () => {
    const state = friction(
      run('cd app && rg -n foo | head'),
      run('git -C app status'),
      run('npm run lint 2>&1 | tail -5', failed('2 problems')),
      run('npm run lint'),
      run('git add -A && git commit -m "$(cat <<\'EOF\'\nfix: npm publish it\nEOF\n)"'),
    )
    expect(state.steps).toEqual(['!npm run lint', 'npm run lint', 'git add', 'git commit'])
  })

  it('is bounded for long sessions', () => {
    const events = Array.from({ length: 3000 }, (_, turn) => [
      ...read(`/home/dev/app/src/file${turn}.ts`),
      ...run(`make target${turn}`, failed(`error: number ${turn}`)),
      ...edit(`/home/dev/app/src/other${turn}.ts`),
      ...(turn % 100 === 0 ? [compaction] : []),
    ])
    expect(JSON.stringify(friction(...events)).length).toBeLessThan(8000)
  })

  it('is bounded for long lines and names', () => {
    const line = Array.from({ length: 500 }, (_, part) => `make target${part}`).join(' && ')
    const open = Array.from({ length: 30 }, (_, index) => [
      { kind: 'tool_call' as const, tool: 'Bash', call: `a${index}`, input: { command: `make ${index} && ${line}` } },
      { kind: 'tool_call' as const, tool: 'x'.repeat(5000), call: `b${index}`, input: {} },
    ])
    expect(JSON.stringify(friction(...open)).length).toBeLessThan(20_000)
  })

  it('continues after it was stored', () => {
    const deploy = run('npm run deploy', failed('Error: locked'))
    const first = JSON.parse(JSON.stringify(friction(deploy, deploy))) as Friction
    for (const [index, event] of deploy.entries())
      foldFriction(first, { id: '', ts: null, role: 'assistant', text: '', seq: 4 + index, ...event })
    expect(first.storms).toMatchObject([{ times: 3 }])
  })
})
