// For each service: a conversation with everything in it that it accepts, and changes of it that it refuses.
import { describe, expect, it } from 'vitest'
import { jpeg, png, webp } from '../../pictures.ts'
import { anthropicViolations } from './anthropic.ts'
import { chatViolations } from './chat.ts'
import { geminiViolations, signedCall } from './gemini.ts'
import { imageProblem } from './images.ts'
import { responsesViolations } from './responses.ts'
import { isSealed, seal } from './seals.ts'

const picture = png(8, 8, 'a screen').bytes.toString('base64')
const altered = `${picture.slice(0, 60)}[secret: square-token]${picture.slice(80)}`

/** A path in a request, what to put there, and what is said about it. */
type Change = [name: string, path: string, value: unknown, violation: string]

function changed(request: object, path: string, value: unknown): object {
  const copy = structuredClone(request)
  const names = path.split('.')
  const last = names.pop()!
  let at = copy as Record<string, unknown>
  for (const name of names) at = at[name] as Record<string, unknown>
  if (value === undefined && Array.isArray(at)) at.splice(Number(last), 1)
  else if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

describe('anthropicViolations', () => {
  const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } })
  const result = (id: string, content: unknown = '') => ({ type: 'tool_result', tool_use_id: id, content })
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: seal('one', 'Hm.') }
  const said = { type: 'text', text: 'I look.' }
  const valid = {
    model: 'm',
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    tools: [{ name: 'Bash' }, { name: 'Read' }],
    messages: [
      { role: 'user', content: 'What is there?' },
      { role: 'assistant', content: [thinking, said, use('a'), use('b')] },
      { role: 'user', content: [result('a'), result('b', [image]), { type: 'text', text: 'And now?' }] },
      { role: 'system', content: 'It is late.' },
      { role: 'assistant', content: [{ type: 'redacted_thinking', data: seal('two') }, said] },
      { role: 'user', content: [image, { type: 'text', text: 'Thanks.' }] },
    ],
  }

  it('is empty for a valid request', () => {
    expect(anthropicViolations(valid)).toEqual([])
  })

  it.each<Change>([
    ['no messages', 'messages', [], 'none'],
    ['begins with the agent', 'messages.0.role', 'assistant', 'begins with assistant'],
    ['ends with the agent', 'messages.5', undefined, 'ends with assistant'],
    ['an unknown role', 'messages.0.role', 'tool', 'role tool'],
    ['an empty message', 'messages.0.content', '', 'text without content'],
    ['a blank text', 'messages.5.content.1.text', ' \n', 'text without content'],
    ['no content', 'messages.5.content', [], 'no content'],
    ['a blank text of the system', 'system.0.text', '', 'text without content'],
    ['no result', 'messages.2.content.0', undefined, 'no result of a'],
    ['a result twice', 'messages.2.content.1.tool_use_id', 'a', 'a stands there twice'],
    ['a result of no call', 'messages.1.content.2.id', 'other', 'result of a, which was not called'],
    ['a result after other content', 'messages.2.content.0', said, 'other content before a result'],
    ['text between call and result', 'messages.2', { role: 'system', content: 'Late.' }, 'no result of a'],
    ['an id twice', 'messages.1.content.3.id', 'a', 'a stands there twice'],
    ['an id with a dot', 'messages.1.content.2.id', 'a.b', 'id a.b'],
    ['a name with a dot', 'messages.1.content.2.name', 'a.b', 'name a.b'],
    ['a long name', 'messages.1.content.2.name', 'x'.repeat(201), 'name xxx'],
    ['a tool twice', 'tools.1.name', 'Bash', 'Bash stands there twice'],
    ['an input that is no object', 'messages.1.content.2.input', 'ls', 'input is not an object'],
    ['an empty error', 'messages.2.content.0.is_error', true, 'an error without content'],
    ['an image as an error', 'messages.2.content.1.is_error', true, 'an error with more than text'],
    ['a blank text in a result', 'messages.2.content.1.content', [{ type: 'text', text: '' }], 'text without content'],
    ['another text under a signature', 'messages.1.content.0.thinking', 'Hm?', 'not issued for this text'],
    ['another signature', 'messages.1.content.0.signature', seal('three', 'Hm?'), 'not issued for this text'],
    ['no signature', 'messages.1.content.0.signature', undefined, 'not issued for this text'],
    ['thinking of the user', 'messages.5.content.1', thinking, 'thinking of user'],
    ['thinking at the end', 'messages.4.content', [said, thinking], 'ends with thinking'],
    ['other hidden thinking', 'messages.4.content.0.data', 'AAAA', 'data that was not issued'],
    ['an altered image', 'messages.5.content.0.source.data', altered, 'not base64'],
    ['an image of another type', 'messages.5.content.0.source.media_type', 'image/webp', 'under image/webp'],
    ['an image of the agent', 'messages.4.content.1', image, 'image of assistant'],
    ['five places to cache', 'messages.0.content', five({ ...said, cache_control: { type: 'ephemeral' } }), '6 times'],
    ['half of a character', 'messages.0.content', 'a \ud83d', 'half of a surrogate pair'],
    ['no model', 'model', '', 'missing'],
    ['too much', 'messages.0.content', 'x'.repeat(33 * 2 ** 20), 'over 32 MB'],
  ])('%s', (_, path, value, violation) => {
    expect(anthropicViolations(changed(valid, path, value)).join('\n')).toContain(violation)
  })
})

