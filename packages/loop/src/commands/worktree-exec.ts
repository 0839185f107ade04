import process from 'node:process'
import { defineVerb } from '@switchyard/cli-kit'
import { attach, cleanEnv } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import { environmentAt } from '../worktree/environment.ts'
import { openPlace } from '../worktree/open-place.ts'
import { findOurs, listOurs } from '../worktree/our-worktrees.ts'

/**
 * `loop worktree exec`: runs a command in a worktree, told where it is by the environment. Exits as the command does,
 * 3 when there is no such worktree, 8 when there is no such command.
 */
export const worktreeExec = defineVerb({
  summary: 'Run a command in a worktree',
  args: [
    { name: 'id', summary: 'Its issue or name, or how that begins', complete: 'worktree' },
    { name: 'command', summary: 'Behind --: the program and its arguments', rest: true },
  ],
  examples: ['loop worktree exec try-it -- git status --short'],
  async run({ args, cwd, env, now }) {
    const place = await openPlace({ cwd, env, now })
    const { facts } = findOurs(await listOurs(place), args.id)
    if (facts.state === 'missing') {
      throw new Failure('notFound', `the folder of ${facts.id} is gone: ${facts.path}`, { hint: 'loop worktree prune' })
    }
    const quit = new AbortController()
    const pass = () => quit.abort()
    // An interrupt at the keyboard reaches the command itself; this process only has to outlive it.
    const stay = () => undefined
    process.on('SIGTERM', pass).on('SIGINT', stay)
    try {
      const inherited = { ...cleanEnv(env), ...environmentAt(place, facts) }
      return await attach(args.command, { cwd: facts.path, env: inherited, signal: quit.signal })
    } finally {
      process.off('SIGTERM', pass).off('SIGINT', stay)
    }
  },
})
