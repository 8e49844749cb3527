// What is exported, from a ledger and a vault that hold text which tries to be more than text.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleMemory } from '../../test/sample-memory.ts'
import { layoutOf, makeHome } from '../core/paths.ts'
import { zoneOf } from '../core/units.ts'
import { projectFolder } from '../core/vault/files.ts'
import type { Memory } from '../memory/memory.ts'
import { type Ledger, openLedger } from '../store/ledger.ts'
import { changeMemories } from '../store/memories/changes.ts'
import { exportTo } from './export.ts'
import type { ExportFormat } from './export-data.ts'

const project = '/home/dev/app'
const script = '<script>alert("x")</script>'

let root: string
let ledger: Ledger
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-export-'))
  const layout = layoutOf(join(root, 'store'))
  makeHome(layout)
  ledger = openLedger(layout)
  const change = { at: '2026-09-01T10:00:00.000Z', kind: 'learned' as const, about: 'a test' }
  ledger.transaction(() =>
    changeMemories(ledger, change, [
      memory('m-1111111111', `Never ${script} here.`, { links: ['see-also m-2222222222'] }),
      memory('m-2222222222', 'It was so once.', {
        supersededBy: 'm-1111111111',
        supersededAt: '2026-09-01T10:00:00.000Z',
      }),
      memory('m-3333333333', 'Forgotten secret.', { state: 'forgotten' }),
    ]),
  )
  put(
    'wiki/concepts/retries',
    `---\ntitle: "Retries ${script.replaceAll('"', "'")}"\nproject: "${project}"\nupdated: 2026-09-01\n---\n\n# Retries\n\nSee [[wiki/concepts/uploads|Uploads]] and [[journal/2026-09-01|that day]]. ${script}\n`,
  )
  put('wiki/concepts/uploads', '---\ntitle: "Uploads"\n---\n\n# Uploads\n\nAlone.\n')
  put('wiki/connections/odd', '---\ntitle: [\n---\n\n# An odd one\n\n[[uploads]], [[retries]]\n')
  put('journal/2026-09-01', '# Tuesday, 2026-09-01\n\n## Sessions\n\nMy own words.\n')
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true, force: true })
})

