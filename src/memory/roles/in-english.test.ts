import { expect, it } from 'vitest'
import { inEnglish } from './in-english.ts'

it.each([
  ['tabs statt leerzeichen verwenden', 'tabs instead of leerzeichen use'],
  ['nie mit npm installieren, immer mit pnpm', 'never with npm installieren, always with pnpm'],
  ['utiliser npm au lieu de yarn', 'use npm instead of yarn'],
  ['antes del despliegue se ejecutan siempre', 'before despliegue  ejecutan always'],
  ['prima i test, poi il commit', 'first the test, then the commit'],
  ['сначала тесты, потом коммит', 'first тесты, then коммит'],
])('reads the function words of %s', (said, english) => {
  expect(inEnglish(said)).toBe(english)
})

it.each([
  'run tests with pnpm, never with npm',
  'the mit license is used',
  'prefer die-cast models over an in-house one',
])('leaves English alone: %s', (said) => expect(inEnglish(said)).toBe(said))
