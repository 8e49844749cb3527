import { describe, expect, it } from 'vitest'
import { ignoresMemory, isHealthCheck, speechAct } from './classify-prompt.ts'

describe('speechAct', () => {
  it.each([
    'thanks!',
    'perfect, thank you so much 🎉',
    'Great, it works now',
    'ok cool, looks good to me',
    'Danke dir, passt so',
    'merci beaucoup !',
    'lgtm',
    'thanks, that was quick',
  ])('takes "%s" for acceptance', (prompt) => expect(speechAct(prompt)).toBe('approval'))

  it.each(['forget it', 'ok never mind, not worth it', 'let’s leave it'.replace('’', "'"), 'vergiss es', 'nvm'])(
    'takes "%s" for giving up',
    (prompt) => expect(speechAct(prompt)).toBe('give-up'),
  )

  it.each(['no, use tabs', 'that is not what I meant', 'Nein, das ist falsch', 'you forgot the tests'])(
    'takes "%s" for a correction',
    (prompt) => expect(speechAct(prompt)).toBe('correction'),
  )

  it.each(['it still fails', 'still 16.04. this doesnt work', 'no luck, same error'])(
    'takes "%s" for a report of failure',
    (prompt) => expect(speechAct(prompt)).toBe('failure-report'),
  )

  it.each([
    'great, commit it',
    'thanks, also tell me what you found',
    'looks good, but the title is wrong',
    'Work through the night',
    'never mind the tests, run the build instead please',
    'fix the login',
    'done with the parser? then start the lexer',
  ])('takes "%s" for something else', (prompt) => expect(speechAct(prompt)).toBe('other'))
})

describe('isHealthCheck', () => {
  it.each(['ping', 'Hello!', 'What is 2+2?', 'Reply with exactly OK. Do not edit files.', '[[ ## query ## ]]\nhi'])(
    'recognises "%s"',
    (prompt) => expect(isHealthCheck(prompt)).toBe(true),
  )

  it.each(['hello world page in Flask', 'test the parser', 'print the invoice'])('rejects "%s"', (prompt) =>
    expect(isHealthCheck(prompt)).toBe(false),
  )
})

describe('ignoresMemory', () => {
  it.each([
    'ignore memory',
    'Please ignore your memory for this session.',
    'do this without memory, from scratch',
    "don't use the memories",
    'disregard the brief and look at the code',
  ])('obeys "%s"', (prompt) => expect(ignoresMemory(prompt)).toBe(true))

  it.each(['use memory again', 'stop ignoring your memory'])('is revoked by "%s"', (prompt) =>
    expect(ignoresMemory(prompt)).toBe(false),
  )

  it.each([
    'ignore memory leaks in the tests',
    'do not use memory mapped files',
    'skip the memory test',
    'fix the brief',
  ])('is not meant by "%s"', (prompt) => expect(ignoresMemory(prompt)).toBeUndefined())
})
