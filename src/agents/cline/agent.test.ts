import { describe, expect, it } from 'vitest'
import { cline, rooCode } from './agent.ts'

describe('Cline and Roo Code', () => {
  const clineFolder = 'User/globalStorage/saoudrizwan.claude-dev'

  it.each([
    ['Linux', 'linux', {}, `/home/mira/.config/Code/${clineFolder}`],
    ['Linux with another config folder', 'linux', { XDG_CONFIG_HOME: '/c' }, `/c/Windsurf/${clineFolder}`],
    ['macOS', 'darwin', {}, `/home/mira/Library/Application Support/Cursor/${clineFolder}`],
    ['Windows', 'win32', { APPDATA: '/a' }, `/a/Code - Insiders/${clineFolder}`],
    ['a remote machine', 'linux', {}, `/home/mira/.vscode-server/data/${clineFolder}`],
    ['the command line', 'linux', {}, '/home/mira/.cline/data'],
    ['another home of Cline', 'linux', { CLINE_DIR: '/c' }, '/c/data'],
    ['another data folder', 'linux', { CLINE_DATA_DIR: '/d' }, '/d'],
  ] as const)('looks for Cline on %s', (_, platform, env, root) => {
    expect(cline.roots({ home: '/home/mira', env, platform })).toContain(root)
  })

  it('searches Roo Code in every editor and in the storage of its command line', () => {
    const roots = rooCode.roots({ home: '/home/mira', env: {}, platform: 'linux' })
    expect(roots).toContain('/home/mira/.config/VSCodium/User/globalStorage/rooveterinaryinc.roo-cline')
    expect(roots).toContain('/home/mira/.vscode-mock/global-storage')
  })
})
