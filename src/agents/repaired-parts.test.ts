// What each agent puts in place of a part that its service would refuse, because something was removed from it.
import { describe, expect, it } from 'vitest'
import { leftOutText } from '../core/conversation/repaired-part.ts'
import type { JsonObject } from './json-values.ts'
import { agents } from './registry.ts'

const repair = (agent: string, part: JsonObject) => agents.find(({ id }) => id === agent)!.repairPart!(part)

const mark = 'the token is [secret: github-token]'
const signature = 'c2lnbmF0dXJl'
const altered = 'iVBORw0KGgo[secret: square-token]AAAA'
const thinking = (type = 'text') => ({ type, text: leftOutText.thinking })
const image = (type = 'text') => ({ type, text: leftOutText.image })

type Case = [what: string, agent: string, part: JsonObject, instead: JsonObject | undefined]

const blocks: Case[] = [
  ['thinking', 'claude-code', { type: 'thinking', thinking: mark, signature }, thinking()],
  ['hidden thinking', 'claude-code', { type: 'redacted_thinking', data: altered }, thinking()],
  ['an image', 'claude-code', { type: 'image', source: { type: 'base64', data: altered } }, image()],
  ['a document', 'claude-code', { type: 'document', source: { type: 'base64', data: altered } }, image()],
  ['an image', 'codex', { type: 'input_image', image_url: `data:image/png;base64,${altered}` }, image('input_text')],
  [
    'a summary of reasoning',
    'codex',
    { type: 'reasoning', id: 'rs_1', summary: [{ text: mark }, { text: 'yes' }], encrypted_content: signature },
    { type: 'reasoning', id: 'rs_1', summary: [{ text: 'yes' }], encrypted_content: signature },
  ],
  ['a ciphertext', 'codex', { type: 'reasoning', summary: [], encrypted_content: altered }, undefined],
  [
    'a ciphertext in a line of its own',
    'codex',
    { type: 'response_item', payload: { type: 'reasoning', summary: [], encrypted_content: altered } },
    { type: 'event_msg', payload: { type: 'agent_reasoning', text: leftOutText.thinking } },
  ],
  [
    'an encrypted summary',
    'codex',
    { type: 'compaction', encrypted_content: altered },
    { type: 'message', role: 'user', content: [thinking('input_text')] },
  ],
  ['an image', 'qwen-code', { inlineData: { mimeType: 'image/png', data: altered } }, { text: leftOutText.image }],
  ['a thought', 'qwen-code', { text: mark, thought: true, thoughtSignature: signature }, { text: mark, thought: true }],
  [
    'arguments of a signed call',
    'qwen-code',
    { functionCall: { name: 'run', args: { command: mark } }, thoughtSignature: signature },
    { functionCall: { name: 'run', args: { command: mark } } },
  ],
  [
    'reasoning',
    'copilot-cli',
    { content: 'Yes.', reasoningText: mark, reasoningOpaque: signature, encryptedContent: signature },
    { content: 'Yes.' },
  ],
  [
    'reasoning with its signed blocks',
    'copilot-cli',
    {
      ...{ content: '', reasoningText: mark, reasoningOpaque: signature },
      reasoningBlocks: { provider: 'anthropic-messages', blocks: [{ type: 'thinking', thinking: mark, signature }] },
    },
    { content: leftOutText.thinking },
  ],
  ['an attachment', 'copilot-cli', { type: 'blob', mimeType: 'image/png', data: altered }, undefined],
  ['thinking', 'pi', { type: 'thinking', thinking: mark, thinkingSignature: signature }, thinking()],
  ['a signed text', 'pi', { type: 'text', text: mark, textSignature: signature }, { type: 'text', text: mark }],
  ['an image', 'pi', { type: 'image', mimeType: 'image/png', data: altered }, image()],
]

describe('repairPart', () => {
  it.each(blocks)('replaces %s of %s', (_, agent, part, instead) => {
    const repaired = repair(agent, part)
    expect(repaired).toBeDefined()
    expect(repaired!.part).toEqual(instead)
  })

  it.each(blocks)('keeps %s of %s from which nothing was removed', (_, agent, part) => {
    const whole = JSON.parse(JSON.stringify(part).replaceAll(/\[secret: [\w-]+\]/g, 'safe')) as JsonObject
    expect(repair(agent, whole)).toBeUndefined()
  })

  it('keeps text without a signature, of which anything may be removed', () => {
    expect(repair('claude-code', { type: 'text', text: mark })).toBeUndefined()
    expect(repair('claude-code', { type: 'thinking', thinking: mark, signature: '' })).toBeUndefined()
    expect(repair('pi', { type: 'text', text: mark })).toBeUndefined()
    expect(repair('copilot-cli', { content: mark, reasoningText: mark })).toBeUndefined()
  })
})
