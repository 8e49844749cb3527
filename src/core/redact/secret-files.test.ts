import { describe, expect, it } from 'vitest'
import { redactFile, secretFileKind, secretFileOf } from './secret-files.ts'

describe('secretFileKind', () => {
  it.each([
    ['/app/.env', 'settings'],
    ['.env.production', 'settings'],
    ['/home/me/.aws/credentials', 'settings'],
    ['/home/me/.docker/config.json', 'settings'],
    ['/home/me/.pgpass', 'pgpass'],
    ['/home/me/.ssh/id_ed25519', 'key'],
    ['/app/.env.example', undefined],
    ['/home/me/.ssh/id_ed25519.pub', undefined],
    ['/app/src/environment.ts', undefined],
  ])('%s is %s', (path, kind) => {
    expect(secretFileKind(path)).toBe(kind)
  })
})

describe('every file with secrets', () => {
  const settings =
    '.env .env.local a.env .envrc .flaskenv .npmrc .pypirc .netrc _netrc .my.cnf .s3cfg .boto .git-credentials .dockercfg ' +
    '.htpasswd .yarnrc.yml shadow kubeconfig a.kubeconfig a.tfvars secret.yml secrets.yaml secrets.json secret.toml secrets.ini ' +
    'credentials credentials.yml credentials.json credentials.toml credentials.ini credentials.csv credentials.tfrc.json ' +
    '.kube/config .docker/config.json .aws/credentials .aws/config gh/hosts.yml'
  const keys =
    'id_rsa id_dsa id_ecdsa id_ed25519 .vault-token a.pem a.key a.p12 a.pfx a.jks a.keystore a.ppk a.kdbx A.PEM'
  it.each([
    ...settings.split(' ').map((name) => [name, 'settings']),
    ...keys.split(' ').map((name) => [name, 'key']),
    ['.pgpass', 'pgpass'],
    ['pgpass.conf', 'pgpass'],
  ])('%s is %s, also in a command', (name, kind) => {
    expect(secretFileKind(`/home/me/${name}`)).toBe(kind)
    expect(secretFileOf({ command: `cat /home/me/${name}` })).toBe(kind)
  })
})

describe('secretFileOf', () => {
  it.each([
    ['a tool that reads', { file_path: '/app/.env' }, 'settings'],
    ['a command', { command: 'cd app && cat config/.env.local | head' }, 'settings'],
    ['a command as a list', { command: ['bash', '-lc', 'cat ~/.netrc'] }, 'settings'],
    ['a search in the file', { command: 'grep API ./.env' }, 'settings'],
    ['a search for a name', { command: 'grep -rn "process.env" src | grep event.key' }, undefined],
    ['another file', { file_path: '/app/README.md' }, undefined],
  ])('%s', (_, input, kind) => {
    expect(secretFileOf(input)).toBe(kind)
  })
})

describe('redactFile', () => {
  it('removes values and keeps names and harmless values', () => {
    const text =
      '# local\nPORT=3000\nDEBUG=true\nHOST=db.internal\nexport SIGN_IN="Ocean breeze"\nDB_PASSWORD=letmein\n'
    expect(redactFile(text, 'settings')).toEqual({
      text: '# local\nPORT=3000\nDEBUG=true\nHOST=db.internal\nexport SIGN_IN=[secret: file]\nDB_PASSWORD=[secret: file]\n',
      count: 2,
    })
  })
  it('removes the last field of a pgpass line', () => {
    expect(redactFile('db:5432:shop:app:letmein', 'pgpass').text).toBe('db:5432:shop:app:[secret: file]')
  })
  it('removes a key, but not an error message', () => {
    expect(redactFile(`${'aB3dE5fG'.repeat(8)}\n`, 'key').text).toBe('[secret: file]')
    expect(redactFile('cat: id_rsa: No such file', 'key').text).toBe('cat: id_rsa: No such file')
  })
  it('removes nothing twice', () => {
    const once = redactFile('A=Ocean breeze 7\nTOKEN=abc', 'settings').text
    expect(redactFile(once, 'settings')).toEqual({ text: once, count: 0 })
  })
})
