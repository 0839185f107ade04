// An agent in its terminal, from its start to its end, whoever talks to it meanwhile. The terminal is the supervisor's
// own: agent and supervisor share it, and what a person types is the agent's alone.
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { endTree } from '@switchyard/exec'
import { isFailure } from '@switchyard/ground/failure'
import { orderedAgent } from '../agents/find-agent.ts'
import { endLeft } from '../session/end-left.ts'
import { isPaused, type Session } from '../session/fold-session.ts'
import { readSession } from '../session/read-session.ts'
import { type EventDraft, record, type Scribe } from '../session/record.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { doneUnlessAwaited } from '../session/settle.ts'
import { isOver } from '../session/transitions.ts'
import { cut, oneLine } from '../short-text.ts'
import { findControl, paste, press, readScreen } from '../tmux/terminal.ts'
import { launchedHooks, launchHooks } from './launch-hooks.ts'
import type { Launch } from './launch-schema.ts'
import { isSupervisor } from './supervisor.ts'
import { turnOf } from './turn-of.ts'
import { openUnread } from './unread.ts'
import { watchBeginning } from './watch-beginning.ts'
import { outOfTime, type Stop, stopWatch } from './watch-turn.ts'

const by = 'supervisor'
const lookMs = 500
const graceMs = 3000
const exitingMs = 5000
const screenLines = 2000
const reasonLengthMax = 200
/** What a command line has room for, with much to spare for the rest of it. */
const argumentBytesMax = 100_000

type Orders = { readonly launch: Launch; readonly contract: Buffer }
type Env = Readonly<Record<string, string>>
type Unread = ReturnType<typeof openUnread>
type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** Runs the agent on its contract, and records how that ended. */
export async function runInTerminal(scribe: Scribe, { launch, contract }: Orders, env: Env): Promise<void> {
  const { id, cwd } = launch
  const adapter = orderedAgent(launch, env)
  const { interactive } = adapter
  if (interactive === undefined) throw new Error(`bug: ${adapter.name} has no terminal`)
  const hooks = interactive.hooks === undefined ? [] : launchHooks(scribe.store, id, interactive.hooks)
  const turn = turnOf(launch)
  const path = join(sessionFolder(scribe.store, id), 'contract.md')
  const prompt = promptFor(contract, path, interactive.prompt === undefined)
  const [file = '', ...words] = [...interactive.command(turn), ...hooks, ...(interactive.prompt?.(prompt) ?? [])]
  const child = spawn(file, words, {
    cwd,
    env: { ...env, ...(hooks.length === 0 ? {} : launchedHooks), ...adapter.env?.(turn) },
    stdio: 'inherit',
  })
  const ended = untilEnded(child)
  const unread = openUnread(launch.agent, env)
  const guard = watchOver(scribe, launch, { child, unread })
  try {
    if (interactive.prompt === undefined) await pasteWhenReady(scribe, id, { env, cwd, prompt })
    await record(scribe, id, () => [{ event: 'submitted', by, bytes: contract.length }])
    const beginning = hooks.length === 0 ? undefined : watchBeginning(scribe, id, { env, cwd })
    const end = await ended.finally(() => beginning?.stop())
    const said = lastLineOf(await keepScreen(scribe, id, { env, cwd }), env)
    const how = { ...end, why: guard.why(), unread, said }
    const ending = (session: Session | undefined) => endingOf(scribe, session, how)
    const session = readSession(scribe.store, id)
    // Before anybody hears of it: who resumes a session that has failed starts what would have the same mark.
    const hasFailed = ending(session).some(({ event }) => event === 'failed')
    if (hasFailed && !isOver(session?.state ?? 'failed')) await endLeft(scribe, { id })
    await record(scribe, id, ending)
  } finally {
    guard.stop()
  }
}

/** The contract itself, or where it lies when it is too long for a command line, or could not be pasted whole. */
function promptFor(contract: Buffer, path: string, isPasted: boolean): string {
  const text = contract.toString()
  const isPlain = isPasted ? findControl(text) === undefined : !contract.includes(0)
  if (contract.length <= argumentBytesMax && isPlain) return text
  return `Your contract is the file ${path}. Read all of it before you do anything else, then do what it says.`
}

function untilEnded(child: ChildProcess): Promise<Ended> {
  return new Promise((done, fail) => {
    child.once('exit', (code, signal) => done({ code, signal }))
    child.once('error', fail)
  })
}

