import { openTerminal, toolPath } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { sessions } from './sessions.ts'

/** Takes the title of a terminal, and moves up to write over what stands there. */
const hostile = '\\033]0;owned\\007\\033[1A\\033[2Kfaked'

it('what an agent has printed does nothing to a terminal that shows it', async () => {
  const at = sessions({ act: `printf '${hostile}' >&2; printf 'a ${hostile}\\n' >made; git add made` })
  const id = at.spawn('Work', '--worktree')
  at.wait(id)
  expect(at.scope(['logs', id, '--output']).stdout).toContain('\u001b]0;owned\u0007')
  const shell = openTerminal(at.root, 'PS1="ready> " exec sh -i', { PATH: [at.bin, toolPath()].join(':') })
  await shell.see(/ready>/)
  for (const [words, shown] of [
    [['logs', id, '--output'], /faked/],
    [['worktree', 'diff', id], /\+a faked/],
  ] as const) {
    const title = shell.ask('#{pane_title}')
    shell.type(`clear; echo begin; scope ${words.join(' ')}; echo "shown ${words[0]}"`)
    shell.keys('Enter')
    const screen = await shell.see(new RegExp(`^shown ${words[0]}$`, 'm'))
    expect(screen).toMatch(shown)
    expect([words[0], /^begin$/m.test(screen), shell.ask('#{pane_title}')]).toEqual([words[0], true, title])
  }
})
