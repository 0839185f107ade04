import { ancestors } from '../caller/ancestors.ts'
import { sessionOf } from '../record/env-session.ts'
import type { Session } from '../state/event-schema.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Whether a tool of this session started this process. Claude Code names the session to tools and hooks alike, and the
 * project's folder to hooks alone; a shell in between keeps what the tool was started with. Other hosts do not tell.
 */
export function isTypedIn(session: Session, env: Env): boolean {
  const environments = [env, ...ancestors().map((ancestor) => ancestor.env)]
  return environments.some((one) => {
    const named = sessionOf(one)
    return named?.host === 'claude' && session.host === 'claude' && named.id === session.id && isOfTool(one)
  })
}

const isOfTool = (env: Env) => !env['CLAUDE_PROJECT_DIR'] || /_agent$/.test(env['AI_AGENT'] ?? '')
