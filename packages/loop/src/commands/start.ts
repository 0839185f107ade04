import { type Call, defineVerb, type Shown } from '@switchyard/cli-kit'
import { parseDuration } from '@switchyard/cli-kit/duration'
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { locateStore } from '@switchyard/topic'
import { beginIssues } from '../by-hook/begin-issues.ts'
import { beginTask } from '../by-hook/begin-task.ts'
import { openPlace } from '../by-hook/open-place.ts'
import type { StartResult } from '../by-hook/start-schema.ts'
import type { TurnWorld } from '../by-hook/turn-world.ts'
import { modeOf, readTask } from '../by-runner/goal.ts'
import { configRootOf, readConfig, requireTrusted } from '../config/read-config.ts'
import { ensureNoSecret, limitsOf, verifyOf } from '../config/start-settings.ts'
import { parseSession, sessionOf } from '../record/env-session.ts'
import { openRecord } from '../record/session-record.ts'
import { claimOf } from '../record/session-topic.ts'
import { workerOfSession } from '../record/worker-name.ts'
import type { Session } from '../state/event-schema.ts'
import { askingTrust } from '../trust/ask-trust.ts'
import { renderContinuation } from '../work/continuation.ts'

const flags = {
  issue: { type: 'string', value: 'ID', summary: 'Work this issue, in a worktree of its own' },
  issues: { type: 'boolean', summary: 'Work what tissue says is ready, one after the other' },
  file: { type: 'string', short: 'F', value: 'FILE', summary: 'Read the task from a file' },
  check: { type: 'string', value: 'CMD', summary: 'A line of shell that exits 0 when the task is done' },
  max: { type: 'integer', value: 'N', min: 1, max: 1000, summary: 'Iterations of the task; else 10' },
  verify: { type: 'string', value: 'CMD', summary: 'A line of shell that exits 0 when the work on an issue is good' },
  'max-iterations': { type: 'integer', value: 'N', min: 1, max: 1000, summary: 'Iterations of an issue; else 10' },
  review: { type: 'boolean', summary: 'Land an issue only with an approving review' },
  base: { type: 'string', value: 'BRANCH', summary: 'Where issues land; else what the main tree has checked out' },
  budget: { type: 'list', value: 'TOKENS', summary: 'What a task or issue may take, such as 200k' },
  deadline: { type: 'string', value: 'WHEN', summary: 'When it must be over: in 2h, or at a time' },
  session: { type: 'string', value: 'HOST:ID', summary: 'The session, instead of the one this runs in' },
} as const

type StartCall = Call<{
  summary: ''
  examples: []
  flags: typeof flags
  args: [{ name: 'task'; summary: ''; optional: true }]
}>

/** `loop start`: gives a task or issues to the session of an agent, which is sent back to work until they are done. */
const verb = defineVerb({
  summary: 'Keep the session of an agent at a task, or at issues, until they are done',
  args: [{ name: 'task', summary: 'What is to be done; - reads it from stdin', optional: true }],
  flags,
  examples: ["loop start 'fix the tests' --check 'npm test' --max 10", "loop start --issues --verify 'npm test'"],
  async run(call) {
    const { env, now, output } = call
    const within = env['LOOP_RUN_ID']
    if (within !== undefined && within !== '') {
      throw new Failure('conflict', `expected to be in no run, this is a part of run ${within}`, { retryable: false })
    }
    const session = call.flags.session === undefined ? sessionOf(env) : parseSession(call.flags.session)
    const run = ulid(now()).toLowerCase()
    const store = locateStore({ cwd: call.cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
    const { file, issue, issues } = call.flags
    const mode = modeOf({ words: call.args.task, issues, issue, file })
    const begin = mode === 'task' ? startTask : startIssues
    await begin(call, { run, store, session })
    const text = await firstText(run, session, { store, env, now, until: now() + hourMs })
    const claim = session === undefined ? claimOf(run) : null
    output.one<StartResult>({ run, session: session ?? null, claim, text }, shownStart)
    return undefined
  },
})

export const start = askingTrust(verb)

const hourMs = 3_600_000

type Start = {
  readonly run: string
  readonly store: ReturnType<typeof locateStore>
  readonly session: ReturnType<typeof sessionOf>
}

async function startTask(
  { args, flags: given, cwd, env, now, input }: StartCall,
  { run, store, session }: Start,
): Promise<void> {
  refuse(given, ['verify', 'max-iterations', 'base', 'review'], 'a task has --check and --max')
  const asked = readTask({ cwd, words: args.task, file: given.file, readStdin: () => input.readAll().toString('utf8') })
  const goal = redactorOf(env)(asked)
  ensureNoSecret(given.check ?? '', env)
  const config = readConfig(configRootOf(store), env)
  const { budget, deadline, max, check: verify = '' } = given
  const limits = limitsOf({ iterations: max, budget, deadline }, config, now())
  const staleAfterMs = parseDuration(config.stale_after) ?? 0
  await beginTask(store, session, { run, goal, verify, limits, cwd, staleAfterMs }, { now, env })
}

async function startIssues(
  { args, flags: given, cwd, env, now }: StartCall,
  { run, store, session }: Start,
): Promise<void> {
  refuse(given, ['check', 'max'], 'issues have --verify and --max-iterations')
  if (args.task !== undefined)
    throw new Failure('usage', 'expected --issues alone, got - behind it', { hint: 'loop run reads ids' })
  if (session === undefined) {
    throw new Failure('usage', 'expected to be in the session of an agent, this is none', {
      hint: 'name one with --session HOST:ID; or let loop run call the agent',
    })
  }
  const config = readConfig(configRootOf(store), env)
  const { budget, deadline, issue, base = config.base } = given
  const verify = verifyOf(given.verify, config)
  ensureNoSecret(verify, env)
  const review = given.review || config.review
  requireTrusted(config, 'worktree.setup', 'worktree.copy', 'push', 'pr', ...(review ? ['reviewer'] : []))
  const options = {
    run,
    issue,
    base,
    cwd,
    verify,
    review,
  }
  const limits = limitsOf({ iterations: given['max-iterations'], budget, deadline }, config, now())
  const staleAfterMs = parseDuration(config.stale_after) ?? 0
  await beginIssues(session, { ...options, limits, staleAfterMs }, { store, env, now, until: now() + hourMs })
}

function refuse(given: Readonly<Record<string, unknown>>, names: readonly string[], hint: string): void {
  const wrong = names.find((name) => given[name] !== undefined && given[name] !== false)
  if (wrong !== undefined) throw new Failure('usage', `expected flags that belong together, got --${wrong}`, { hint })
}

const shownStart: Shown<StartResult> = {
  text: ({ claim, text }) =>
    claim === null
      ? text
      : `In no session of an agent: the one that ends an answer with this word takes it on: ${claim}\n\n${text}`,
  id: ({ run }) => run,
}

/** What the agent is told when its run begins. */
async function firstText(run: string, session: Session | undefined, world: TurnWorld): Promise<string> {
  const who = session ?? { host: 'claude' as const, id: 'nobody' }
  const record = openRecord(world.store, who, run, world)
  const begun = record.read()
  if (begun === undefined) return ''
  const place = await openPlace({ record, world, worker: workerOfSession(who), session: who }, begun)
  try {
    const [facts, goal] = [await place.facts(), await place.goal()]
    const step = { do: 'run', iteration: begun.work?.iteration ?? 1 } as const
    return renderContinuation({ run: begun, step, steers: [], facts, goal, blocksLeft: undefined })
  } finally {
    place.close()
  }
}
