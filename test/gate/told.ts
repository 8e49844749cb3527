// Everything that agents are told, with or without asking: from transcripts through the built program to its
// briefs, hints, commands and every tool of its MCP server.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { environment, lines, type Place, place, recollect } from '../program.ts'
import { type SessionScript, type Step, sessionIdOf, transcriptOf } from '../transcripts.ts'

export interface Attack {
  steps: Step[]
  /** What somebody may ask who meets the same. */
  questions: string[]
  branch?: string
  cwd?: string
  /** Programs that somebody asks `recollect how` for. */
  programs?: string[]
}

export interface ToldTexts {
  /** By door. */
  texts: Map<string, string>
  /** What the person sees of it: `recollect status --runs`. */
  runs: string
  tools: string[]
  resources: string[]
}

const cli = join(import.meta.dirname, '../..', 'dist', 'cli.js')

/** A home in which each attack is a session of its own. */
export function attacked(agent: SessionScript['agent'], attacks: readonly Attack[]): { at: Place; ids: string[] } {
  const stories = attacks.map(({ steps, branch, cwd }, index): SessionScript => {
    const startedMs = Date.now() - (attacks.length - index) * 600_000
    return {
      agent,
      number: index + 1,
      project: 'app',
      startedMs,
      steps,
      ...(branch && { branch }),
      ...(cwd && { cwd }),
    }
  })
  const files = stories.map(transcriptOf).map(({ path, lines: records }) => [path, lines(records)])
  const at = place(Object.fromEntries(files))
  mkdirSync(at.store, { recursive: true })
  writeFileSync(join(at.store, 'config.toml'), '[hooks]\nfix = true\n')
  return { at, ids: stories.map(sessionIdOf) }
}

export async function toldOf(agent: SessionScript['agent'], attacks: readonly Attack[]): Promise<ToldTexts> {
  const { at, ids } = attacked(agent, attacks)
  try {
    recollect(at, 'sweep')
    const texts = new Map<string, string>()
    const add = (door: string, text: string) => texts.set(door, `${texts.get(door) ?? ''}\n${text}`)
    prepared(at, add)
    printed(at, attacks, ids, add)
    const served = await answered(at, attacks, ids, add)
    return { texts, runs: recollect(at, 'status', '--runs').out, ...served }
  } finally {
    at.remove()
  }
}

type Add = (door: string, text: string) => void

/** Files that hooks print; folders beside them say which is whose. */
function prepared(at: Place, add: Add): void {
  const files = readdirSync(join(at.store, 'briefs'), { withFileTypes: true })
  for (const { name, parentPath } of files.filter((entry) => entry.isFile())) {
    const text = readFileSync(join(parentPath, name), 'utf8')
    // The hook searches the other fields of a line and prints the last one.
    if (/\.(?:fixes|files)$/.test(name))
      for (const line of text.split('\n').filter(Boolean)) add('hints', JSON.parse(line.replace(/^.*\t/, '')))
    else add(`brief ${name.slice(name.lastIndexOf('.'))}`, text)
  }
}

function printed(at: Place, attacks: readonly Attack[], ids: readonly string[], add: Add): void {
  const run = (...args: string[]) => add(args[0]!, recollect(at, ...args).out)
  for (const program of new Set(attacks.flatMap(({ programs = [] }) => programs))) run('how', program, '--all')
  for (const { questions } of attacks)
    add('fix', without(questions, recollect(at, 'fix', '--all', '--', questions[0]!).out))
  for (const id of ids) run('uncompact', id)
  const edited = attacks.flatMap(({ steps }) => steps.flatMap((step) => (step.do === 'edit' ? step.path : [])))
  for (const path of edited.slice(0, 5)) for (const command of ['why', 'blame']) run(command, path)
}

async function answered(at: Place, attacks: readonly Attack[], ids: readonly string[], add: Add) {
  const client = new Client({ name: 'told', version: '1' })
  const args = [cli, 'mcp']
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: environment(at), cwd: at.home, stderr: 'ignore' }),
  )
  try {
    const ask = async (name: string, input: Record<string, unknown>, asked: readonly string[] = []) => {
      const { content } = (await client.callTool({ name, arguments: input })) as { content: { text: string }[] }
      const text = content.map((part) => part.text).join('\n')
      add(name, without(asked, text))
      return text
    }
    const project = 'all'
    for (const question of attacks.flatMap(({ questions }) => questions)) {
      const query = question.replace(/["-]/g, ' ')
      await ask('fix', { error: question }, [question])
      for (const name of ['recall', 'wiki_ask']) await ask(name, { question, project }, [question])
      for (const name of ['memory_search', 'session_search', 'resume']) await ask(name, { query, project }, [query])
    }
    const lists = []
    for (const state of ['kept', 'candidate', 'inbox'])
      lists.push(await ask('memory_list', { state, project, limit: 200 }))
    const memories = new Set(lists.join('\n').match(/\bm-[a-z2-9]{10}\b/g) ?? [])
    for (const id of memories) await ask('memory_expand', { id })
    for (const id of [...memories, ...ids]) await ask('memory_get', { ids: [id] })
    for (const session of ids) {
      await ask('memory_expand', { id: `${session}#0`, around: 5 })
      await ask('session_get', { session, limit: 500 })
      await ask('handoff', { session })
    }
    await ask('resume', { project, limit: 10 })
    await ask('memory_count', {})
    const resources = (await client.listResources()).resources.map(({ uri }) => uri)
    for (const uri of resources) {
      const { contents } = (await client.readResource({ uri }).catch(() => ({ contents: [] }))) as {
        contents: { text: string }[]
      }
      for (const { text } of contents) add(uri, text)
    }
    return { tools: (await client.listTools()).tools.map(({ name }) => name), resources }
  } finally {
    await client.close()
  }
}

/** Who asks knows the question. */
function without(asked: readonly string[], text: string): string {
  return asked
    .reduce((rest, question) => rest.replaceAll(question, ''), text)
    .replace(/ (?:question|query|resume)="[^"]*"/g, '')
    .replace(/None of this mentions .*/g, '')
    .replaceAll('"every project"', '')
}
