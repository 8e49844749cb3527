import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../core/config/config.ts'
import type { DailyLoad } from '../../learn/model/forecast.ts'
import type { JudgeChoice } from '../../models/judge-choice.ts'
import { dialogueLines, parseChoice } from './choose-judge.ts'

const config = parseConfig('', 'config.toml')
const none = { others: [], settings: {} }
const claude: JudgeChoice = { ...none, name: 'claude', model: 'haiku', receiver: 'Anthropic', isPaid: true }
const ollama: JudgeChoice = {
  ...{ ...none, name: 'ollama', model: 'qwen2.5:3b', receiver: '127.0.0.1:11434', isPaid: false },
  others: ['llama3.2:3b'],
}
const anthropic: JudgeChoice = { ...claude, name: 'anthropic', model: 'claude-haiku-4-5' }
const openai: JudgeChoice = {
  ...{ ...claude, name: 'openai', model: 'gpt-5-mini', receiver: 'OpenAI, with OPENAI_API_KEY' },
  settings: { openai_url: 'https://api.openai.com/v1', openai: 'gpt-5-mini' },
}
const load: DailyLoad = { days: 14, sessions: 3, questions: 4, input: 30_000, output: 2400 }

describe('dialogueLines', () => {
  it('says what is sent to whom and what it costs, from the history of the person', async () => {
    expect(await dialogueLines([claude, ollama], load, config)).toEqual([
      'Which model may decide what is worth remembering? After each session it gets',
      'your words and the beginning of each reply, without secrets.',
      '  1  claude: haiku, Anthropic; about $0.04 a day',
      '  2  ollama: qwen2.5:3b, 127.0.0.1:11434; free; or ollama:llama3.2:3b',
      'At most $0.50 a day. Without one, you decide: recollect memories review',
    ])
  })

  it('says the cost of a long session before anything was captured', async () => {
    const [, , line] = await dialogueLines([claude], { ...load, days: 0 }, config)
    expect(line).toBe('  1  claude: haiku, Anthropic; about $0.02 per long session')
  })

  it('has at most seven lines of 80 columns before the question', async () => {
    const many = { ...ollama, others: Array.from({ length: 20 }, (_, index) => `model-${index}:7b`) }
    const lines = await dialogueLines([claude, many, anthropic, openai], load, config)
    expect(lines.length).toBeLessThanOrEqual(7)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })
})

it.each([
  ['', 'none'],
  ['none', 'none'],
  ['n', 'none'],
  ['1', claude],
  [' 2 ', ollama],
  ['Ollama', ollama],
  ['ollama:llama3.2:3b', { ...ollama, model: 'llama3.2:3b', settings: { ollama: ['llama3.2:3b'] } }],
  ['2:llama3.2:3b', { ...ollama, model: 'llama3.2:3b', settings: { ollama: ['llama3.2:3b'] } }],
  ['claude:sonnet', { ...claude, model: 'sonnet', settings: { claude: 'sonnet' } }],
  ['ollama:missing', undefined],
  ['3', undefined],
  ['yes', undefined],
])('parseChoice: "%s"', (answer, expected) => {
  expect(parseChoice(answer, [claude, ollama])).toEqual(expected)
})