describe('responsesViolations', () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'exec_command', arguments: '{"cmd":"ls"}' }
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: seal('one', '', 'fernet') }
  const valid = {
    model: 'm',
    store: false,
    input: [
      { role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
      { type: 'message', role: 'user', content: [image(picture), { type: 'input_text', text: 'What is there?' }] },
      reasoning,
      call,
      { type: 'custom_tool_call', call_id: 'b', name: 'apply_patch', input: '' },
      { type: 'function_call_output', call_id: 'a', output: '' },
      { type: 'custom_tool_call_output', call_id: 'b', output: [image(picture)] },
      { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'A crab.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Thanks.' }] },
    ],
  }

  function image(data: string): object {
    return { type: 'input_image', image_url: `data:image/png;base64,${data}` }
  }

  it('is empty for a valid request', () => {
    expect(responsesViolations(valid)).toEqual([])
  })

  it.each<Change>([
    ['nothing', 'input', [], 'none'],
    ['no output', 'input.5', undefined, 'no output of a'],
    ['no call', 'input.3', undefined, 'output of a, which is not awaited'],
    ['an output of another kind', 'input.5.type', 'custom_tool_call_output', 'output of a, which is not awaited'],
    ['an output twice', 'input.6', { type: 'function_call_output', call_id: 'a', output: '' }, 'not awaited'],
    ['an output that is null', 'input.5.output', null, 'no output'],
    ['an id twice', 'input.4', { ...call, id: 'fc_2' }, 'a stands there twice'],
    ['a long id', 'input.3.call_id', 'x'.repeat(65), 'call_id xxx'],
    ['an id of another kind', 'input.3.id', 'call_1', 'id call_1'],
    ['a name with a dot', 'input.3.name', 'a.b', 'name a.b'],
    ['arguments that are cut', 'input.3.arguments', '{"cmd":"l', 'not the JSON of an object'],
    ['arguments that are no text', 'input.3.arguments', {}, 'not the JSON of an object'],
    ['a patch that is no text', 'input.4.input', {}, 'input is not a text'],
    ['an unknown role', 'input.1.role', 'tool', 'role tool'],
    ['text of the agent as input', 'input.7.content.0.type', 'input_text', 'input_text is not allowed'],
    ['text of the user as output', 'input.8.content.0.type', 'output_text', 'output_text is not allowed'],
    ['an empty message', 'input.8.content', [], 'no content'],
    ['an altered image', 'input.1.content.0', image(altered), 'not base64'],
    ['an image without an address', 'input.6.output.0.image_url', 'here', 'neither an address nor a data URL'],
    [
      'an altered ciphertext',
      'input.2.encrypted_content',
      `${seal('one', '', 'fernet').slice(0, -4)}AAAA`,
      'not issued',
    ],
    ['no ciphertext', 'input.2.encrypted_content', undefined, 'nothing is stored'],
    ['no summary', 'input.2.summary', undefined, 'no summary'],
    ['reasoning alone', 'input.8', reasoning, 'without what came of it'],
    ['half of a character', 'input.5.output', '\udc00', 'half of a surrogate pair'],
  ])('%s', (_, path, value, violation) => {
    expect(responsesViolations(changed(valid, path, value)).join('\n')).toContain(violation)
  })
})

