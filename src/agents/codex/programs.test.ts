// Programs that call tools, a few lines of a rollout each: their calls become events, once, whatever else reports them.
import { describe, expect, it } from 'vitest'
import type { Event, Json } from '../../core/session.ts'
import { openRollout } from './reader.ts'

describe('a program', () => {
  it('is read as the call it makes', () => {
    const events = read([
      program('const r = await tools.exec_command({"cmd":"npm test","workdir":"/w"}); text(JSON.stringify(r))'),
      output(['{"exit_code":1,"output":"2 passing\\n1 failing\\n"}']),
    ])
    expect(events).toMatchObject([
      { kind: 'tool_call', tool: 'exec_command', input: { cmd: 'npm test', workdir: '/w' }, call: 'c1' },
      { kind: 'test_run', call: 'c1', exit: 1, error: 'failed', tests: { passed: 2, failed: 1 } },
    ])
  })

  it('gives each call its part of the output', () => {
    const events = read([
      program(`const all = await Promise.all([tools.exec_command({cmd:"ls"}), tools.exec_command({cmd:"pwd"})]);
        for (const r of all) text(r.output)`),
      output(['a.ts\n', '/w\n']),
    ])
    expect(events.map(line)).toEqual([
      'tool_call c1/1 exec_command',
      'tool_call c1/2 exec_command',
      'tool_result c1/1 a.ts',
      'tool_result c1/2 /w',
    ])
  })

  it('keeps events of its own if it makes calls that cannot be read', () => {
    const events = read([
      program(
        'await tools.exec_command({cmd:"ls"}); for (const f of load("files")) await tools.exec_command({cmd: f})',
      ),
      output(['x\n']),
    ])
    expect(events.map(line)).toEqual([
      'tool_call c1 exec',
      'tool_call c1/1 exec_command',
      'tool_result c1 Script completed',
    ])
  })

  it('is counted once beside reports of its calls, which know the exit code', () => {
    const events = read([
      program('const r = await tools.exec_command({cmd:"npm test"}); text(r.output)'),
      report(1, ['/bin/zsh', '-lc', 'npm test'], 'no tests\n', 1),
      report(2, ['/bin/zsh', '-lc', 'something else'], 'x', 0),
      output(['no tests\n']),
    ])
    expect(events.map(line)).toEqual([
      'tool_call c1 exec_command',
      'test_run c1 no tests',
      'tool_call exec-00000002-0000 exec_command',
      'tool_result exec-00000002-0000 x',
    ])
    expect(events[1]).toMatchObject({ exit: 1, error: 'failed' })
    expect(events[2]?.input).toMatchObject({ workdir: '/w' })
  })

  it('says nothing of a check whose exit code is lost', () => {
    const events = read([
      program('const r = await tools.exec_command({cmd:"npm test"}); text(r.output)'),
      output(['Done.\n']),
    ])
    expect(events.map(line)).toEqual(['tool_call c1 exec_command', 'tool_result undefined Done.'])
  })

  const patch = '*** Begin Patch\\n*** Update File: a.ts\\n@@\\n-x\\n+y\\n+z\\n*** End Patch'

  it('edits the files of a patch', () => {
    const events = read([program(`const patch = "${patch}"; text(await tools.apply_patch(patch))`), output(['{}'])])
    expect(events.at(-1)).toMatchObject({
      kind: 'edit',
      call: 'c1',
      files: [{ path: '/w/a.ts', change: 'update', added: 2, removed: 1 }],
    })
  })

  it('edits the files once that a patch was reported to change', () => {
    const changes = { '/w/a.ts': { type: 'update', unified_diff: '@@\n-x\n+y\n' } }
    const end = event({
      type: 'patch_apply_end',
      call_id: 'exec-00000001-0000',
      success: true,
      status: 'completed',
      changes,
    })
    const events = read([program(`await tools.apply_patch("${patch}")`), end, output([])])
    expect(events.filter(({ kind }) => kind === 'edit')).toMatchObject([{ call: 'c1', files: [{ added: 1 }] }])
    expect(events.map(({ call }) => call)).toEqual(['c1', 'c1', 'c1'])
  })

  it('does not edit the files of a patch that failed', () => {
    const events = read([
      program(`text(await tools.apply_patch("${patch}"))`),
      output(['Script error:\napply_patch verification failed: no lines'], 'Script failed'),
    ])
    expect(events.map(line)).toEqual(['tool_call c1 apply_patch', 'tool_result c1 Script error:'])
    expect(events[1]?.error).toBe('failed')
  })

  it('ends when it was waited for', () => {
    const events = read([
      program('const r = await tools.exec_command({cmd:"npm test"}); text(JSON.stringify(r))'),
      output([], 'Script running with cell ID 7'),
      item({ type: 'function_call', name: 'wait', arguments: '{"cell_id":"7"}', call_id: 'w1' }),
      output(['{"exit_code":0,"output":"5 passing\\n"}'], 'Script completed', 'w1'),
    ])
    expect(events.map(line)).toEqual([
      'tool_call c1 exec_command',
      'tool_call w1 wait',
      'tool_result w1 Script completed',
      'test_run c1 5 passing',
    ])
  })

  it('has the end of a command that was seen running', () => {
    const events = read([
      program('const r = await tools.exec_command({cmd:"npm test"}); text(JSON.stringify(r))'),
      output(['{"session_id":5,"output":""}']),
      report(1, ['/bin/zsh', '-lc', 'npm test'], '5 passing\n', 0),
    ])
    expect(events.map(line)).toEqual([
      'tool_call c1 exec_command',
      'tool_result c1 Process running with session ID 5',
      'test_run c1 5 passing',
    ])
    expect(new Set(events.map(({ key }) => key)).size).toBe(3)
  })

  it('fails after its calls', () => {
    const events = read([
      program('const r = await tools.exec_command({cmd:"ls"}); text(JSON.stringify(r)); nothing()'),
      output(['{"exit_code":0,"output":"a.ts\\n"}', 'Script error:\nReferenceError: nothing'], 'Script failed'),
    ])
    expect(events.map(line)).toEqual([
      'tool_call c1 exec_command',
      'tool_result undefined Script error:',
      'tool_result c1 a.ts',
    ])
    expect(events.map(({ error }) => error)).toEqual([undefined, 'failed', undefined])
  })
})

