import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

const one = (text: string) => redact([text]).texts[0]

// Built from parts, so that secret scanners do not report this file.
const github = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const openai = `sk-${'a1B2c3D4e5F6'.repeat(3)}`
const twilio = `SK${'0a1b2c3d'.repeat(4)}`
const key = (kind: string) => `-----BEGIN ${kind}-----\nMIIEowIBAAKCAQEA0Z3VS5\n-----END ${kind}-----`

describe('redact', () => {
  it.each([
    ['a service token', `push with ${github} please`, 'push with [secret: github-token] please'],
    ['a key of a Recollect server', `rk_a1b2c3d4e5f6_${'aB3-'.repeat(11)} is it`, '[secret: recollect-key] is it'],
    ['a private key', `key:\n${key('RSA PRIVATE KEY')}\nend`, 'key:\n[secret: private-key]\nend'],
    ['an AWS key id', `id AKIA${'Z3Q4'.repeat(4)} here`, 'id [secret: aws-key] here'],
    ['a password in code', `password: "hunter2!x9"`, 'password: "[secret: password]"'],
    ['a variable in a shell', `export API_KEY=abc123def456ghi`, 'export API_KEY=[secret: password]'],
    ['a password in a URL', 'ssh://me:s3cr3tpw@host/x', 'ssh://me:[secret: url-password]@host/x'],
    ['a bearer header', `Authorization: Bearer ${'a1b2'.repeat(6)}`, 'Authorization: Bearer [secret: authorization]'],
    ['a private span', 'before <private>my salary</private> after', 'before [private] after'],
    ['a private span never closed', 'before <private>my salary', 'before [private]'],
    ['a private span in the middle of a word', 'x<private>my salary</private>y', 'x[private]y'],
    ['a key cut off', `${key('EC PRIVATE KEY').slice(0, 50)} and`, '[secret: private-key] and'],
    [
      'a value that begins with a slash',
      `AWS_SECRET_KEY=/${'aB3dE5fG7h'.repeat(3)}`,
      'AWS_SECRET_KEY=[secret: password]',
    ],
    ['a value that begins like a placeholder', 'DB_PASSWORD=myTr0ub4dor!x', 'DB_PASSWORD=[secret: password]'],
    ['the rest of a value behind a dollar', 'DB_PASSWORD=tr0ub$4dor&x9Q', 'DB_PASSWORD=[secret: password]'],
    ['a database address', 'postgres://app:hunter2@db.internal/x', expect.not.stringContaining('hunter2')],
  ])('removes %s', (_, text, expected) => {
    expect(one(text)).toEqual(expected)
  })

  it.each([
    ['code that reads a variable', 'const token = process.env.GITHUB_TOKEN'],
    ['a name in quotes', "secret: 'client-secret'"],
    ['a placeholder', 'API_KEY=your-api-key-here'],
    ['a word about secrets', 'The token count of the password manager'],
    ['a variable in a variable', 'TOKEN=$OTHER_TOKEN'],
  ])('leaves %s alone', (_, text) => {
    expect(one(text)).toBe(text)
  })

  it.each([
    ['<private>', '[private]'],
    ['1234567890123456 ', undefined],
    ['-----BEGIN PRIVATE KEY ', undefined],
    ['-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\n', '[secret: private-key]'],
  ])('takes linear time for many occurrences of %j', (part, mark) => {
    // Quadratic time would take an hour.
    const text = part.repeat(3_000_000 / part.length)
    const redacted = one(text)!
    if (mark) expect(redacted.slice(-200)).toContain(mark)
    else expect(redacted === text).toBe(true)
  })

  it('removes a private key behind many unfinished ones', () => {
    const many = `-----BEGIN RSA PRIVATE KEY-----\n${'x'.repeat(21_000)}\n`.repeat(60)
    expect(one(`${many}${key('RSA PRIVATE KEY')}`)).not.toContain(key('RSA PRIVATE KEY').split('\n')[1])
  })

  it.each([
    ['words', 'a'],
    ['arrows', '→'],
    ['letters whose low byte looks like a digit', 'ж'],
    ['signs of another script', '密'],
  ])('removes tokens at every position behind %s', (_, character) => {
    for (let length = 0; length <= 45; length++) {
      const before = `${character.repeat(length)} `
      expect(one(`${before}${github}`)).toBe(`${before}[secret: github-token]`)
      expect(one(`${before}${twilio}`)).toBe(`${before}[secret: twilio-key]`)
      expect(one(`${before}${twilio}\n${character}`)).toBe(`${before}[secret: twilio-key]\n${character}`)
    }
  })
  it.each([
    ['behind a letter of another language', `пароль${openai}`, 'пароль[secret: openai-key]'],
    ['directly behind a run', `${'ж'.repeat(30)}${twilio}`, `${'ж'.repeat(30)}[secret: twilio-key]`],
    ['behind another secret', `${github} ${openai}`, '[secret: github-token] [secret: openai-key]'],
    ['with an invisible sign in it', `api_key=a1b2\u2060c3d4e5f6g7h8`, 'api_key=[secret: password]'],
  ])('removes a token %s', (_, text, expected) => {
    expect(one(text)).toBe(expected)
  })
  it('removes what continues on the next line behind a backslash within a value', () => {
    expect(one('암호=hunter2x9Qabc\\\nmore7zZ!w')).not.toContain('more7zZ')
  })
  it('returns a text without secrets as it is', () => {
    const text = 'nothing of interest in here'
    expect(redact([text])).toEqual({ texts: [text], counts: {} })
  })

  it('redacts many texts at once and counts by kind', () => {
    const { texts, counts } = redact(['plain', `a ${github}`, '<private>x', `${github} ${github}`])
    expect(texts).toEqual([
      'plain',
      'a [secret: github-token]',
      '[private]',
      '[secret: github-token] [secret: github-token]',
    ])
    expect(counts).toEqual({ 'github-token': 3, private: 1 })
  })
})

