import { describe, expect, it } from 'vitest'
import { guideText } from './guide-text.ts'

const plain = (text: string) => text
const style = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, blue: plain }
const at = (columns: number) => ({ columns, style })

describe('guideText', () => {
  it('joins lines of a paragraph and of a list item, and wraps them', () => {
    const markdown = '# Tides\n\nThe sea rises\nand falls.\n\n- High water comes\n  twice a day.\n- Low water too.\n'
    expect(guideText(markdown, at(22))).toBe(
      'Tides\n\nThe sea rises and\nfalls.\n\n- High water comes\n  twice a day.\n- Low water too.',
    )
  })

  it('keeps code as it is, indented', () => {
    expect(guideText('Run:\n\n```\nrecollect   sweep\n\nrecollect\n```\n', at(80))).toBe(
      'Run:\n\n  recollect   sweep\n\n  recollect',
    )
  })

  it('wraps what explains a command behind it', () => {
    const code = '```\nrecollect tide        the sea rises and falls twice a day, everywhere\nrecollect\n```\n'
    expect(guideText(code, at(60))).toBe(
      '  recollect tide        the sea rises and falls twice a day,\n                        everywhere\n  recollect',
    )
    expect(guideText(code, at(40))).toBe(
      '  recollect tide\n      the sea rises and falls twice a\n      day, everywhere\n  recollect',
    )
    const wide = '```\nSELECT create_distributed_table(1,  2, colocate_with)\n```\n'
    expect(guideText(wide, at(30))).toBe('  SELECT create_distributed_table(1,  2, colocate_with)')
  })

  it('wraps cells of a table within their columns', () => {
    const markdown = '| word | meaning |\n|---|---|\n| `ebb` | the sea goes out and leaves \\| sand |\n| neap | small |'
    expect(guideText(markdown, at(30))).toBe(
      ['word  meaning', 'ebb   the sea goes out and', '      leaves | sand', 'neap  small'].join('\n'),
    )
  })

  it('names the command for a link to another guide', () => {
    const markdown = 'See [hooks.md](hooks.md#x), [the page](page.md), [below](#y), [SQLite](https://sqlite.org).'
    expect(guideText(markdown, at(120))).toBe(
      'See "recollect help hooks", the page ("recollect help page"), below, SQLite\n<https://sqlite.org>.',
    )
  })
})
