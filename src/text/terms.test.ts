import { describe, expect, it } from 'vitest'
import { termsOf } from './terms.ts'

describe('the terms of a text', () => {
  it.each([
    ['words without their endings', 'deciding decided decides', 'decid decid decid'],
    ['forms that share no ending', 'she went and bought two mice', 'go bui two mous'],
    ['no stop words', 'what did you do with the parser?', 'parser'],
    ['no possessives', "Ann's parser isn’t Bob's", 'ann parser bob'],
    ['camelCase in parts and whole', 'parseQuery', 'pars queri parsequery'],
    ['capitals in a row', 'HTTPServer', 'http server httpserver'],
    ['snake_case in parts and whole', 'ERR_MODULE_NOT_FOUND', 'err modul find err_module_not_found'],
    ['a path as its parts in a row', 'src/recall/query.ts:12', 'src recal queri ts 12'],
    ['an error line', 'TypeError: x.map is not a function', 'type error typeerror x map function'],
    ['accents folded', 'Prüfung café ﬁle', 'prufung cafe file'],
    ['full width as plain', 'ＡＢＣ１２', 'abc12'],
    ['long words from behind, too', 'Datenbankverbindung', 'datenbankverbindung ~gnudnibrevknabnetad'],
    ['Chinese as pairs', '数据库', '数据 据库 库'],
    ['Japanese between words', 'APIを呼ぶ', 'api を呼 呼ぶ ぶ'],
    ['Korean as pairs', '관리자', '관리 리자 자'],
    ['Thai as pairs', 'ฐาน', 'ฐา าน น'],
    ['Cyrillic words', 'Разборщик теряет', 'разборщик теряет'],
    ['nothing of a hash', 'a3f5'.repeat(16), ''],
    ['nothing of signs', '--- *** ???', ''],
  ])('%s', (_, text, terms) => {
    expect(termsOf(text).join(' ')).toBe(terms)
  })
})
