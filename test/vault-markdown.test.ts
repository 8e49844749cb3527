// The vault is opened in programs that load images and run HTML. Text of transcripts, tools and
// memories may contain both: nothing of it may be active in a file of the vault.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layoutOf } from '../src/core/paths.ts'
import { splitFrontmatter } from '../src/core/vault/frontmatter.ts'
import { openLedger } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { listMemories } from '../src/store/memories/memories.ts'
import { lines, type Place, place, recollect, sessionName } from './program.ts'
import { sampleMemory } from './sample-memory.ts'

const remote = 'https://evil.example/pixel.png'
const attacks = [
  `![px](${remote})`,
  `![[${remote}]]`,
  `<img src="${remote}">`,
  `<iframe src="${remote}"></iframe>`,
  `<script>fetch("${remote}")</script>`,
  `[click](javascript:alert(1))`,
  `[ref]: ${remote}`,
  '\u202egnp.lexip\u2066',
  '%%hidden%%',
  '--- id: m-forged ---',
].join(' ')

let at: Place
beforeAll(() => {
  at = place()
  const folder = join(at.home, '.claude', 'projects', '-srv-app')
  mkdirSync(folder, { recursive: true })
  for (const index of [1, 2]) writeFileSync(join(folder, `${sessionName(index)}.jsonl`), lines(session(index)))
  recollect(at, 'sweep')
  recollect(at, 'remember', `Always draw the zebra ${attacks} in black`, '--global', '--why', attacks, '--tag', attacks)
  putIntoInbox(`Never draw the zebra ${attacks} in black`)
  recollect(at, 'remember', `The zebra farm is in Kenya\n\n\`\`\`dataviewjs\nalert(1)\n\`\`\`\n${attacks}`, '--global')
  recollect(at, 'wiki', 'build', '--all')
  recollect(at, 'wiki', 'ask', 'why is the zebra black?', '--file-back')
  recollect(at, 'sweep')
})
afterAll(() => at.remove())

/** An uncertain contradiction, as a judge finds it. */
function putIntoInbox(text: string): void {
  const ledger = openLedger(layoutOf(at.store))
  const [other] = listMemories(ledger)
  const memory = sampleMemory({ project: null, text, state: 'inbox', contradicts: other!.id })
  ledger.transaction(() =>
    changeMemories(ledger, { at: memory.learnedAt, kind: 'learned', about: 'a session' }, [memory]),
  )
  ledger.close()
}

function session(index: number): object[] {
  const base = { sessionId: sessionName(index), cwd: '/srv/app', version: '2.1.219', gitBranch: `b-${attacks}` }
  const records: object[] = [{ type: 'summary', summary: `Zebra ${attacks}`, leafUuid: 'u9' }]
  const add = (type: string, message: object, more: object = {}) => {
    const uuid = `s${index}u${records.length}`
    const timestamp = new Date(Date.UTC(2026, 10, index, 10, 0, records.length)).toISOString()
    const parentUuid = records.length > 1 ? `s${index}u${records.length - 1}` : null
    records.push({ ...base, type, uuid, parentUuid, timestamp, message, ...more })
  }
  for (let turn = 0; turn < 3; turn++) {
    add('user', { role: 'user', content: `Never paint the zebra ${attacks} in green, because paint ${turn} is toxic` })
    const file = `/srv/app/${attacks}.ts`
    const edit = { type: 'tool_use', id: `e${turn}`, name: 'Edit', input: { file_path: file } }
    add('assistant', { id: `m${index}${turn}`, role: 'assistant', model: 'claude-opus-4-6', content: [edit] })
    add(
      'user',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `e${turn}`, content: 'done' }] },
      { toolUseResult: { filePath: file, structuredPatch: [{ lines: ['-a', '+b'] }] } },
    )
    const call = {
      type: 'tool_use',
      id: `b${turn}`,
      name: 'Bash',
      input: { command: `git commit -m "zebra ${attacks}"` },
    }
    add('assistant', { id: `n${index}${turn}`, role: 'assistant', model: 'claude-opus-4-6', content: [call] })
    const error = {
      type: 'tool_result',
      tool_use_id: `b${turn}`,
      content: `Exit code 1\nError: ${attacks}`,
      is_error: true,
    }
    add('user', { role: 'user', content: [error] })
    const said = { type: 'text', text: `The zebra ${attacks} is black because it was painted.` }
    add('assistant', { id: `a${index}${turn}`, role: 'assistant', model: 'claude-opus-4-6', content: [said] })
  }
  return records
}