function put(path: string, text: string): void {
  const file = join(ledger.layout.vault, `${path}.md`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function memory(id: string, text: string, more: Partial<Memory> = {}): Memory {
  const at = '2026-09-01T10:00:00.000Z'
  return sampleMemory({
    id,
    project,
    text,
    evidence: [{ session: 'claude-code:s0', event: 'e1', quote: text }],
    at,
    ...more,
  })
}

const zone = zoneOf('UTC')

async function exported(format: ExportFormat): Promise<Record<string, string>> {
  const folder = join(root, format)
  await exportTo(ledger, { format, folder, zone })
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  const files = paths.filter((path) => /\.(?:html|md|jsonl)$/.test(path))
  return Object.fromEntries(files.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

describe.each(['html', 'json', 'markdown'] as const)('as %s', (format) => {
  it('redacts secrets that a person wrote into the vault', async () => {
    const token = `ghp_${'aB3'.repeat(12)}`
    put('wiki/concepts/uploads', `---\ntitle: "Uploads"\naliases: ["${token}"]\n---\n\n# Uploads\n\nWith ${token}.\n`)
    put('journal/2026-09-01', `# Tuesday, 2026-09-01\n\nI used ${token}.\n`)
    const all = Object.values(await exported(format)).join('\n')
    expect(all).toContain('With [secret: github-token].')
    expect(all).not.toContain('aB3aB3')
  })

  it('does not follow symbolic links out of the vault', async () => {
    writeFileSync(join(root, 'outside.md'), '# Outside\n\nNobody may know.\n')
    for (const path of ['journal/2026-09-02', 'wiki/concepts/outside'])
      symlinkSync(join(root, 'outside.md'), join(ledger.layout.vault, `${path}.md`))
    expect(Object.values(await exported(format)).join('\n')).not.toContain('Nobody may know')
  })
})

const memoryPage = `memory/${projectFolder(project)}.html`

describe('HTML export', () => {
  it('has a page for each article, each day and the memories of each project', async () =>
    expect(Object.keys(await exported('html'))).toEqual([
      'index.html',
      'journal/2026-09-01.html',
      memoryPage,
      'wiki/concepts/retries.html',
      'wiki/concepts/uploads.html',
      'wiki/connections/odd.html',
    ]))

  it('loads nothing and runs only its own search script', async () => {
    for (const [path, page] of Object.entries(await exported('html'))) {
      expect(page.match(/<script[\s>]/g) ?? [], path).toHaveLength(path === 'index.html' ? 1 : 0)
      expect(page).not.toMatch(/<(?:link|img|iframe|object|embed|form)[\s>]|\son[a-z]+=|url\(|@import/)
      expect(page).toContain("default-src 'none'")
    }
  })

  it('shows what looks like HTML as text', async () => {
    const site = await exported('html')
    expect(site[memoryPage]).toContain('Never &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; here.')
    expect(site['wiki/concepts/retries.html']).toContain('<h1>Retries &lt;script&gt;')
    expect(site['index.html']).toContain('>Retries &lt;script&gt;')
  })

  it('has links and backlinks', async () => {
    const site = await exported('html')
    expect(site['wiki/concepts/retries.html']).toContain('<a href="uploads.html">Uploads</a>')
    expect(site['wiki/concepts/retries.html']).toContain('<a href="../../journal/2026-09-01.html">that day</a>')
    const linked = site['wiki/concepts/uploads.html']!.split('Linked from</h2>')[1]
    expect(linked).toContain('href="retries.html"')
    expect(linked).toContain('href="../connections/odd.html"')
    expect(site['journal/2026-09-01.html']!.split('Articles from this day</h2>')[1]).toContain(
      'href="../wiki/concepts/retries.html"',
    )
  })

  it('draws the graph and separates superseded memories', async () => {
    const site = await exported('html')
    expect(site['index.html']!.match(/<circle /g)).toHaveLength(3)
    expect(site['index.html']!.match(/<line /g)).toHaveLength(3)
    expect(site[memoryPage]!.split('Former</h2>')[1]).toContain('It was so once.')
    expect(site[memoryPage]).not.toContain('Forgotten secret')
  })

  it('is identical if nothing has changed', async () => {
    await exported('html')
    expect(await exportTo(ledger, { format: 'html', folder: join(root, 'html'), zone })).toMatchObject({
      written: 0,
      removed: 0,
      left: [],
    })
  })
})

describe('JSON export', () => {
  it('contains memories, articles and days', async () => {
    const { 'recollect.jsonl': text } = await exported('json')
    const lines = text!
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ kind }) => kind)).toEqual([
      'export',
      'memory',
      'memory',
      'article',
      'article',
      'article',
      'day',
    ])
    expect(lines[0]).toEqual({ kind: 'export', schema: 1, memories: 2, articles: 3, days: 1 })
    expect(lines).toContainEqual(
      expect.objectContaining({
        kind: 'memory',
        memoryKind: 'decision',
        id: 'm-1111111111',
        trust: 'user said',
        links: ['see-also m-2222222222'],
      }),
    )
    expect(lines).toContainEqual(
      expect.objectContaining({ kind: 'article', path: 'wiki/connections/odd', problem: expect.any(String) }),
    )
    expect(text).not.toContain('Forgotten secret')
  })
})

describe('Markdown export', () => {
  it('has links between files', async () => {
    const files = await exported('markdown')
    expect(files['wiki/concepts/retries.md']).toContain(
      'See [Uploads](uploads.md) and [that day](../../journal/2026-09-01.md)',
    )
    expect(files['wiki/connections/odd.md']).toContain('[uploads](../concepts/uploads.md)')
    expect(files['journal/2026-09-01.md']).toContain('My own words.')
  })
})
