import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { renderSpan } from '@switchyard/cli-kit/age'
import { cleanEnv, execute, findProgram } from '@switchyard/exec'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { isInSandbox } from '@switchyard/sandbox'
import { type Access, type Adapter, accessLevels } from '../adapter.ts'
import { findAgent } from '../agents/find-agent.ts'
import { plainCommand } from '../agents/plain.ts'
import { askAgain } from '../ask-again.ts'
import { budgetOf, type Over } from '../budget.ts'
import { budgetFlags, budgetIn, untoldBy } from '../budget-flags.ts'
import { readConfig } from '../config/config-file.ts'
import type { Envelope } from '../envelope-schema.ts'
import { passOn } from '../pass-on.ts'
import { openPurse } from '../purse.ts'
import { openSandboxFor } from '../sandbox.ts'
import { choose } from '../start/choose.ts'

const promptBytesMax = 16_000_000
const timeoutMsDefault = 3_600_000
const outputBytesMax = 32_000_000

/**
 * `scope run`: one turn of an agent, or of any command: the prompt on stdin, the answer on stdout. Exits 0 done, 3
 * nothing to do (a command that exits 3), 8 failed, 9 it has
 * spent more than it may, 124 out of time.
 */
export const run = defineVerb({
  summary: 'Run one turn of an agent: the prompt on stdin, the answer on stdout',
  args: [{ name: 'command', summary: 'Instead of an agent, after --: any command', optional: true, rest: true }],
  flags: {
    agent: { type: 'string', value: 'NAME', summary: 'Which agent' },
    access: {
      type: 'choice',
      choices: accessLevels,
      summary: 'What it may do unasked: look; change its folder and run commands (if not given); all that you may',
    },
    model: { type: 'string', value: 'MODEL', summary: "Which model, by the agent's own name for it" },
    resume: { type: 'string', value: 'SESSION', summary: 'Go on in this session instead of a new one' },
    settings: {
      type: 'string',
      value: 'FILE',
      summary: "Of claude: settings that count beside its user's, such as hooks",
    },
    sandbox: { type: 'boolean', summary: 'Confined by the kernel: it writes only where it works, and sees no secrets' },
    'no-network': { type: 'boolean', summary: 'In the sandbox: without a network' },
    cwd: { type: 'string', value: 'DIR', summary: 'Where it works; else the current folder' },
    timeout: { type: 'duration', summary: 'When it is ended, with all that it started; 1h if not given' },
    profile: {
      type: 'string',
      value: 'NAME',
      summary: 'Agent, model, access and timeout by the name of your settings',
    },
    retries: {
      ...{ type: 'integer', value: 'N', min: 0, max: 1000, default: 0 },
      summary: 'Wait for a limit of its rate to be lifted, and ask again, so often; within --timeout',
    },
    ...budgetFlags,
    progress: { type: 'boolean', summary: 'Pass on what it says on stderr meanwhile, as at a terminal' },
  },
  examples: ["echo 'Say hi' | scope run --agent claude", "echo 'Say hi' | scope run --json -- tr a-z A-Z"],
  async run({ args, flags, cwd: here, env, now, input, output, interrupted }) {
    const cwd = resolve(here, flags.cwd ?? '.')
    const { agent, model, access, timeoutMs, budget } = wishedOf(flags, env)
    const adapter = chosen(agent, args.command, env)
    const { resume } = flags
    if (flags.settings !== undefined && adapter.name !== 'claude') {
      throw new Failure('usage', `expected no --settings with ${adapter.name}, which has none`)
    }
    const settings = flags.settings === undefined ? undefined : resolve(here, flags.settings)
    if (resume !== undefined && !/^[\w][\w.:-]*$/.test(resume)) {
      throw new Failure('usage', `expected --resume with a session's id, got ${JSON.stringify(resume)}`)
    }
    const isConfined = flags.sandbox === true || isInSandbox(env)
    const turn = { access, model, resume, forks: false, settings, isConfined, budget }
    if (flags['no-network'] && !flags.sandbox) {
      throw new Failure('usage', 'expected --no-network with --sandbox, got it alone', { hint: 'add --sandbox' })
    }
    if (flags.retries > 0 && !adapter.isAgent) {
      throw new Failure('usage', 'expected no --retries with a command, whose limits nobody knows')
    }
    if (budget !== undefined && !adapter.isAgent) {
      throw new Failure('usage', 'expected no --max-cost or --max-tokens with a command, which does not tell them')
    }
    const untold = untoldBy(budget, { ...adapter, hasTerminal: false })
    if (untold !== undefined) output.note(untold)
    const command = adapter.command(turn)
    const prompt = readPrompt(adapter, input)
    const program = adapter.isAgent ? (adapter.program ?? adapter.name) : flags.sandbox ? command[0] : undefined
    if (program !== undefined) ensureThere(program, { cwd: here, env })
    const told = { ...cleanEnv(env), ...adapter.env?.(turn) }
    const asked = { cwd, env: told, agent, command, hasNetwork: !flags['no-network'], readable: settings }
    const sandbox = flags.sandbox ? await openSandboxFor(asked) : undefined
    try {
      const signal = interrupted()
      const { argv, env: whole } = sandbox?.wrap(command) ?? { argv: command, env: told }
      const tell = flags.progress || output.isTerminal ? passOn(adapter.name, output.note) : undefined
      const purse = openPurse(adapter, budget)
      const onOutput: typeof purse.hear = (chunk, stream) => {
        purse.hear(chunk, stream)
        tell?.(chunk, stream)
      }
      const limits = { outputBytesMax, signal: AbortSignal.any([signal, purse.signal]), onOutput }
      const askOnce = async (timeoutMs: number) =>
        purse.settle(await execute(argv, { cwd, env: whole, input: prompt, timeoutMs, ...limits }), now())
      const sleep = (ms: number) =>
        pause(ms, undefined, { signal }).catch((error) => {
          signal.throwIfAborted()
          throw error
        })
      const patience = { retries: flags.retries, timeoutMs, now, sleep, note: output.note }
      const envelope = await askAgain(askOnce, patience)
      for (const name of (await sandbox?.clear({ keeps: true })) ?? []) {
        output.note(`scope: the repository that was made there is now ${name}`)
      }
      signal.throwIfAborted()
      const kept = await sandbox?.advance()
      if (kept !== undefined)
        output.note(`scope: what was committed is no step forward of the branch, and kept in ${kept}`)
      output.one(envelope, shownEnvelope)
      return exitCodeOf(envelope, purse.over())
    } finally {
      sandbox?.close()
    }
  },
})

