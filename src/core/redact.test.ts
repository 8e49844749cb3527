import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

const one = async (text: string) => (await redact([text])).texts[0]

// Built from parts, so that no scanner takes this file for a leak.
const github = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const key = (kind: string) => `-----BEGIN ${kind}-----\nMIIEowIBAAKCAQEA0Z3VS5\n-----END ${kind}-----`

describe('redact', () => {
  it.each([
    ['a service token', `push with ${github} please`, 'push with [secret: github-token] please'],
    ['a private key', `key:\n${key('RSA PRIVATE KEY')}\nend`, 'key:\n[secret: private-key]\nend'],
    ['an AWS key id', `id AKIA${'Z3Q4'.repeat(4)} here`, 'id [secret: aws-key] here'],
    ['a password in code', `password: "hunter2!x9"`, 'password: "[secret: password]"'],
    ['a variable in a shell', `export API_KEY=abc123def456ghi`, 'export API_KEY=[secret: password]'],
    ['a password in a URL', 'ssh://me:s3cr3tpw@host/x', 'ssh://me:[secret: url-password]@host/x'],
    ['a bearer header', `Authorization: Bearer ${'a1b2'.repeat(6)}`, 'Authorization: Bearer [secret: authorization]'],
    ['a private span', 'before <private>my salary</private> after', 'before [private] after'],
    ['a private span never closed', 'before <private>my salary', 'before [private]'],
    ['a database address', 'postgres://app:hunter2@db.internal/x', expect.not.stringContaining('hunter2')],
  ])('removes %s', async (_, text, expected) => {
    expect(await one(text)).toEqual(expected)
  })

  it.each([
    ['code that reads a variable', 'const token = process.env.GITHUB_TOKEN'],
    ['a name in quotes', "secret: 'client-secret'"],
    ['a placeholder', 'API_KEY=your-api-key-here'],
    ['a word about secrets', 'The token count of the password manager'],
    ['a variable in a variable', 'TOKEN=$OTHER_TOKEN'],
  ])('leaves %s alone', async (_, text) => {
    expect(await one(text)).toBe(text)
  })

  it('redacts many texts at once and counts by kind', async () => {
    const { texts, counts } = await redact(['plain', `a ${github}`, '<private>x', `${github} ${github}`])
    expect(texts).toEqual([
      'plain',
      'a [secret: github-token]',
      '[private]',
      '[secret: github-token] [secret: github-token]',
    ])
    expect(counts).toEqual({ 'github-token': 3, private: 1 })
  })
})
