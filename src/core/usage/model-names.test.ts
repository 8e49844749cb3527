import { describe, expect, it } from 'vitest'
import { fastName, listName, modelName, modelOfFast } from './model-names.ts'

describe('modelName', () => {
  it.each([
    ['claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5[1m]', 'claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['openrouter/anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-opus-4-6-v1:0', 'claude-opus-4-6'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet'],
    ['claude-opus-4-20250514-fast', 'claude-opus-4-fast'],
    ['gpt-5-2025-08-07', 'gpt-5'],
    ['gpt-5.5', 'gpt-5.5'],
    ['grok-code-fast-1', 'grok-code-fast-1'],
    ['Claude Opus 4.6 (Thinking)', 'claude-opus-4-6'],
    ['Gemini 3.5 Flash (High)', 'gemini-3.5-flash'],
    ['gemini-2.5-pro', 'gemini-2.5-pro'],
    ['house.model-v2', 'house.model-v2'],
    ['', ''],
  ])('%s is %s', (model, expected) => expect(modelName(model)).toBe(expected))
})

it('the name for price lists keeps its date', () => {
  expect(listName('us.anthropic.claude-sonnet-4-5-20250929-v1:0')).toBe('claude-sonnet-4-5-20250929')
  expect(listName('openai/gpt-4o-2024-05-13')).toBe('gpt-4o-2024-05-13')
})

it.each([
  [fastName('claude-opus-4-6'), 'claude-opus-4-6'],
  ['gpt-5.5-fast', 'gpt-5.5'],
  ['grok-4-fast', undefined],
  ['claude-opus-4-6', undefined],
])('%s is a fast %s', (name, expected) => expect(modelOfFast(name)).toBe(expected))
