import { type Finished, run, type Started, start } from '@switchyard/testkit'
import type { Place } from './place.ts'

/** A session of an agent in a place: its environment, and what its hooks answer. */
export type SessionPlace = {
  /** A command that the agent runs. */
  loop(...args: string[]): Finished
  /** The agent wants to stop; its answer. */
  stop(lastMessage: string, more?: Record<string, unknown>): Finished
  /** The agent wants to stop while other things go on. */
  startStop(lastMessage: string): Started
}

export function sessionAt({ root }: Pick<Place, 'root'>, id: string, env: Record<string, string> = {}): SessionPlace {
  const input = (lastMessage: string, more: Record<string, unknown>) =>
    JSON.stringify({
      session_id: id,
      transcript_path: `${root}/none.jsonl`,
      cwd: root,
      hook_event_name: 'Stop',
      stop_hook_active: false,
      last_assistant_message: lastMessage,
      background_tasks: [],
      session_crons: [],
      ...more,
    })
  const args = ['hook', '--host', 'claude']
  return {
    loop: (...words) => run('loop', words, { cwd: root, env: { ...env, CLAUDE_CODE_SESSION_ID: id } }),
    stop: (lastMessage, more = {}) => run('loop', args, { cwd: root, env, input: input(lastMessage, more) }),
    startStop: (lastMessage) => start('loop', args, { cwd: root, env, input: input(lastMessage, {}) }),
  }
}

/** What a stop was answered with: the text of a block, the warning of one that was let go, or nothing. */
export function answered({ code, stdout, stderr }: Finished): { block?: string; warning?: string } {
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`)
  if (stdout.trim() === '') return {}
  const { decision, reason, systemMessage } = JSON.parse(stdout)
  return { ...(decision === 'block' ? { block: reason } : {}), ...(systemMessage ? { warning: systemMessage } : {}) }
}
