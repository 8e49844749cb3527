import { describe, expect, it } from 'vitest'
import { endingsOf, lastPart, projectNamesOf } from './project-names.ts'

describe('projectNamesOf', () => {
  const names = (...keys: string[]) => [...projectNamesOf(keys).values()]

  it('is the last part where that is enough', () =>
    expect(names('github.com/acme/tide', '/home/ada/notes', 'D:\\reef')).toEqual(['tide', 'notes', 'reef']))

  it('is as long as needed to tell projects apart', () =>
    expect(names('/home/ada/work/cli', '/home/ada/play/cli', '/srv/play/cli', '/home/ada/app')).toEqual([
      'work/cli',
      'ada/play/cli',
      'srv/play/cli',
      'app',
    ]))

  it('is owner and name for a remote, also beside a clone in a folder of that name', () =>
    expect(names('github.com/acme/cli', '/home/ada/src/acme/cli', 'gitlab.com/tide/cli')).toEqual([
      'acme/cli',
      'src/acme/cli',
      'tide/cli',
    ]))

  it('has the host where owner and name are the same', () =>
    expect(names('github.com/acme/cli', 'gitlab.com/acme/cli')).toEqual(['github.com/acme/cli', 'gitlab.com/acme/cli']))

  it('is whole where one path ends like another', () =>
    expect(names('/cli', '/home/cli')).toEqual(['/cli', 'home/cli']))

  it('does not differ in case alone', () =>
    expect(names('/home/ada/Tide', '/srv/tide')).toEqual(['ada/Tide', 'srv/tide']))

  it('is something for an odd identity', () => expect(names('/', '', 'a/')).toEqual(['/', '', 'a']))
})

it('endingsOf lists what a person may type', () => {
  expect(endingsOf('/home/ada/tide/')).toEqual(['tide', 'ada/tide', 'home/ada/tide'])
  expect(lastPart('C:\\code\\tide')).toBe('tide')
})

describe('a path with thousands of parts', () => {
  it('has few endings', () => expect(endingsOf('a/'.repeat(100_000)).length).toBeLessThan(100))
})
