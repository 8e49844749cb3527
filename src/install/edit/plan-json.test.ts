import { describe, expect, it } from 'vitest'
import type { JsonEntry } from '../../agents/agent.ts'
import { ownedByCommand } from './owned-entries.ts'
import { planJson } from './plan-json.ts'
import { applyTextEdits } from './text-edits.ts'

const isOurs = ownedByCommand((command) => command.startsWith('recollect'))
const entry: JsonEntry = { at: ['hooks', 'Stop'], item: { command: 'recollect' } }

describe('planJson adds an item', () => {
  it.each([
    [
      'to an empty file',
      '',
      `{
  "hooks": {
    "Stop": [
      {
        "command": "recollect"
      }
    ]
  }
}
`,
    ],
    [
      'behind a file that is only a remark',
      '// mine',
      `// mine
{
  "hooks": {
    "Stop": [
      {
        "command": "recollect"
      }
    ]
  }
}
`,
    ],
    ['to a file on one line', '{"a":1}', '{"a":1,"hooks":{"Stop":[{"command":"recollect"}]}}'],
    [
      'to a file on one line with spaces',
      '{ "a": 1 }\n',
      '{ "a": 1, "hooks": { "Stop": [{ "command": "recollect" }] } }\n',
    ],
    [
      'to an empty object',
      '{}',
      `{
  "hooks": {
    "Stop": [
      {
        "command": "recollect"
      }
    ]
  }
}`,
    ],
    [
      'with tabs, as the file has them',
      '{\n\t"a": 1\n}\n',
      '{\n\t"a": 1,\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{\n\t\t\t\t"command": "recollect"\n\t\t\t}\n\t\t]\n\t}\n}\n',
    ],
    [
      'with the line breaks of the file',
      '\uFEFF{\r\n  "hooks": {"Stop": []}\r\n}',
      '\uFEFF{\r\n  "hooks": {"Stop": [\r\n    {\r\n      "command": "recollect"\r\n    }\r\n  ]}\r\n}',
    ],
    [
      'behind the others, on one line like them',
      `{
    "hooks": {
        "Stop": [
            {"command": "lint"}
        ]
    }
}`,
      `{
    "hooks": {
        "Stop": [
            {"command": "lint"},
            {"command": "recollect"}
        ]
    }
}`,
    ],
    [
      'behind a remark about the last one',
      `{
  "hooks": {
    "Stop": [
      "beep" /* loud */ // mine
      // "boop"
    ]
  }
}`,
      `{
  "hooks": {
    "Stop": [
      "beep", /* loud */ // mine
      {
        "command": "recollect"
      }
      // "boop"
    ]
  }
}`,
    ],
    [
      'with a trailing comma where there was one',
      `{
  "hooks": {
    "Stop": [
      "beep", // mine
    ],
  },
}`,
      `{
  "hooks": {
    "Stop": [
      "beep", // mine
      {
        "command": "recollect"
      },
    ],
  },
}`,
    ],
    [
      'hugging the brackets where the last one does',
      `{
  "hooks": {
    "Stop": [{
      "command": "lint"
    }]
  }
}`,
      `{
  "hooks": {
    "Stop": [{
      "command": "lint"
    }, {
      "command": "recollect"
    }]
  }
}`,
    ],
    [
      'below the remark in an empty list',
      `{
  "hooks": {
    "Stop": [
      // none yet
    ]
  }
}`,
      `{
  "hooks": {
    "Stop": [
      // none yet
      {
        "command": "recollect"
      }
    ]
  }
}`,
    ],
    [
      'to the one that counts of two with the same name',
      '{"hooks":{"Stop":[1]},"hooks":{"Stop":[2]}}',
      '{"hooks":{"Stop":[1]},"hooks":{"Stop":[2,{"command":"recollect"}]}}',
    ],
  ])('%s', (_, text, expected) => {
    expect(install(text, [entry])).toBe(expected)
  })

  it('to a file that is a list', () => {
    expect(install('[1]', [{ at: [], item: 2 }])).toBe('[1, 2]')
  })
})

describe('planJson adds nothing', () => {
  it.each([
    ['an item that is there, in whatever order', '{"hooks":{"Stop":[{"timeout":5,"command":"recollect"}]}}'],
    [
      'a place that is filled, with whatever',
      '{"hooks":{"Stop":[{"command":"recollect","timeout":5}]},"version":null}',
    ],
  ])('for %s', (_, text) => {
    const item = { command: 'recollect', timeout: 5 }
    const fallbacks: JsonEntry[] = text.includes('version') ? [{ at: ['version'], fallback: 1 }] : []
    expect(install(text, [{ at: ['hooks', 'Stop'], item }, ...fallbacks])).toBe(text)
  })
})

