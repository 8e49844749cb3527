// Secrets whose names stand elsewhere: over a list or a table, on the line above, in another field; and keys
// of which lines are missing.
import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

const one = (text: string) => redact([text]).texts[0]!
const password = 'Falcon42!aB3d'
const other = 'tulip17#xY9z'
const mark = '[secret: password]'

// Built from parts, so that secret scanners do not report this file.
const keyLine = (seed: number, width = 64) =>
  Buffer.from(Array.from({ length: 60 }, (_, index) => (index * 37 + seed * 91 + index * index * seed) & 255))
    .toString('base64')
    .slice(0, width)
const keyLines = [3, 5, 7, 11].map((seed) => keyLine(seed))
const end = ['-----END', 'PRIVATE KEY-----'].join(' ')

describe('values below a name', () => {
  it.each([
    ['on the next line', `db:\n  password:\n    ${password}\n  host: x`, `db:\n  password:\n    ${mark}\n  host: x`],
    ['in a block of YAML', `password: |\n  ${password}\nhost: x`, `password: |\n  ${mark}\nhost: x`],
    ['under a heading', `## Password\n\n\`${password}\`\n`, `## Password\n\n\`${mark}\`\n`],
    [
      'in a list of YAML',
      `passwords:\n  - ${password}\n  - ${other}\nport: 1`,
      `passwords:\n  - ${mark}\n  - ${mark}\nport: 1`,
    ],
    ['in an array', `passwords = ["${password}", '${other}']`, `passwords = ["${mark}", '${mark}']`],
    ['in elements', `<passwords><a>${password}</a></passwords>`, `<passwords><a>${mark}</a></passwords>`],
  ])('removes a value %s', (_, text, expected) => {
    expect(one(text)).toBe(expected)
  })

  it.each([
    ['CSV', `user,password,role\nmira,${password},admin\nfinn,${other},user`],
    ['CSV with quotes', `"user","password"\n"mira","${password}"\n"finn","${other}"`],
    ['Markdown', `| user | password |\n|---|---|\n| mira | ${password} |\n| finn | \`${other}\` |`],
    ['psql', ` id | password\n----+-----\n  1 | ${password}\n  2 | ${other}\n(2 rows)`],
    ['HTML', `<tr><th>User</th><th>Password</th></tr>\n<tr><td>mira</td><td>${password}</td></tr>`],
  ])('removes a column of %s', (_, text) => {
    const redacted = one(text)
    expect(redacted).toBe(text.replace(password, mark).replace(other, mark))
  })

  it.each([
    ['a list of names in code', 'export {\n  password,\n  requestSsl,\n  copyData2,\n}'],
    ['a type', 'type Md5Password;\ndeclare const Password2: typeof x;'],
    ['a table about passwords', '| Field | Password |\n|---|---|\n| required | yes |\n| length | 8 to 64 |'],
    ['results of a test', '**Overall: PASS**\n\n**Notes:**\n- fine2'],
    ['a question with a prompt below', 'Password:\nmira@web01:~$'],
    ['numbers of tokens', 'tokens: [12345, 67890, 13579]\nmax_tokens:\n  40960'],
    ['names of secrets', 'secrets:\n  - DB_PASSWORD\n  - source: api_key\n'],
  ])('leaves %s', (_, text) => {
    expect(one(text)).toBe(text)
  })
})

describe('values with spaces', () => {
  it.each([
    'password: "correct horse battery staple"',
    'passphrase: correct horse battery staple',
    'SMTP_PASSWORD="crzl sgjq vqum tcwg"',
  ])('removes %s', (text) => {
    expect(one(text)).toContain(mark)
  })
  it.each([
    'password: "Please enter your password"',
    '"password": "must have eight characters"',
    'pass: the red door opens',
  ])('leaves %s', (text) => {
    expect(one(text)).toBe(text)
  })
})

describe('fields of a record', () => {
  const number = 'aB3dE5fG7h'.repeat(4)
  it('removes the private numbers of a JSON Web Key, not the public ones', () => {
    expect(one(`{"kty":"EC","x":"${number}","d":"${number}"}`)).toBe(
      `{"kty":"EC","x":"${number}","d":"[secret: private-key]"}`,
    )
    expect(one(`{"k":"${number}","x":"${number}"}`)).toBe(`{"k":"${number}","x":"${number}"}`)
  })
  it.each([
    ['YAML', 'kind: Secret\nmetadata:\n  name: shop\ndata:\n  db: c2VhIHNhbHQ=\nother: c2VhIHNhbHQ='],
    ['the order of kubectl', 'data:\n  db: c2VhIHNhbHQ=\nkind: Secret\nother: c2VhIHNhbHQ='],
    ['JSON', '{"kind":"Secret","data":{"db":"c2VhIHNhbHQ="},"other":"c2VhIHNhbHQ="}'],
  ])('removes the data of a Kubernetes Secret in %s', (_, text) => {
    expect(one(text)).toBe(text.replace('c2VhIHNhbHQ=', '[secret: kubernetes-secret]'))
  })
  it('leaves a ConfigMap and a sealed secret', () => {
    for (const kind of ['ConfigMap', 'SealedSecret', 'SecretStore']) {
      const text = `kind: ${kind}\ndata:\n  db: c2VhIHNhbHQ=`
      expect(one(text)).toBe(text)
    }
  })
})

describe('private keys of which lines are missing', () => {
  const body = keyLines.join('\n')
  it.each([
    ['the first', `${body}\n${end}`, '[secret: private-key]-----'],
    ['the first and the last', `$ tail key\n${body}\n$ ls`, '$ tail key\n[secret: private-key]\n$ ls'],
    ['the first, in a diff', `+${body.replaceAll('\n', '\n+')}\n+${end}`, '+[secret: private-key]-----'],
  ])('removes one without %s', (_, text, expected) => {
    expect(one(text)).toBe(expected)
  })
  it.each([
    ['a certificate', `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`],
    ['the end of a certificate', `${body}\n-----END CERTIFICATE-----`],
    ['an attachment', `Content-Transfer-Encoding: base64\n\n${body}\n`],
    ['a list of digests', ['1a', '2b', '3c', '4d'].map((part) => part.repeat(32)).join('\n')],
    ['two lines', keyLines.slice(2).join('\n')],
  ])('leaves %s', (_, text) => {
    expect(one(text)).toBe(text)
  })
})
