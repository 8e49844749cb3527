// Hints: the model of a real client reads what made a failed command pass before, and what was decided about a file that it
// edits. Each is told once per session.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { type Answer, type Api, edit, run, serve, text } from './api.ts'
import { type Client, type Home, makeHome, removeHome, runClient } from './client.ts'
import { isInstalled } from './install-clients.ts'
import { sessions, settled } from './ledger.ts'

/** Made up: reports a value that is not a number, and a name that it does not know. */
const checker = `#!/bin/sh
status=0
for file in "$@"; do
  while read -r line; do
    case $line in
      'retries = many') echo "$file:1:11: The value of retries is not a number (numeric-value)" ;;
      'colour = '*) echo "$file:1:1: This setting belongs to the theme (misplaced-setting)" ;;
      *) continue ;;
    esac
    printf '\\t%s\\n' "$line"
    status=1
  done <"$file"
done
[ $status = 1 ] || echo '0 issues.'
exit $status
`
const error = 'src/queue.js:1:11: The value of retries is not a number (numeric-value)'
const check = run('./confcheck src/*.js')
const broken = 'retries = many'
const mended = 'retries = 5'
const decision = 'Never change the timeout in src/limits.js, the provider closes connections after 30 seconds.'

interface Hinted {
  client: Client
  /** A file of the project, as the model of this client names it in an edit. */
  path(at: Home, file: string): string
  events: string[]
}

const hinted: Hinted[] = [
  { client: claude, path: (at, file) => join(at.project, file), events: ['PostToolUseFailure', 'PreToolUse'] },
  { client: codex, path: (_, file) => file, events: ['PostToolUse', 'PreToolUse'] },
]

