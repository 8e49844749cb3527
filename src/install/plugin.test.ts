import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pluginFiles } from './plugin.ts'

const hook = (agent: string) => ({
  hooks: { Stop: [{ hooks: [{ type: 'command', command: `hook ${agent} Stop` }] }] },
})
const plugin = 'recollect'
const files = new Map(
  pluginFiles({
    folder: plugin,
    version: '1.2.3',
    command: 'recollect',
    server: {
      command: '/usr/bin/node',
      args: ['/opt/recollect/cli.js', 'mcp'],
      env: { RECOLLECT_HOME: '/data/recollect' },
    },
    hooks: { claude: hook('claude-code'), codex: hook('codex') },
    origin: 'Made for a test.',
  }).map(({ path, content }) => [path, content]),
)
const read = (...path: string[]) => files.get(posix.join(...path))!
const json = (...path: string[]) => JSON.parse(read(...path))

describe('pluginFiles', () => {
  it('lists one plugin in the marketplace', () => {
    const market = json('.claude-plugin', 'marketplace.json')
    expect(market).toMatchObject({ name: 'recollect', owner: { name: expect.any(String) } })
    expect(market.plugins.map(({ name, source }: Record<string, string>) => [name, source])).toEqual([
      ['recollect', './recollect'],
    ])
    expect(json('.agents', 'plugins', 'marketplace.json').plugins).toMatchObject([
      { name: 'recollect', source: { source: 'local', path: './recollect' } },
    ])
  })

  it('has a manifest for each agent', () => {
    expect(json(plugin, '.claude-plugin', 'plugin.json')).toMatchObject({ name: 'recollect', version: '1.2.3' })
    const codex = json(plugin, '.codex-plugin', 'plugin.json')
    expect(codex).toMatchObject({ name: 'recollect', version: '1.2.3' })
    for (const part of [codex.mcpServers, codex.hooks]) expect([...files.keys()]).toContain(posix.join(plugin, part))
    expect([...files.keys()]).toContain(posix.join(plugin, codex.skills, 'earlier-sessions', 'SKILL.md'))
  })

  it('has the hooks of each agent', () => {
    expect(json(plugin, 'hooks', 'hooks.json')).toEqual(hook('claude-code'))
    expect(json(plugin, 'hooks', 'codex.json')).toEqual(hook('codex'))
  })

  it('starts the server without variables to expand', () => {
    expect(json(plugin, '.mcp.json')).toEqual({
      mcpServers: {
        recollect: {
          command: '/usr/bin/node',
          args: ['/opt/recollect/cli.js', 'mcp'],
          env: { RECOLLECT_HOME: '/data/recollect' },
        },
      },
    })
    expect([...files.values()].join('')).not.toContain('${')
  })

  it('gives no skill the name of a command', () => {
    const names = [...files.keys()].flatMap((path) => /(?:skills|commands)[\\/]([a-z-]+)/.exec(path)?.[1] ?? [])
    expect(names).toEqual([...new Set(names)])
  })

  it('describes itself in at least forty words, as the plugin directory requires', () =>
    expect(read(plugin, 'README.md').split(/\s+/).length).toBeGreaterThan(40))

  it.each([
    [
      'skills/earlier-sessions/SKILL.md',
      ['name', 'description'],
      ['recollect recall', 'recollect fix', '`recall`', '`fix`', '`resume`', '`handoff`', 'where did we leave off'],
    ],
    ['commands/recall.md', ['description', 'argument-hint', 'allowed-tools'], ['$ARGUMENTS', 'evidence']],
    ['commands/sessions.md', ['description', 'argument-hint', 'allowed-tools'], ['$ARGUMENTS', 'recollect sessions']],
  ])('%s has its head and says what to do', (path, keys, words) => {
    const [, head, body] = /^---\n([\s\S]+?)\n---\n\n([\s\S]+)$/.exec(read(plugin, path))!
    const lines = head!.split('\n').map((line) => /^([a-z-]+): (".+")$/.exec(line)!)
    expect(lines.map((line) => line[1])).toEqual(keys)
    for (const line of lines) expect(() => JSON.parse(line[2]!)).not.toThrow()
    for (const word of words) expect(body).toContain(word)
    // They print what programs printed as it is, for people.
    expect(`${head}${body}`).not.toMatch(/recollect (?:search|show)/)
  })
})