describe('planJson updates an older form', () => {
  it.each([
    [
      'gives its place to the new one',
      '{"hooks":{"Stop":[1,{"command":"recollect old"},2]}}',
      '{"hooks":{"Stop":[1,{"command":"recollect"},2]}}',
    ],
    [
      'goes where there are more of them than needed',
      '{"hooks":{"Stop":[{"command":"recollect old"},1,{"command":"recollect older"}]}}',
      '{"hooks":{"Stop":[{"command":"recollect"},1]}}',
    ],
    [
      'goes from a list that is not asked for any more',
      '{"hooks":{"Notification":[{"command":"recollect"}],"Stop":[1]}}',
      '{"hooks":{"Stop":[1,{"command":"recollect"}]}}',
    ],
    [
      'goes from a group that the user has put it into',
      '{"hooks":{"Stop":[{"hooks":[{"command":"lint"},{"command":"recollect old"}]}]}}',
      '{"hooks":{"Stop":[{"hooks":[{"command":"lint"}]},{"command":"recollect"}]}}',
    ],
    [
      'is left alone outside of the hooks',
      '{"allow":["recollect old"]}',
      '{"allow":["recollect old"],"hooks":{"Stop":[{"command":"recollect"}]}}',
    ],
  ])('%s', (_, text, expected) => {
    expect(install(text, [entry])).toBe(expected)
  })

  it('of a fallback unless the user has changed it', () => {
    const earlier = { isOurs, entries: [{ at: ['version'], fallback: 1 }], made: [] }
    const entries = [{ at: ['version'], fallback: 2 }]
    expect(applyTextEdits('{"version":1}', planJson('{"version":1}', '', entries, earlier).splices)).toBe(
      '{"version":2}',
    )
    expect(planJson('{"version":7}', '', entries, earlier)).toMatchObject({ splices: [], entries: [] })
  })
})

describe('planJson records created containers', () => {
  it.each<[string, string, string[][]]>([
    ['all the way', '{}', [['hooks'], ['hooks', 'Stop']]],
    ['only the list', '{"hooks":{}}', [['hooks', 'Stop']]],
    ['nothing', '{"hooks":{"Stop":[]}}', []],
  ])('%s', (_, text, made) => {
    expect(planJson(text, '', [entry], { isOurs, entries: [], made: undefined }).made).toEqual(made)
  })
})

describe('planJson refuses a value of another type and names its place', () => {
  it.each([
    ['{\n  "hooks": {\n    "Stop": "none"\n  }\n}', '/home/dev/settings.json:3:13: "hooks.Stop" is not a list'],
    ['{"hooks": null}', '/home/dev/settings.json:1:11: "hooks" is not an object'],
    ['[]', '/home/dev/settings.json:1:1: the whole file is not an object'],
  ])('%s', (text, message) => {
    expect(() => install(text, [entry])).toThrow(message)
  })
})

function install(text: string, entries: JsonEntry[]): string {
  const earlier = { isOurs, entries: [], made: undefined }
  return applyTextEdits(text, planJson(text, '/home/dev/settings.json', entries, earlier).splices)
}

describe('planJson with a member', () => {
  const member: JsonEntry = { at: ['servers', 'recollect'], member: { command: 'recollect', args: ['mcp'] } }
  const planned = (text: string) =>
    applyTextEdits(text, planJson(text, 'f', [member], { isOurs, entries: [], made: undefined }).splices)

  it.each([
    ['an object that is missing', '{"a":1}', '{"a":1,"servers":{"recollect":{"command":"recollect","args":["mcp"]}}}'],
    [
      'other members, comments and trailing commas',
      '{\n  "servers": {\n    // mine\n    "files": { "command": "files" },\n  },\n}\n',
      '{\n  "servers": {\n    // mine\n    "files": { "command": "files" },\n    "recollect": {\n      "command": "recollect",\n      "args": [\n        "mcp"\n      ]\n    },\n  },\n}\n',
    ],
  ])('adds it to %s', (_, text, expected) => expect(planned(text)).toBe(expected))

  it.each([
    ['the same', '{"servers":{"recollect":{"args":["mcp"],"command":"recollect"}}}'],
    ['the same with more keys', '{"servers":{"recollect":{"command":"recollect","args":["mcp"],"disabled":true}}}'],
    ["somebody else's", '{"servers":{"recollect":{"command":"other"}}}'],
    ['no object', '{"servers":{"recollect":null}}'],
  ])('leaves a value that is %s', (_, text) => expect(planned(text)).toBe(text))

  it('updates our keys and keeps others', () =>
    expect(planned('{"servers":{"recollect":{"command":"recollect old","disabled":true}}}')).toBe(
      '{"servers":{"recollect":{"command":"recollect","disabled":true,"args":["mcp"]}}}',
    ))

  it('refuses a place that is not an object', () =>
    expect(() => planned('{"servers":[]}')).toThrow('f:1:12: "servers" is not an object'))
})