// The preset is kept current by its maintainers: whatever it reports as a secret must be redacted
// here.
describe('redact compared with secretlint', () => {
  const config = { rules: [{ id: 'preset', rule: creator, options: {} }] }
  const findings = async (content: string) => {
    const source = { content, filePath: 'a.txt', ext: '.txt', contentType: 'text' as const }
    const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } })
    return messages.map(({ range }) => content.slice(range[0], range[1]))
  }
  const samples = [
    /AKIA[A-Z0-9]{16}/,
    /aws_secret_access_key = "[A-Za-z0-9/+]{40}"/,
    /-----BEGIN RSA PRIVATE KEY-----\n[A-Za-z0-9+/]{64}\n-----END RSA PRIVATE KEY-----/,
    /\/\/registry\.example\.org\/:_authToken=[a-f0-9]{36}/,
    /npm_[A-Za-z0-9]{36}/,
    /xoxb-\d{12}-\d{13}-[A-Za-z0-9]{24}/,
    /https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{8}\/B[A-Z0-9]{8}\/[A-Za-z0-9]{24}/,
    /https:\/\/[a-z]{5}:[A-Za-z0-9_-]{12}@host\.org/,
    /sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20}/,
    /sk-ant-api03-[A-Za-z0-9_-]{93}AA/,
    /gsk_[a-zA-Z0-9]{52}/,
    /hf_[a-zA-Z]{34}/,
    /lin_api_[a-zA-Z0-9]{40}/,
    /ntn_[0-9]{11}[A-Za-z0-9]{35}/,
    /SG\.[A-Za-z0-9]{22}\.[A-Za-z0-9]{43}/,
    /shpat_[a-f0-9]{32}/,
    /gh[pousr]_[A-Za-z0-9]{36}/,
    /github_pat_[A-Za-z0-9_]{82}/,
    /glpat-[A-Za-z0-9_-]{20}/,
    /glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}/,
    /(?:mongodb|mysql|postgres):\/\/[a-z]{4}:[A-Za-z0-9]{10}@db\.host\.org\/app/,
    /hvs\.[A-Za-z0-9_-]{95}/,
    /vcp_[A-Za-z0-9]{24}/,
    /dapi[a-f0-9]{32}/,
    /dckr_pat_[a-zA-Z0-9_-]{27}/,
    /figd_[A-Za-z0-9_-]{40}/,
  ]
  it.each(samples.map((shape) => shape.source))('removes %s', async (shape) => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(new RegExp(`^${shape}$`)), async (secret) => {
        const text = `before ${secret.replace(/\s+$/, '')} after`
        const { texts } = redact([text])
        for (const found of await findings(text)) expect(texts[0]).not.toContain(found)
      }),
      { numRuns: 30 },
    )
  })
  it('ignores secretlint-disable comments in the transcript', () => {
    expect(one(`secretlint-disable\n${github}`)).toBe('secretlint-disable\n[secret: github-token]')
  })
})