function line({ kind, call, tool, text }: Event): string {
  return `${kind} ${call} ${kind === 'tool_call' ? tool : text.split('\n')[0]}`
}

function item(payload: Record<string, Json>): Record<string, Json> {
  return { timestamp: '2026-10-01T08:00:00.000Z', type: 'response_item', payload }
}

function event(payload: Record<string, Json>): Record<string, Json> {
  return { timestamp: '2026-10-01T08:00:00.000Z', type: 'event_msg', payload }
}

function program(input: string): Record<string, Json> {
  return item({ type: 'custom_tool_call', name: 'exec', call_id: 'c1', input })
}

function output(parts: string[], state = 'Script completed', call = 'c1'): Record<string, Json> {
  const texts = [`${state}\nWall time 0.1 seconds\nOutput:\n`, ...parts]
  return item({
    type: 'custom_tool_call_output',
    call_id: call,
    output: texts.map((text) => ({ type: 'input_text', text })),
  })
}

function report(id: number, command: string[], printed: string, exit: number): Record<string, Json> {
  return event({
    type: 'item_completed',
    item: {
      ...{ type: 'CommandExecution', id: `exec-0000000${id}-0000`, command, cwd: 'file:///w', exit_code: exit },
      ...{ status: exit === 0 ? 'completed' : 'failed', aggregated_output: printed },
    },
  })
}

/** Reads every line with the state that the line before left, as sweeps of a growing file would. */
function read(lines: Record<string, Json>[]): Event[] {
  const events: Event[] = []
  const session = { about: () => {}, event: (e: Event) => events.push(e), usage: () => {} }
  const out = {
    session: () => session,
    isFull: () => false,
    problem: () => {},
    unknownType: () => {},
    rateLimits: () => {},
  }
  let state: Json | undefined
  const context = { timestamp: '2026-10-01T08:00:00.000Z', type: 'turn_context', payload: { cwd: '/w', turn_id: 't1' } }
  for (const record of [context, ...lines]) {
    const reader = openRollout('/home/mara/.codex/sessions/rollout-x.jsonl', out, state)
    reader.record(record, 0)
    state = JSON.parse(JSON.stringify(reader.state()))
  }
  return events
}
