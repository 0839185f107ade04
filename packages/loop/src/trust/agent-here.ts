// Whether this process is an agent's: what a person decides is not decided by who works for him.

import { ancestors } from '@switchyard/exec'
import type { Env } from '@switchyard/ground/state-folder'
import { locateStore } from '@switchyard/topic'
import { isInWorktree } from '../caller/in-worktree.ts'
import { hasTerminal } from '../caller/terminal.ts'
import { ownersAtWork } from '../record/run-folder.ts'
import { isActive, standings } from '../record/standing.ts'

const ofRun = /^LOOP_(?!DISABLE$)/
/** A port of an editor's extension is no sign of a session: the person's own terminals there have it too. */
const ofSession =
  /^(?:CLAUDECODE|CLAUDE_CODE_(?:SESSION|ENTRYPOINT)|CODEX_(?:SANDBOX|THREAD|SESSION)|GEMINI_(?:CLI$|SESSION)|OPENCODE(?:$|_SESSION))/

type Caller = { readonly env: Env; readonly cwd: string; readonly now: () => number }

/**
 * By what this process is known for an agent's, in words; undefined for a person's. All processes above it are looked
 * at, in whatever session or group. One that has shed those and has no terminal may be a person's script: it is one as
 * long as nothing is at work here.
 */
export function whyAgents({ env, cwd, now }: Caller): string | undefined {
  if (isInWorktree(cwd)) return 'this folder is a worktree of loop'
  const above = ancestors()
  for (const one of [env, ...above.map((ancestor) => ancestor.env)]) {
    const found = Object.keys(one).find((name) => ofRun.test(name) || ofSession.test(name))
    if (found !== undefined) return `${found} is set`
  }
  // The repository's own, whatever the environment names.
  const bus = locateStore({ cwd, env: { ...env, JWZ_STORE: undefined }, name: '.jwz', variable: 'JWZ_STORE' })
  const runs = bus.repository === undefined ? [] : ownersAtWork(bus.repository.commonDir)
  const starter = runs.find(({ owner: { pid, start } }) => above.some((one) => one.pid === pid && one.start === start))
  if (starter !== undefined) return `run ${starter.run} has started it`
  if (hasTerminal()) return undefined
  const atWork = runs[0]?.run ?? standings(bus, now()).find(isActive)?.run
  return atWork === undefined ? undefined : `run ${atWork} is at work, and nobody is at a terminal here`
}