type Env = Readonly<Record<string, string | undefined>>

type Flags = Readonly<Record<'agent' | 'model' | 'profile', string | undefined>> & {
  readonly access: Access | undefined
  readonly timeout: number | undefined
  readonly 'max-cost': string | undefined
  readonly 'max-tokens': number | undefined
}

/** Nothing is chosen for a command, and no settings are read without a profile. */
function wishedOf({ timeout, ...flags }: Flags, env: Env) {
  const { maxCostUsd, maxTokens } = budgetIn(flags)
  const wished = { ...flags, timeoutMs: timeout, maxCostUsd, maxTokens }
  const { profile, agent, model, access = 'write' } = flags
  const budget = budgetOf(maxCostUsd, maxTokens)
  if (profile === undefined) return { agent, model, access, timeoutMs: timeout ?? timeoutMsDefault, budget }
  return choose(wished, readConfig(env), { agent: 'claude', timeoutMs: timeoutMsDefault })
}

function chosen(agent: string | undefined, command: readonly string[], env: Env): Adapter {
  if (agent !== undefined && command.length === 0) return findAgent(agent, env)
  if (agent === undefined && command.length > 0) return plainCommand(command)
  throw new Failure('usage', `expected --agent NAME or -- CMD ARG…, got ${agent === undefined ? 'neither' : 'both'}`)
}

/** Also where a shell stands between, which would say that the agent failed. */
function ensureThere(name: string, where: { cwd: string; env: Env }): void {
  if (findProgram(name, where) !== undefined) return
  throw new Failure('outside', `cannot run ${name}: no such program`, { hint: `install ${name} or put it on PATH` })
}

function readPrompt(adapter: Adapter, input: { isTerminal: boolean; readAll(): Buffer }): Buffer {
  const hint = `echo 'what to do' | scope run ${adapter.isAgent ? `--agent ${adapter.name}` : '-- CMD ARG…'}`
  if (input.isTerminal) throw new Failure('usage', 'expected the prompt on stdin, got a terminal', { hint })
  const prompt = input.readAll()
  if (prompt.length > promptBytesMax) {
    throw new Failure('usage', `expected a prompt of at most ${promptBytesMax} bytes, got ${prompt.length}`)
  }
  if (adapter.isAgent && prompt.toString('utf8').trim() === '') {
    throw new Failure('usage', 'expected the prompt on stdin, got nothing', { hint })
  }
  return prompt
}

function exitCodeOf({ outcome, agent, error, limit, session, silent_ms }: Envelope, over: Over | undefined): ExitCode {
  if (over !== undefined) {
    throw new Failure('limit', `${agent} was ended: ${over.reason}`, { hint: 'allow it more', retryable: false })
  }
  if (outcome === 'done') return exitCodes.done
  if (outcome === 'nothing') return exitCodes.notFound
  const again = session === null ? {} : { hint: `go on in its session: --resume ${session}` }
  const line = (error ?? '').split('\n').findLast((text) => text.trim() !== '') ?? ''
  if (outcome === 'timeout') {
    const said = line === '' ? '' : `, and said last: ${line.trim()}`
    const silent = `silent for ${renderSpan(Math.floor(silent_ms / 1000))}`
    throw new Failure('waitTimeout', `${agent} was ended: it was out of time, ${silent}${said}`, again)
  }
  throw new Failure('outside', `${agent} failed: ${line.trim()}`, hintFor(limit, agent) ?? again)
}

function hintFor(limit: Envelope['limit'], agent: string): { hint: string; retryable?: false } | undefined {
  if (limit === null) return undefined
  if (limit.kind === 'auth') return { hint: `log in: start ${agent} once by hand, or set its key`, retryable: false }
  if (limit.resets_at !== null) return { hint: `try again after ${new Date(limit.resets_at).toISOString()}` }
  return limit.kind === 'rate'
    ? { hint: 'wait, then try again' }
    : { hint: 'its account is out of money', retryable: false }
}

/** The answer as the agent gave it; its session is its id. */
const shownEnvelope: Shown<Envelope> = {
  text: ({ text }) => text,
  id: ({ session }) => session ?? '',
}
