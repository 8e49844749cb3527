// Redaction on generated secrets of many kinds in many places, on texts that are no secrets, and on
// texts made to keep a scanner busy.
import { describe, expect, it } from 'vitest'
import { redact } from '../src/core/redact/redact.ts'
import { scaled } from './proof.ts'
import { randomNumbers } from './random.ts'
import { secretContexts } from './redaction/contexts.ts'
import { secretKinds } from './redaction/kinds.ts'

const one = (text: string) => redact([text]).texts[0]!

interface Tally {
  found: number
  of: number
}

describe('redaction of generated secrets', () => {
  const random = randomNumbers()
  const rounds = scaled(1, 10)
  const failures: string[] = []
  const tallies = new Map<string, Tally>()
  for (const { group, kind, make } of secretKinds) {
    for (const { name, group: form, write } of secretContexts) {
      const tally = tallies.get(form) ?? { found: 0, of: 0 }
      tallies.set(form, tally)
      for (let round = 0; round < rounds; round++) {
        const { text, leaks } = write(make(random))
        const isFound = !leaks.some((leak) => one(text).includes(leak))
        tally.of++
        if (isFound) tally.found++
        else failures.push(`${group} | ${kind} | ${name}`)
      }
    }
  }
  const table = failures.join('\n')

  it('SPEC B.38: covers at least 120 kinds in ten contexts', () => {
    expect(secretKinds.length).toBeGreaterThanOrEqual(120)
    expect(secretContexts.length).toBeGreaterThanOrEqual(10)
  })
  it('SPEC B.38: removes at least 98 % in plain text', () => {
    const { found, of } = tallies.get('plain')!
    expect(found / of, table).toBeGreaterThanOrEqual(0.98)
  })
  it('removes at least 95 % of what is broken over two lines', () => {
    const { found, of } = tallies.get('split')!
    expect(found / of, table).toBeGreaterThanOrEqual(0.95)
  })
  it('SPEC B.38: removes at least 95 % in escaped and encoded text', () => {
    const { found, of } = tallies.get('escaped')!
    expect(found / of, table).toBeGreaterThanOrEqual(0.95)
  })
  it('finds nothing more in what it has redacted', () => {
    for (const { make } of secretKinds) {
      for (const { write } of secretContexts) {
        const redacted = one(write(make(random)).text)
        expect(one(redacted)).toBe(redacted)
      }
    }
  })
})

const hex = (length: number) => 'd41d8cd98f00b204e9800998ecf8427e'.repeat(8).slice(0, length)

describe('what is no secret', () => {
  it.each([
    ['an integrity hash', `"integrity": "sha512-${'kWzF9dj2Ux3LqmnQ0pTeRbVcYhAs'.repeat(3)}AA=="`],
    ['a commit', `commit ${hex(40)}`],
    ['an abbreviated commit', 'at 3f2a91c, key change in 9e107d9'],
    ['a UUID', '"uuid":"123e4567-e89b-12d3-a456-426614174000"'],
    ['a type parameter', 'const all: List<Private> = load()\nreturn all'],
    ['a type parameter in small letters', 'Box<private> box; next line stays'],
    ['a tag that is talked about', 'Use the `<private>` tag to hide a span. The rest stays.'],
    ['a type annotation', 'function login(password: string, token: Token): void'],
    ['a value from the environment', 'const apiKey = process.env.OPENAI_API_KEY ?? config.apiKey'],
    ['a shell variable', 'mysql -u root -p"$DB_PASSWORD" shop && curl -u "$USER:$PASS" x'],
    ['a placeholder', 'API_KEY=your-api-key\nTOKEN=<token>\nPASSWORD=changeme\nSECRET=$' + '{SECRET}'],
    ['a count', '{"input_tokens": 12345, "max_tokens": 4096, "token_count": 17}'],
    ['a call', 'password = get_password(user)\ntoken = self.tokens[0]\nsecret: hash_secret(x)'],
    ['a label', '{"password": "Password", "token": "Jeton", "secret": "Geheimnis"}'],
    ['a sentence', 'The password is required. The token was rejected, the secret is safe.'],
    ['German prose', 'Das Passwort ist falsch. Kennwort vergessen?'],
    ['a test result', '--- PASS: TestLogin/wrong_password (0.00s)\nPASS: 12, FAIL: 0'],
    ['a prefix in words', 'task-oriented-programming-and-desk-research, risk-assessment-of-the-project'],
    ['a variable of npm', 'npm_config_registry_authentication_plugin_directory=x'],
    ['the first line of a key', "if (text.includes('-----BEGIN PRIVATE KEY-----')) return"],
    ['a user and group', 'docker run -u 1000:1000 --user node:node app'],
    ['an address with a port', 'http://localhost:3000/path@2 and https://example.org:8443'],
    ['a source map', 'mappings":"AAAA,SAASA,EAAWC,GAClB,OAAOC,IACNC,KAAKC,EAAKC,OACV"'],
    ['CSS', '.token.key{color:#905}.password-field{background:url(a.png)}'],
    ['a key of a map', 'key: "Enter", cacheKey: "users:1", sortKey = "createdAt"'],
    ['a flag without a value', 'deploy --password --token-file /run/token --api-key-env KEY'],
  ])('stays: %s', (_, text) => {
    expect(one(text)).toBe(text)
  })
})

describe('texts made to keep a scanner busy', () => {
  const million = scaled(2_000_000, 50_000_000)
  it.each<[string, string, string | undefined]>([
    ['a long word that begins like a token', `ghp_${'aB3dE5fG7hJ9'.repeat(million / 12)}`, '[secret: github-token]'],
    ['a long word that begins like a key', `sk-${'aB3dE5fG7hJ9'.repeat(million / 12)}`, '[secret: openai-key]'],
    ['a long value', `password="${'aB3dE5fG7hJ9'.repeat(million / 12)}"`, 'password="[secret: password]"'],
    ['a long word of base64', 'QUJD'.repeat(million / 4), undefined],
    ['many names of secrets in one word', 'passA1b2tokenB7'.repeat(million / 20), undefined],
    ['a long number', '0123456789'.repeat(million / 10), undefined],
  ])('ends with %s', (_, text, expected) => {
    const redacted = one(text)
    // Not the whole text, which a failure would print.
    expect(redacted.slice(0, 100)).toBe((expected ?? text).slice(0, 100))
    expect(redacted.length).toBe((expected ?? text).length)
  })
  it.each([
    'ghp_',
    'sk-',
    'password=',
    'password==',
    '://a:b',
    '"password":"',
    'key: ',
    'https://a:',
    '-----BEGIN PRIVATE KEY-----\n',
    '<private> ',
    '\\n',
    '%3D',
    'seed phrase ',
    'Cookie: a=',
    'eyJ.',
    'password,',
    '"token","',
    '\tpassword\t',
    'passwords = [',
    'password:\n  ',
    'user,password\n',
    '<th>password</th>',
    'kind: Secret ',
    '"kind":"Secret","data":{"a":"',
    '{"kty":"oct","dp"}',
    'SAMLResponse=',
    'mac="aB3dE5fG7hJ9kL1mN2pQ" ',
    'token=a1B2c3D4\n',
    `${'aB3dE5fG7hJ9kL1m'.repeat(4)}\n`,
    '-----END PRIVATE KEY-----\n',
    'A',
    '"',
    '\\',
  ])('ends with %j repeated', (part) => {
    expect(one(part.repeat(scaled(200_000, 2_000_000) / part.length)).length).toBeGreaterThan(0)
  })
})
