import { expect, it } from 'vitest'
import { cjkInEnglish } from './in-english-cjk.ts'

it.each([
  ['先测试再提交', 'first 测试, then 提交'],
  ['在提交之前先运行测试', 'before 提交, 运行测试'],
  ['用pnpm而不是npm', 'use pnpm, not npm'],
  ['永远不要直接推送到main', 'never 直接推送到 main'],
  ['从jest迁移到vitest', 'move from jest to vitest'],
  ['デプロイ前にテストを実行する', 'before デプロイ, テスト 実行'],
  ['npmではなくpnpmを使う', 'not npm, but pnpm use'],
  ['生成ファイルをコミットしない', '生成ファイル コミット never'],
])('reads the function words of %s', (said, english) => {
  expect(cjkInEnglish(said)).toBe(english)
})

it('leaves words alone that contain one of them: user, level, application', () => {
  expect(cjkInEnglish('用户级别应用')).toBe('用户级别应用')
})

it('reads long texts in linear time', () => {
  for (const text of ['先测试', '从', '在', 'は前に', 'aを', '不是', '用'])
    expect(cjkInEnglish(text.repeat(20_000)).length).toBeGreaterThan(0)
})