describe('chatViolations', () => {
  const call = (id: string) => ({ id, type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } })
  const valid = {
    model: 'm',
    tools: [{ type: 'function', function: { name: 'bash' } }],
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'What is there?' }, image(picture)] },
      { role: 'assistant', content: null, reasoning_opaque: seal('one'), tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'b', content: 'A crab.' },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'Two.' }] },
      { role: 'assistant', content: 'Crabs.' },
      { role: 'user', content: 'Thanks.' },
    ],
  }

  function image(data: string): object {
    return { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }
  }

  it('is empty for a valid request', () => {
    expect(chatViolations(valid)).toEqual([])
  })

  it.each<Change>([
    ['nothing', 'messages', [], 'none'],
    ['nothing but the system', 'messages', [{ role: 'system', content: 'x' }], 'nothing but the system'],
    ['no result', 'messages.3', undefined, 'no result of b'],
    ['a result twice', 'messages.3.tool_call_id', 'a', 'result of a, which is not awaited'],
    ['no call', 'messages.2', { role: 'assistant', content: 'I look.' }, 'not awaited'],
    ['something before the results', 'messages.3', { role: 'user', content: 'Quick.' }, 'no result of a'],
    ['a result that is null', 'messages.3.content', null, 'content null'],
    ['an empty result', 'messages.3.content', '', 'no content'],
    ['an image as a result', 'messages.4.content.0', image(picture), 'image_url of tool'],
    ['a message without content and calls', 'messages.5.content', '', 'neither content nor calls'],
    ['an empty list of calls', 'messages.5.tool_calls', [], 'an empty list of calls'],
    ['a long id', 'messages.2.tool_calls.0.id', 'x'.repeat(41), 'id xxx'],
    ['an id twice', 'messages.2.tool_calls.1.id', 'a', 'a stands there twice'],
    ['a call of no type', 'messages.2.tool_calls.0.type', undefined, 'type undefined'],
    ['a long name', 'messages.2.tool_calls.0.function.name', 'x'.repeat(65), 'name xxx'],
    ['arguments that are cut', 'messages.2.tool_calls.0.function.arguments', '{', 'not the JSON of an object'],
    ['an empty message', 'messages.6.content', '', 'no content'],
    ['a blank text', 'messages.1.content.0.text', '', 'text without content'],
    ['an altered image', 'messages.1.content.1', image(altered), 'not base64'],
    ['an altered ciphertext', 'messages.2.reasoning_opaque', 'AAAA', 'not issued'],
    ['a tool with a dot', 'tools.0.function.name', 'a.b', 'name a.b'],
    ['half of a character', 'messages.6.content', 'x\ud83d', 'half of a surrogate pair'],
  ])('%s', (_, path, value, violation) => {
    expect(chatViolations(changed(valid, path, value)).join('\n')).toContain(violation)
  })
})

