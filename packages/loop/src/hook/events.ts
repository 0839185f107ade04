// What loop does at each event of a session. What only a session with a loop needs is loaded for one.
import { existsSync, join } from '@switchyard/ground/machine'
import { rootOf } from '@switchyard/ground/repository'
import type { Store } from '@switchyard/topic'
import type { EventName } from '@switchyard/wire/adapter'
import type { Answer, HostEvent } from '@switchyard/wire/host-event'
import { lostLoop } from '../by-hook/lost-loop.ts'
import { claimIn, claimsIn } from '../record/session-topic.ts'
import type { Act, Acts, LoopHook } from './answer-hook.ts'

export const acts: Acts = {
  async 'pre-tool'(event, { store, folder, heard, session, env }) {
    const isBound = store !== undefined && heard !== 'unknown' && event.tool.kind !== 'other'
    const bound = isBound ? await import('../record/bound-worktree.ts') : undefined
    const repository = folder === event.cwd ? store?.repository : undefined
    const { answerTool } = await import('./answer-tool.ts')
    return answerTool({ event, env, repository, worktree: store && bound?.boundWorktree(store, session, env) })
  },

  /** For a host whose commands do not know their session: the one that ran `loop start` takes on what that began. */
  async 'post-tool'({ tool, result }, { store, session, env, now }) {
    const isStart = tool.kind === 'shell' && /\bloop\s+start\b/.test(tool.command ?? '')
    // Ids are in order of time: of several that it printed the last is the one that it began itself.
    const claim = isStart ? claimsIn(result).toSorted().at(-1) : undefined
    if (store === undefined || claim === undefined) return { do: 'allow' }
    const { takeOn } = await import('../by-hook/take-on.ts')
    await takeOn(claim, session, { store, env, now })
    return { do: 'allow' }
  },

  prompt: () => ({ do: 'allow' }),
  notice: () => ({ do: 'allow' }),

  async stop(event, hook) {
    const { store, session, heard } = hook
    if (store === undefined) return { do: 'allow' }
    if (heard === 'unknown' && claimIn(event.lastMessage) === undefined) return lostLoop(store, session)
    const { answerStop } = await import('./answer-stop.ts')
    return answerStop(event, { ...hook, store })
  },

  async 'session-start'(event, hook) {
    const { store } = hook
    if (store === undefined) return { do: 'allow' }
    const answer = await tellLoop(event, { ...hook, store })
    if (event.source === 'compact' || !hasSettings(store)) return answer
    return (await import('./waiting-settings.ts')).tellWaiting(answer, { ...hook, store })
  },

  'subagent-stop': inLoop(async (event, hook) => {
    if (!reviewer.test(event.agentType ?? '')) return { do: 'allow' }
    return (await import('./hold-reviewer.ts')).holdReviewer(event, hook)
  }),
  'pre-compact': inLoop(async (event, hook) => (await import('./write-anchor.ts')).writeAnchor(event, hook)),
  'session-end': inLoop(async (event, hook) => (await import('./end-session.ts')).endSession(event, hook)),
  'stop-failure': inLoop(async (event, hook) => (await import('./pause-at-limit.ts')).pauseAtLimit(event, hook)),
}

/** The reviewer as it is, or as a plugin names it. Hosts also call this hook for compactions, without a type. */
const reviewer = /^(?:[^:]+:)*reviewer$/

/** Answers an event that matters only in a session with a loop; any other session hears nothing. */
function inLoop<Name extends EventName>(act: Act<Name, LoopHook>): Act<Name> {
  return (event, hook) => {
    const { store, heard } = hook
    return store === undefined || heard === 'unknown' ? { do: 'allow' } : act(event, { ...hook, store })
  }
}

type Start = Extract<HostEvent, { event: 'session-start' }>

async function tellLoop(event: Start, hook: LoopHook): Promise<Answer> {
  if (hook.heard === 'unknown' && event.source !== 'clear') return { do: 'allow' }
  if (hook.heard === 'unknown') return (await import('./cleared-loop.ts')).clearedLoop(hook)
  return (await import('./greet-session.ts')).greetSession(event, hook)
}

/** Looks at one name: where there is none, nothing more is loaded. */
const hasSettings = ({ repository, root }: Store) =>
  existsSync(join(repository === undefined ? root : rootOf(repository.commonDir), 'loop.json'))