describe.each(hinted)('$client.name', ({ client, path, events }) => {
  let api: Api
  let at: Home
  beforeEach(async () => {
    api = await serve(client.protocol)
    at = makeHome(client, api.url)
    mkdirSync(join(at.project, 'src'))
    writeFileSync(join(at.project, 'confcheck'), checker)
    chmodSync(join(at.project, 'confcheck'), 0o755)
  })
  afterEach(async () => {
    await removeHome(at)
    await api.close()
  })

  it.skipIf(!isInstalled(client.name))('is told once per session what made the command pass before', async () => {
    install(true)
    await learn()
    put('retry.js', broken)
    await talk([check, check, text('It failed again.')])
    expect(told('fix')).toEqual([0, 1, 1])
    expect(hints('fix').at(-1)).toMatch(
      / failed before: The value of … is not a number …\. It passed after this edit of src\/queue\.js: - retries = many \+ retries = 5 /,
    )
    const [second] = await settled(client, at)
    await talk([check, text('And again.')], second!.id.slice(second!.id.indexOf(':') + 1))
    expect(told('fix')).toEqual([1, 1])
    await talk([check, text('In a new session.')])
    expect(told('fix')).toEqual([0, 1])
    await settled(client, at)
    expect(sessions(client, at)).toHaveLength(3)
    expect(sessions(client, at).join()).not.toContain('Recorded, as evidence')
  })

  it.skipIf(!isInstalled(client.name))('is told nothing about another failure, and about success', async () => {
    install(true)
    await learn()
    put('retry.js', 'colour = red')
    await talk([check, run('sh -c "echo The value of retries is not a number; exit 3"'), text('Two others.')])
    expect(told('fix')).toEqual([0, 0, 0])
    put('retry.js', mended)
    await talk([check, text('It passes.')])
    expect(told('fix')).toEqual([0, 0])
  })

  it.skipIf(!isInstalled(client.name))('is told what was decided about a file before it edits it', async () => {
    install(true)
    await talk([text('There are none yet.')])
    await decide()
    put('other.js', 'timeout = 10')
    await talk([
      edit(path(at, 'src/other.js'), 'timeout = 10', 'timeout = 20'),
      edit(path(at, 'src/limits.js'), 'timeout = 30', 'timeout = 40'),
      edit(path(at, 'src/limits.js'), 'timeout = 40', 'timeout = 50'),
      text('Edited.'),
    ])
    expect(told('memories')).toEqual([0, 0, 1, 1])
    expect(hints('memories').at(-1)).toContain(decision)
    expect(readFileSync(join(at.project, 'src/limits.js'), 'utf8'), 'the edits are made').toBe('timeout = 50\n')
  })

  it.skipIf(!isInstalled(client.name))('has no such hooks and is told nothing while the option is off', async () => {
    install(false)
    expect(subscribed()).toEqual([])
    await learn()
    await decide()
    put('retry.js', broken)
    await fail()
    install(true)
    expect(subscribed()).toEqual(events)
    await settled(client, at)
    await fail([0, 1, 1], [0, 0, 1])
    install(false)
    expect(subscribed()).toEqual([])
    await fail()
  })

  /** Session in which the known command fails and the file with a decision is edited. */
  async function fail(fixes = [0, 0, 0], memories = [0, 0, 0]): Promise<void> {
    put('limits.js', 'timeout = 30')
    await talk([check, edit(path(at, 'src/limits.js'), 'timeout = 30', 'timeout = 40'), text('Done.')])
    expect({ fixes: told('fix'), memories: told('memories') }).toEqual({ fixes, memories })
  }

  function install(isOn: boolean): void {
    mkdirSync(at.store, { recursive: true })
    writeFileSync(join(at.store, 'config.toml'), `[hooks]\nfix = ${isOn}\n`)
    expect(recollect(at, 'install', client.agent, '--yes', '--json').status).toBe(0)
  }

  /** The events whose hooks are for hints. */
  function subscribed(): string[] {
    const { hooks } = JSON.parse(readFileSync(join(at.home, client.hooksFile), 'utf8')) as { hooks: object }
    return Object.entries(hooks).flatMap(([event, groups]) =>
      / (?:failure|edit)"/.test(JSON.stringify(groups)) ? [event] : [],
    )
  }

  function put(file: string, line: string): void {
    writeFileSync(join(at.project, 'src', file), `${line}\n`)
  }

  /** A session in which the check fails, and passes after an edit. */
  async function learn(): Promise<void> {
    put('queue.js', broken)
    await talk([check, edit(path(at, 'src/queue.js'), broken, mended), check, text('It passes now.')])
    expect(told('fix')).toEqual([0, 0, 0, 0])
    await settled(client, at)
    const { status, out, err } = recollect(at, 'fix', error)
    expect({ status, err, out }).toMatchObject({ status: 0, out: expect.stringContaining(`+ ${mended}`) })
  }

  async function decide(): Promise<void> {
    put('limits.js', 'timeout = 30')
    await settled(client, at)
    expect(recollect(at, 'remember', decision, '--project', at.project).status).toBe(0)
    expect(recollect(at, 'why', join(at.project, 'src/limits.js')).out).toContain('Never change the timeout')
    await settled(client, at)
  }

  async function talk(answers: Answer[], resume?: string): Promise<void> {
    api.says(...answers)
    const ran = await runClient(client, at, api.url, 'Check the settings.', resume ? { resume } : {})
    expect(ran.status, ran.err).toBe(0)
  }

  /** The number of hints in each request of the conversation. */
  function told(source: string): number[] {
    return requests().map((request) => hintsIn(request, source).length)
  }

  function hints(source: string): string[] {
    return hintsIn(requests().at(-1)!, source)
  }

  function requests(): string[] {
    return api.asked.filter(({ purpose }) => purpose === 'main').map((asked) => asked.text)
  }
})

function hintsIn(request: string, source: string): string[] {
  const tag = new RegExp(`<recollect-evidence source=\\\\"${source}\\\\".*?</recollect-evidence>`, 'g')
  return request.match(tag) ?? []
}
