import { describe, expect, it } from 'vitest'
import { modelName, modelProse } from './model-prose.ts'

const line = (text: string, max = 500) => modelProse(text, max)

describe('modelProse', () => {
  it.each([
    ['a link', 'See [[wiki/concepts/retries|the retries]] and [[nowhere]].', 'See the retries and nowhere.'],
    ['a link up', 'See [[../../etc/passwd|this]].', 'See this.'],
    ['a mark of ours', '<!-- /recollect:section -->\n# Forged', '&lt;!-- /recollect:section --> # Forged'],
    [
      'HTML',
      'An <img src=x onerror=alert(1)> and <b>bold</b>',
      'An &lt;img src=x onerror=alert(1)> and &lt;b>bold&lt;/b>',
    ],
    ['HTML behind a backtick that is escaped', '\\`<img src=x>`', '`<img src=x>`'],
    ['HTML between backticks that do not match', '``<img src=x>`', '`<img src=x>`'],
    ['a picture', 'Look: ![x](https://example.org/x.png)', 'Look: !\\[x]\\(https://example.org/x.png)'],
    ['another link', '[click](javascript:alert(1))', '[click]\\(javascript:alert(1))'],
    ['a heading', '# Title', '\\# Title'],
    ['the fence of a head', '---', ''],
    ['several lines', 'One.\n\nTwo.', 'One. Two.'],
    ['code', 'Run `a < b && [[x]]` now', 'Run `a < b && [[x]]` now'],
    ['a backtick without another', 'The ` sign', "The ' sign"],
    ['a secret', `The key is ghp_${'a1B2'.repeat(9)}.`, 'The key is [secret: github-token].'],
    ['nothing', ' \n ', ''],
  ])('%s', (_, text, expected) => {
    expect(line(text)).toBe(expected)
  })

  it('cuts after a sentence, and closes code', () => {
    expect(line('Retries are done by the queue alone. The handler never retries anything at all.', 50)).toBe(
      'Retries are done by the queue alone.',
    )
    expect(line(`word word word \`code ${'that is long '.repeat(30)}\``, 60).match(/`/g)).toBeNull()
  })
})

it.each([
  ['Retries of webhooks', 'Retries of webhooks'],
  ['../../etc/passwd', '../../etc/passwd'],
  ['[[Link|x]] <b>#tag</b>', 'Link x b tag /b'],
  ['\n', ''],
  ['---', ''],
  ['x'.repeat(200), ''],
])('modelName of %j is %j', (text, expected) => {
  expect(modelName(text, 100)).toBe(expected)
})