/** Ends the agent when its session is over, its time is, or its terminal is closed. */
function watchOver(scribe: Scribe, launch: Launch, { child, unread }: { child: ChildProcess; unread: Unread }) {
  const { store, now } = scribe
  const { id, timeout_ms } = launch
  let why: Stop | undefined
  const stop = (found: Stop) => {
    why ??= found
    if (child.pid !== undefined) void endTree(child.pid, graceMs, isSupervisor)
  }
  const end = (reason: string) => stop({ reason })
  const whyStopped = stopWatch(scribe, launch, unread)
  const begun = performance.now()
  const timer = setInterval(() => {
    if (performance.now() - begun > timeout_ms) return end(outOfTime(timeout_ms))
    const found = whyStopped()
    if (found !== undefined) return stop(found)
    const session = readSession(store, id)
    const isAway = session === undefined || session.state === 'aborted' || session.state === 'failed'
    if (isAway || isPaused(session)) end('its session is over')
    else if (session.state === 'exited' && isTurnOver(session, now())) end('its session is over')
  }, lookMs)
  // A key that a person presses is the agent's; a terminal that goes takes both.
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGTSTP'] as const) process.on(name, () => undefined)
  process.on('SIGHUP', () => end('its terminal was closed'))
  process.on('SIGTERM', () => end('its supervisor was told to end'))
  return { why: () => why, stop: () => clearInterval(timer) }
}

/** An agent without hooks does not say when its turn ends: it has some time to come to an end by itself. */
function isTurnOver({ turn, agentSession, since }: Session, now: number): boolean {
  return turn !== 'busy' || (agentSession === null && now - since > exitingMs)
}

/** The events of an end: what the agent ended with, and what that makes of the session. */
function endingOf(
  { store }: Scribe,
  session: Session | undefined,
  { code, signal, why, unread, said }: Ended & { why: Stop | undefined; unread: Unread; said: string },
): EventDraft[] {
  if (session === undefined) return []
  const ended: EventDraft[] = [...resultOf(session, unread), { event: 'ended', by, exit_code: code, signal }]
  if (why !== undefined) return [...ended, { event: 'failed', by, ...why }]
  if (signal !== null) return [...ended, { event: 'failed', by, reason: `signal ${signal}` }]
  if (code !== 0) return [...ended, { event: 'failed', by, reason: `exit code ${code}${said && `: ${said}`}` }]
  // Only an agent with hooks tells of its turns.
  if (session.turn === 'busy' && session.agentSession !== null) {
    return [...ended, { event: 'failed', by, reason: 'its agent was left in the middle of a turn' }]
  }
  return [...ended, ...doneUnlessAwaited(store, session, by)]
}

/** What a turn has spent that nobody has told the end of: its hooks go with the agent. */
function resultOf(session: Session, unread: Unread): EventDraft[] {
  const { usage, to } = unread(session)
  if (usage === null) return []
  return [{ event: 'result', by, bytes: 0, agent_session: session.agentSession, usage, cost_usd: null, read_to: to }]
}

type At = { readonly env: Env; readonly cwd: string }

/** Waits until the agent says that it is ready, or its screen has stood still; then gives it the text. */
async function pasteWhenReady(
  { store }: Scribe,
  id: string,
  { env, cwd, prompt }: At & { prompt: string },
): Promise<void> {
  const place = { store, env, cwd }
  const patienceTurns = 60
  let before = ''
  for (let turn = 0, still = 0; turn < patienceTurns && still < 3; turn++) {
    await new Promise((done) => setTimeout(done, lookMs / 2))
    if (readSession(store, id)?.turn === 'idle') break
    const screen = (await readScreen(place, id, 0)).trim()
    still = screen !== '' && screen === before ? still + 1 : 0
    before = screen
  }
  await paste(place, id, prompt)
  await new Promise((done) => setTimeout(done, lookMs / 2))
  await press(place, id, 'Enter')
}

/** Keeps the end of what was on the screen, which goes with the terminal; returns it. */
async function keepScreen({ store }: Scribe, id: string, { env, cwd }: At): Promise<string> {
  try {
    const screen = await readScreen({ store, env, cwd }, id, screenLines)
    appendFileSync(join(sessionFolder(store, id), 'output.log'), `${screen.trimEnd()}\n`)
    return screen
  } catch (error) {
    // A terminal that was closed has no screen any more.
    if (!isFailure(error)) throw error
    return ''
  }
}

/** What an agent said last, which is mostly why it has ended. */
const lastLineOf = (screen: string, env: Env): string =>
  cut(oneLine(redactorOf(env)(screen.trimEnd().split('\n').at(-1) ?? '')), reasonLengthMax)
