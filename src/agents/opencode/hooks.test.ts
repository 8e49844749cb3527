import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pluginHooks } from './hooks.ts'

describe('OpenCode plugin', () => {
  interface Plugin {
    event(input: { event: { type: string; properties?: object } }): Promise<void>
    'experimental.chat.system.transform'(input: { sessionID?: string }, output: { system: string[] }): Promise<void>
    'experimental.session.compacting'(input: { sessionID?: string }, output: { context: string[] }): Promise<void>
  }

  let home = ''
  let directory = ''
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'recollect-opencode-'))
    directory = join(home, 'app')
    mkdirSync(directory)
  })
  afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))

  it('runs the hook when a session starts, idles, is compacted or deleted, but not for subagents', async () => {
    const plugin = await load(answering('{"additionalContext":"what we know"}'))
    await plugin.event(created('ses_child', 'ses_1'))
    await plugin.event(about('session.idle', 'ses_child'))
    await plugin.event(created('ses_1'))
    for (const type of ['session.updated', 'session.idle', 'session.compacted'])
      await plugin.event(about(type, 'ses_1'))
    await plugin.event({ event: { type: 'session.deleted', properties: { info: { id: 'ses_1', directory } } } })
    const payload = (event: string) => ({ session_id: 'ses_1', cwd: directory, hook_event_name: event })
    await vi.waitFor(() => expect(sentEvents()).toHaveLength(5), { timeout: 20_000 })
    const expected: [string, object][] = [
      ...['session.compacted', 'session.created', 'session.deleted', 'session.idle'].map((event): [string, object] => [
        event,
        payload(event),
      ]),
      // The brief is requested again, with what the compaction dropped.
      ['session.created', { ...payload('session.created'), source: 'compact' }],
    ]
    expect(sentEvents()).toHaveLength(expected.length)
    expect(sentEvents()).toEqual(expect.arrayContaining(expected))
  })

  it('adds what the hook prints to the request for a summary, and nothing of a hook that prints nothing', async () => {
    const plugin = await load(answering('keep the port'))
    expect(await contextOf(plugin, 'ses_1')).toEqual(['keep the port'])
    expect(await contextOf(plugin, undefined)).toEqual([])
    expect(await contextOf(await load('exit 3'), 'ses_1')).toEqual([])
  })

  it('keeps its brief after a compaction if the hook has no other', async () => {
    const isCompacted = `grep -q '"source":"compact"' "${home}/$1.$$.sent"`
    const plugin = await load(`${isCompacted} || ${answering('{"additionalContext":"what we know"}')}`)
    await plugin.event(created('ses_1'))
    expect(await systemOf(plugin, 'ses_1')).toEqual(['You are OpenCode.', 'what we know'])
    await plugin.event(about('session.compacted', 'ses_1'))
    expect(await systemOf(plugin, 'ses_1')).toEqual(['You are OpenCode.', 'what we know'])
  })

  it('adds the brief to every system prompt and requests it once', async () => {
    const plugin = await load(answering('{"additionalContext":"what \\"we\\" know"}'))
    await plugin.event(created('ses_1'))
    expect(await systemOf(plugin, 'ses_1')).toEqual(['You are OpenCode.', 'what "we" know'])
    expect(await systemOf(plugin, 'ses_1')).toEqual(['You are OpenCode.', 'what "we" know'])
    expect(sentEvents()).toHaveLength(1)
  })

  it('requests the brief of a resumed session', async () => {
    const plugin = await load(answering('{"additionalContext":"what we know"}'))
    expect(await systemOf(plugin, 'ses_old')).toEqual(['You are OpenCode.', 'what we know'])
    expect(sentEvents()).toEqual([
      ['session.created', { session_id: 'ses_old', cwd: directory, hook_event_name: 'session.created' }],
    ])
  })

  it.each([
    ['has none', answering('')],
    ['says something else', answering('not JSON')],
    ['fails', 'exit 3'],
    ['is not there', undefined],
    ['is too slow', `sleep 3; ${answering('{"additionalContext":"late"}')}`],
  ])('does not change the prompt when the hook %s', async (_, script) => {
    const plugin = await load(script)
    await plugin.event(created('ses_1'))
    expect(await systemOf(plugin, 'ses_1')).toEqual(['You are OpenCode.'])
  })

  it('does not change prompts of subagents or without a session', async () => {
    const plugin = await load(answering('{"additionalContext":"what we know"}'))
    await plugin.event(created('ses_child', 'ses_1'))
    expect(await systemOf(plugin, 'ses_child')).toEqual(['You are OpenCode.'])
    expect(await systemOf(plugin, undefined)).toEqual(['You are OpenCode.'])
  })

  it('does not change the prompt for a title', async () => {
    const plugin = await load(answering('{"additionalContext":"what we know"}'))
    await plugin.event(created('ses_1'))
    const title = 'You are a title generator. You output ONLY a thread title. Nothing else.'
    expect(await systemOf(plugin, 'ses_1', title)).toEqual([title])
  })

  it('never throws: deleted folder, events of another shape', async () => {
    const plugin = await load(answering('{"additionalContext":"what we know"}'))
    rmSync(directory, { recursive: true })
    await plugin.event(created('ses_1'))
    await plugin.event(about('session.idle', 'ses_1'))
    await plugin.event({ event: { type: 'session.idle' } })
    expect(await systemOf(plugin, 'ses_1')).toEqual(['You are OpenCode.'])
  })

  /**
   * The plugin as OpenCode loads it, with a script in place of the hook: it stores what it receives
   * and goes on as given.
   */
  async function load(script: string | undefined): Promise<Plugin> {
    const hook = join(home, 'hook')
    const keep = `cat > "${home}/$1.$$.part" && mv "${home}/$1.$$.part" "${home}/$1.$$.sent"`
    if (script !== undefined) writeFileSync(hook, `#!/bin/sh\n${keep}\n${script}\n`, { mode: 0o700 })
    const machine = { home, env: {}, platform: process.platform }
    const folder = () => join(home, '.config', 'opencode')
    const [file] = pluginHooks(folder, folder).files(machine, (event) => `'${hook}' ${event} 2>/dev/null || true`)
    if (file?.kind !== 'own') throw new Error('no file of our own is planned')
    mkdirSync(dirname(file.path), { recursive: true })
    writeFileSync(file.path, file.content)
    const loaded = (await import(/* @vite-ignore */ pathToFileURL(file.path).href)) as object
    const [make] = Object.values(loaded) as ((input: { directory: string }) => Promise<Plugin>)[]
    expect(Object.keys(loaded)).toHaveLength(1)
    return make!({ directory })
  }

  function answering(answer: string): string {
    return `printf '%s\\n' '${answer}'`
  }

  function created(id: string, parentID?: string) {
    return { event: { type: 'session.created', properties: { info: { id, parentID, directory } } } }
  }

  function about(type: string, sessionID: string) {
    return { event: { type, properties: { sessionID } } }
  }

  async function systemOf(
    plugin: Plugin,
    sessionID: string | undefined,
    prompt = 'You are OpenCode.',
  ): Promise<string[]> {
    const output = { system: [prompt] }
    await plugin['experimental.chat.system.transform']({ sessionID }, output)
    return output.system
  }

  async function contextOf(plugin: Plugin, sessionID: string | undefined): Promise<string[]> {
    const output = { context: [] }
    await plugin['experimental.session.compacting']({ sessionID }, output)
    return output.context
  }

  /** What reached the hook, by the names of the events. */
  function sentEvents(): [string, unknown][] {
    const names = readdirSync(home).filter((name) => name.endsWith('.sent'))
    return names
      .sort()
      .map((name) => [name.replace(/\.\d+\.sent$/, ''), JSON.parse(readFileSync(join(home, name), 'utf8')) as unknown])
  }
})