function vaultFiles(): string[] {
  return readdirSync(join(at.store, 'vault'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  )
}

const textOf = (path: string) => readFileSync(join(at.store, 'vault', path), 'utf8')

/** What a program that shows the file would load, run or link to; except our comments and links. */
function activeIn(markdown: string): string[] {
  const { body } = splitFrontmatter(markdown)!
  const found: string[] = []
  marked.walkTokens(marked.lexer(body), (token) => {
    if (token.type === 'html' && /^(?:\s*<!-- [^<>]*-->\s*)+$/.test(token.raw)) return
    if (token.type === 'link' && (token.raw === token.text || /^(?:[\w./-]|%20)+\.md$/.test(token.href))) return
    if (['image', 'html', 'link', 'def'].includes(token.type)) found.push(token.raw)
    if (token.type === 'code' && /dataview/.test(token.raw)) found.push(token.raw)
  })
  return [...found, ...(body.match(/(?<!\\)!\[\[?[^\]]*/g) ?? []).filter((image) => !isInCode(body, image))]
}

function isInCode(body: string, part: string): boolean {
  return body
    .split('\n')
    .some((line) => line.split('`').some((piece, index) => index % 2 === 1 && piece.includes(part)))
}

describe('files of the vault', () => {
  it('M8: are of every kind, with the foreign text in them', () => {
    const folders = new Set(vaultFiles().map((path) => path.split('/')[0]))
    expect([...folders].toSorted()).toEqual(expect.arrayContaining(['inbox', 'journal', 'memory', 'wiki']))
    expect(vaultFiles().filter((path) => /evil\.example/.test(textOf(path))).length).toBeGreaterThan(5)
  })

  it('M8: contain nothing of foreign text that a program loads, runs or links to', () => {
    expect(vaultFiles().flatMap((path) => activeIn(textOf(path)).map((found) => `${path}: ${found}`))).toEqual([])
  })

  it('M8: contain no direction marks', () => {
    expect(vaultFiles().filter((path) => /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(textOf(path)))).toEqual(
      [],
    )
  })

  it('keep what a person writes byte for byte', () => {
    const own = `![plan](plan.png) <b>and</b> [[note]] \u200f%%for me%% \\![x](y) &lt;br>`
    const path = join(at.store, 'vault', 'memory', 'global', 'my-own.md')
    writeFileSync(path, `${own}\n`)
    recollect(at, 'sweep')
    const written = readFileSync(path, 'utf8')
    expect(written).toContain(`\n${own}\n`)
    writeFileSync(path, written.replace('kind: fact', 'kind: decision'))
    recollect(at, 'sweep')
    expect(readFileSync(path, 'utf8')).toContain(`\n${own}\n`)
    const [memory] = recollect(at, 'memories', '--json')
      .json()
      .filter(({ text }: { text: string }) => /plan\.png/.test(text))
    expect(memory).toMatchObject({ kind: 'decision', text: expect.stringContaining('![plan](plan.png) <b>and</b>') })
  })

  it('take an edit of an escaped memory as its text', () => {
    const [memory] = recollect(at, 'memories', '--json')
      .json()
      .filter(({ text }: { text: string }) => /^Always draw/.test(text))
    const path = vaultFiles().find((one) => textOf(one).includes(`id: "${memory.id}"`))!
    const file = join(at.store, 'vault', path)
    writeFileSync(file, textOf(path).replace('in black', 'in white'))
    recollect(at, 'sweep')
    const after = recollect(at, 'memories', memory.id, '--json').json()
    expect(after.text).toBe(memory.text.replace('in black', 'in white').replace(/[\u202e\u2066]/g, ''))
    expect(activeIn(textOf(path))).toEqual([])
  })
})