describe('geminiViolations', () => {
  const call = (id: string, name = 'read_file') => ({ functionCall: { id, name, args: { path: 'a' } } })
  const response = (id: string, name = 'read_file') => ({ functionResponse: { id, name, response: { output: '' } } })
  const signature = seal('one', signedCall('read_file', { path: 'a' }))
  const image = { inlineData: { mimeType: 'image/png', data: picture } }
  const valid = {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'What is there?' }, image] },
      {
        role: 'model',
        parts: [{ text: 'Hm.', thought: true }, { ...call('a'), thoughtSignature: signature }, call('b')],
      },
      { role: 'user', parts: [response('a'), response('b'), image] },
      { role: 'model', parts: [{ text: 'A crab.', thoughtSignature: seal('two', 'A crab.') }] },
      { role: 'user', parts: [{ text: 'Thanks.' }] },
    ],
  }

  it('is empty for a valid request', () => {
    expect(geminiViolations(valid)).toEqual([])
  })

  it('accepts the documented signature for calls of another model', () => {
    const path = 'contents.1.parts.1.thoughtSignature'
    expect(geminiViolations(changed(valid, path, 'skip_thought_signature_validator'))).toEqual([])
  })

  it.each<Change>([
    ['nothing', 'contents', [], 'none'],
    ['begins with the agent', 'contents.0', undefined, 'begins with model'],
    ['ends with the agent', 'contents.4', undefined, 'ends with model'],
    ['calls after the agent', 'contents.0.role', 'model', 'calls that do not follow the user'],
    ['no response', 'contents.2.parts.0', undefined, '1 responses to 2 calls'],
    ['a response of another id', 'contents.2.parts.0.functionResponse.id', 'c', 'which was not called'],
    ['a response of another name', 'contents.2.parts.0.functionResponse.name', 'c', 'which was not called'],
    ['a response that is no object', 'contents.2.parts.0.functionResponse.response', 'x', 'response is not an object'],
    ['responses to nothing', 'contents.4.parts.0', response('c'), '1 responses to 0 calls'],
    ['a response of the agent', 'contents.3.parts.0', response('c'), 'functionResponse of model'],
    ['a call of the user', 'contents.4.parts.0', call('c'), 'functionCall of user'],
    ['no parts', 'contents.4.parts', [], 'no parts'],
    ['an empty part', 'contents.4.parts.0', {}, 'empty'],
    ['an empty text', 'contents.4.parts.0.text', '', 'text without content'],
    ['two things in a part', 'contents.4.parts.0.inlineData', image.inlineData, 'text and inlineData in one part'],
    ['a name with a space', 'contents.1.parts.2.functionCall.name', 'a b', 'name a b'],
    ['args that are no object', 'contents.1.parts.2.functionCall.args', 'a', 'args are not an object'],
    [
      'other args under a signature',
      'contents.1.parts.1.functionCall.args',
      {},
      'thoughtSignature that was not issued',
    ],
    ['an altered signature', 'contents.3.parts.0.thoughtSignature', 'AAAA', 'thoughtSignature that was not issued'],
    ['another text under a signature', 'contents.3.parts.0.text', 'A cat.', 'thoughtSignature that was not issued'],
    [
      'a signature of the user',
      'contents.4.parts.0.thoughtSignature',
      seal('x', 'Thanks.'),
      'thoughtSignature of user',
    ],
    ['an altered image', 'contents.0.parts.1.inlineData.data', altered, 'not base64'],
    ['an unknown role', 'contents.4.role', 'assistant', 'role assistant'],
    ['half of a character', 'contents.4.parts.0.text', 'x\ud83d', 'half of a surrogate pair'],
  ])('%s', (_, path, value, violation) => {
    expect(geminiViolations(changed(valid, path, value)).join('\n')).toContain(violation)
  })
})

describe('imageProblem', () => {
  const pictures = [png(1, 1, 'a'), png(64, 64, 'b'), jpeg(3000, 'c'), webp(3000, 'd')]

  it.each(pictures)('is undefined for $mediaType', ({ mediaType, bytes }) => {
    expect(imageProblem(mediaType, bytes.toString('base64'))).toBeUndefined()
  })

  it('finds one byte that is different, and a file that is cut', () => {
    const { bytes, mediaType } = png(8, 8, 'a')
    bytes[50] = bytes[50]! ^ 1
    expect(imageProblem(mediaType, bytes.toString('base64'))).toBe('image/png is damaged')
    for (const { mediaType, bytes } of pictures)
      expect(imageProblem(mediaType, bytes.subarray(0, -3).toString('base64'))).toBe(`${mediaType} is damaged`)
  })
})

describe('seals', () => {
  it.each(['base64', 'fernet'] as const)('are recognised as %s, beside their text', (form) => {
    const sealed = seal('seed', 'text', form)
    expect(isSealed(sealed, 'text', form)).toBe(true)
    expect(isSealed(sealed, 'texts', form)).toBe(false)
    expect(isSealed(`${sealed.slice(0, 9)}${sealed[9] === 'A' ? 'B' : 'A'}${sealed.slice(10)}`, 'text', form)).toBe(
      false,
    )
    expect(isSealed(sealed.replace(/=*$/, ' '), 'text', form)).toBe(false)
    expect(sealed).toMatch(form === 'fernet' ? /^gAAAAA[\w-]+=*$/ : /^[A-Za-z0-9+/]+=*$/)
  })
})

function five<T>(value: T): T[] {
  return Array.from({ length: 5 }, () => value)
}
