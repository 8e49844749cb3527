import { describe, expect, it } from 'vitest'
import { type EvidenceEvent, gitEvidence } from './git-evidence.ts'

const cwd = '/home/ada/code/tide/.worktrees/1'

function ran(command: string, text: string, more: { input?: object; exit?: number } = {}): EvidenceEvent[] {
  const call = `${command}#${text}`
  return [
    { kind: 'tool_call', call, text: '', input: { command, ...more.input } },
    { kind: 'tool_result', call, text, ...(more.exit === undefined ? {} : { exit: more.exit }) },
  ]
}

const pushed = (url: string) => `remote: Resolving deltas\nTo ${url}\n   1234567..89abcde  fix-login -> fix-login\n`
const listed = [
  '/home/ada/code/tide               1234567 [main]',
  '/home/ada/code/tide/.worktrees/1  89abcde [fix-login]',
].join('\n')

describe('gitEvidence', () => {
  it.each([
    ['git push', pushed('github.com:acme/tide.git')],
    [
      'git add . && git commit -m "a | b" && git push -u origin fix-login 2>&1 | tail -3',
      pushed('git@github.com:acme/tide'),
    ],
    ['git push', 'To https://github.com/acme/tide.git\n * [new branch]      fix-login -> fix-login\n'],
    ['git remote -v', 'origin\thttps://github.com/acme/tide.git (fetch)\nfork\tgit@github.com:ada/tide.git (fetch)'],
    ['git remote get-url origin', 'git@github.com:acme/tide.git\n'],
    [`cd ${cwd} && git push`, pushed('https://github.com/acme/tide')],
  ])('finds the remote in the output of %s', (command, output) => {
    expect(gitEvidence(ran(command, output), cwd)).toEqual({ remote: 'github.com/acme/tide' })
  })

  it.each([
    ['git worktree list', listed],
    ['git worktree list --porcelain', `worktree /home/ada/code/tide\nHEAD 12\n\nworktree ${cwd}\nHEAD 34\n`],
    ['git rev-parse --show-toplevel', '/home/ada/code/tide\n'],
  ])('finds the main working tree in the output of %s', (command, output) => {
    expect(gitEvidence(ran(command, output), cwd)).toEqual({ root: '/home/ada/code/tide' })
  })

  it.each([
    ['a push in another folder', ran('cd ../../../reef && git push', pushed('github.com:acme/reef.git'))],
    ['a push in a clone below', ran('cd reef && git push', pushed('github.com:acme/reef.git'))],
    ['a push between two', ran(`cd reef; git push; cd ${cwd}`, pushed('github.com:acme/reef.git'))],
    ['a push of another repository', ran('git -C ../reef push', pushed('github.com:acme/reef.git'))],
    ['a push to a fork', ran('git push ada fix-login', pushed('github.com:ada/tide.git'))],
    ['a failed command', ran('git remote -v', 'origin\tgit@github.com:acme/tide.git (fetch)', { exit: 1 })],
    ['an absolute folder of the call', ran('git push', pushed('github.com:a/b.git'), { input: { workdir: '/srv/b' } })],
    ['a filtered list', ran('git worktree list | tail -1', listed)],
    ['a folder among other output', ran('pwd; git rev-parse --show-toplevel', cwd)],
    ['worktrees of another repository', ran('git worktree list', '/srv/reef  1234567 [main]')],
    ['text that a program printed', ran('cat notes.md', pushed('github.com:acme/reef.git'))],
    ['a local remote', ran('git push', pushed('/srv/git/tide.git'))],
  ])('ignores %s', (_, events) => {
    expect(gitEvidence(events, cwd)).toEqual({})
  })

  it('ignores what follows a `cd` elsewhere, until the shell is back', () => {
    const away = [...ran('cd /srv/reef', ''), ...ran('git push', pushed('github.com:acme/reef.git'))]
    expect(gitEvidence(away, cwd)).toEqual({})
    const back = [...away, ...ran(`cd ${cwd}`, ''), ...ran('git push', pushed('github.com:acme/tide.git'))]
    expect(gitEvidence(back, cwd)).toEqual({ remote: 'github.com/acme/tide' })
  })

  it('follows the shell back by relative folders', () => {
    const events = [...ran('cd src', ''), ...ran('cd ..', ''), ...ran('git push', pushed('github.com:acme/tide.git'))]
    expect(gitEvidence(events, cwd)).toEqual({ remote: 'github.com/acme/tide' })
  })

  it('reads Windows paths', () => {
    const events = ran('cd D:\\tide && git push', pushed('github.com:acme/tide.git'))
    expect(gitEvidence(events, 'D:\\tide')).toEqual({ remote: 'github.com/acme/tide' })
  })

  it('decides nothing if the output names two remotes', () => {
    const events = [
      ...ran('git push', pushed('github.com:acme/tide.git')),
      ...ran('git push', pushed('github.com:acme/reef.git')),
    ]
    expect(gitEvidence(events, cwd)).toEqual({})
  })
})
