// What the tool hook says to its host: the guard's verdict, in the words of an answer.

import type { Repository } from '@switchyard/ground/repository'
import { said } from '@switchyard/guard/finding'
import { judgeTool, unjudgedCall } from '@switchyard/guard/judge'
import type { Verdict } from '@switchyard/guard/verdict'
import type { Answer, HostEvent } from '@switchyard/wire/host-event'
import { openGuardWorld } from '../config/guard-world.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A tool that an agent is about to use, in the environment of its hook. */
type Asked = {
  readonly event: Extract<HostEvent, { event: 'pre-tool' }>
  readonly env: Env
  /** The worktree of the issue that the session works, wherever it stands. */
  readonly worktree?: string | undefined
  /** The repository around the session's folder, where the hook has looked for it already. */
  readonly repository?: Repository | undefined
}

/** Whether the tool may be used. Reasons are without the secrets of the environment. */
export async function answerTool({ event, env, worktree, repository }: Asked): Promise<Answer> {
  const { cwd, agentType, tool } = event
  const world = openGuardWorld(env, repository && [[cwd, repository]])
  const { verdict, warning } = await judgeTool(tool, { cwd, agentType, worktree }, world)
  const more = warning === undefined ? {} : { warning }
  if (verdict.decision === 'allow') return { do: 'allow', ...more }
  const { reasonText } = await import('./reason-text.ts')
  return answerOf(verdict, reasonText(verdict, env), more)
}

function answerOf({ decision }: Verdict, reason: string, more: { readonly warning?: string }): Answer {
  if (decision === 'deny' || decision === 'ask') return { do: decision, reason, ...more }
  return { do: 'allow', warning: reason }
}

/** The answer where a hook fails before there is anything to judge. */
export function unjudgedAnswer(error: unknown, env: Env): Answer {
  const verdict = unjudgedCall(error, env)
  return answerOf(verdict, said(verdict), {})
}
