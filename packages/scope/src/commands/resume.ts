import process from 'node:process'
import { type Call, defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { holdLock } from '@switchyard/jsonl'
import { accessLevels } from '../adapter.ts'
import { type Budget, budgetOf, type Spending, whyOver } from '../budget.ts'
import { budgetFlags, budgetIn } from '../budget-flags.ts'
import { readConfig } from '../config/config-file.ts'
import { goOn, type Orders, ordersOf } from '../end/go-on.ts'
import { scribeOf } from '../session/bus.ts'
import { isPaused, type Session } from '../session/fold-session.ts'
import { look } from '../session/look.ts'
import { findSession } from '../session/read-session.ts'
import type { Scribe } from '../session/record.ts'
import { needScope, sessionLock } from '../session/scope-store.ts'
import { spentBy } from '../session/spending.ts'
import { isOver } from '../session/transitions.ts'
import { depthMaxOf } from '../start/depth.ts'
import { forkPlan } from '../start/fork-plan.ts'
import { readLaunch } from '../start/launch.ts'
import { requireDepth } from '../start/room.ts'
import { spawnSession } from '../start/spawn-session.ts'
import { startSupervisor } from '../start/start-supervisor.ts'
import { openGit } from '../worktree/git.ts'

const iterationsMax = 1000

const spec = {
  summary: 'Go on with a session or a loop that is over or paused',
  args: [
    { name: 'session', summary: 'Id or name', complete: 'session' },
    { name: 'prompt', summary: 'What it is told', optional: true },
  ],
  flags: {
    fork: { type: 'boolean', summary: 'As a new session, in a copy of its conversation; it stays as it is' },
    access: { type: 'choice', choices: accessLevels, summary: 'What it may do unasked from now on' },
    'max-iterations': {
      ...({ type: 'integer', value: 'N', min: 1, max: iterationsMax } as const),
      summary: 'Of a loop: how many iterations it may have in all',
    },
    ...budgetFlags,
  },
  examples: [
    'scope resume 0 "The tests of the parser still fail"',
    'scope resume 1 --max-iterations 6',
    'scope resume 2 "Try it without a cache" --fork',
  ],
} as const

/**
 * `scope resume`: takes up a session that is over or paused, in its folder and its agent's own conversation; a loop at
 * the iteration that it had come to. The worktree of a paused one is made anew. Exits 3 when it does not exist, 5 when
 * it is still at work, its agent has told no conversation, the loop has no iteration left, or its branch is checked out
 * elsewhere, 9 when it has spent what it may. With --fork a new session goes on with a copy, also of one at work.
 */
export const resume = defineVerb({
  ...spec,
  async run(call) {
    const { args, flags, env, output } = call
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const { id } = findSession(store, args.session)
    if (flags.fork) return fork(call, scribe, await look(scribe, id))
    const world = { scribe, grounds: { env, git: openGit(env), repository: store.repository } }
    const given = await holdLock(sessionLock(store, id), async () => {
      const session = await look(scribe, id)
      return goOn(world, session, ordersFor(call, scribe, session, ordersOf(world, session)))
    })
    if (given.some(({ uncommitted }) => uncommitted)) output.note('scope: what was in no commit is so again')
    for (const path of given.flatMap(({ left }) => left))
      output.note(`scope: ${path} stays there: something else has its place`)
    output.one({ v: 1, id }, { text: () => id, id: () => id })
    return undefined
  },
})

async function fork(call: Call<typeof spec>, scribe: Scribe, session: Session): Promise<undefined> {
  const { args, flags, env, output, cwd } = call
  if (flags['max-iterations'] !== undefined) throw new Failure('usage', 'expected no --max-iterations with --fork')
  const { store } = scribe
  const { launch } = readLaunch(store, session.id, env)
  const budget = budgetAfter(launch.budget, budgetIn(flags))
  const plan = forkPlan(session, launch, { prompt: args.prompt, access: flags.access, budget }, env)
  const config = readConfig(env)
  requireDepth(plan.parent, depthMaxOf(undefined, config, env))
  const { id } = await spawnSession(plan, {
    ...{ scribe, env, cwd, pid: process.pid },
    room: { max: config.max_running, isQueued: false, now: call.now },
    startSupervisor: (made, whole) => startSupervisor(store, made, { ...whole, env }),
  })
  output.one({ v: 1, id }, { text: () => id, id: () => id })
  return undefined
}

/** What it may spend in all, with what it has spent before. */
function budgetAfter(before: Budget | undefined, { maxCostUsd, maxTokens }: ReturnType<typeof budgetIn>) {
  const { max_cost_usd, max_tokens } = before ?? { max_cost_usd: null, max_tokens: null }
  return budgetOf(maxCostUsd ?? max_cost_usd ?? undefined, maxTokens ?? max_tokens ?? undefined)
}

function ensureMoney(id: string, budget: Budget | undefined, spent: Spending): void {
  const over = whyOver(budget, spent)
  if (over === undefined) return
  throw new Failure('limit', `session ${id} cannot go on: ${over.reason}`, {
    hint: `allow more in all: scope resume ${id} --max-${over.limit} …`,
    retryable: false,
  })
}

/** What it is told, how many iterations it may have, and what it may do and spend. */
function ordersFor({ args, flags }: Call<typeof spec>, { store }: Scribe, session: Session, before: Orders): Orders {
  const { id, state } = session
  if (!isOver(state) && !isPaused(session)) {
    throw new Failure('conflict', `session ${id} is ${state}`, { hint: `scope wait ${id}` })
  }
  const { launch, contract } = before
  const { loop } = launch
  const max = flags['max-iterations'] ?? loop?.max_iterations ?? 0
  if (loop === undefined) ensureConversation(session, flags['max-iterations'])
  else ensureIterations(session, max, args.prompt)
  const budget = budgetAfter(launch.budget, budgetIn(flags))
  ensureMoney(id, budget, spentBy(store, session))
  return {
    launch: {
      ...{ ...launch, access: flags.access ?? launch.access },
      ...(budget === undefined ? {} : { budget }),
      ...(loop === undefined ? {} : { loop: { ...loop, max_iterations: max } }),
    },
    contract: loop === undefined ? told(session, contract, args.prompt) : contract,
  }
}

/** An agent that has told of no conversation begins with its contract, whatever else it is told. */
function told({ agentSession }: Session, contract: string, prompt: string | undefined): string {
  if (prompt === undefined) return contract
  return agentSession === null ? `${contract}\n\n${prompt}` : prompt
}

function ensureConversation(session: Session, max: number | undefined): void {
  const { id, agentSession } = session
  if (max !== undefined) throw new Failure('usage', `session ${id} is no loop, and has no iterations`)
  // One that is paused has not come to an end, and may as well begin again.
  if (agentSession !== null || isPaused(session)) return
  throw new Failure('conflict', `the agent of session ${id} has told of no conversation to go on with`, {
    hint: `start it anew: scope spawn`,
    retryable: false,
  })
}

function ensureIterations({ id, state, loop }: Session, max: number, prompt: string | undefined): void {
  if (prompt !== undefined) {
    throw new Failure('usage', 'expected no prompt for a loop, whose agents have contracts of their own', {
      hint: `steer it by its rubric: scope rubric ${id}`,
    })
  }
  if (state === 'done') throw new Failure('conflict', `the work of loop ${id} was accepted`, { retryable: false })
  if (loop === null || loop.judged === null || !loop.isEnded || loop.judged + 1 < max) return
  throw new Failure('conflict', `loop ${id} has had its ${loop.judged + 1} iterations`, {
    hint: `scope resume ${id} --max-iterations ${loop.judged + 4}`,
    retryable: false,
  })
}
