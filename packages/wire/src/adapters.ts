import type { Adapter } from './adapter.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { type Host, hostNamed } from './host.ts'
import { type Fields, textIn } from './host-fields.ts'
import { opencode } from './opencode.ts'

export const adapters: Readonly<Record<Host, Adapter>> = { claude, codex, gemini, opencode }

/**
 * The host that sends these fields, where its hook does not name itself with --host: by what only one of them sends.
 * The environment says nothing, since an agent that is started by another inherits it.
 */
export function detectHost(fields: Fields): Host {
  const named = hostNamed(textIn(fields, 'host'))
  if (named !== undefined) return named
  if (textIn(fields, 'timestamp') !== undefined) return 'gemini'
  const isRollout = /(?:^|[/\\])rollout-[^/\\]*$/.test(textIn(fields, 'transcript_path') ?? '')
  return isRollout || textIn(fields, 'turn_id') !== undefined ? 'codex' : 'claude'
}
