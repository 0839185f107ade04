import { resolve } from 'node:path'
import process from 'node:process'
import { type Call, defineVerb } from '@switchyard/cli-kit'
import { readBody } from '@switchyard/cli-kit/body'
import { cleanEnv } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import { accessLevels } from '../adapter.ts'
import { findAgent } from '../agents/find-agent.ts'
import { budgetFlags, budgetIn, untoldBy } from '../budget-flags.ts'
import { readConfig } from '../config/config-file.ts'
import type { Config } from '../config/config-schema.ts'
import { exitCodeOf } from '../end/exit-code.ts'
import { noteEnds } from '../end/note-ends.ts'
import { waitForAll } from '../end/wait-for.ts'
import { scribeOf } from '../session/bus.ts'
import { openScope } from '../session/scope-store.ts'
import { viewOf } from '../session/session-view.ts'
import { backendFor } from '../start/backend-for.ts'
import { choose, idleTimeoutOf, sessionTimeoutMs } from '../start/choose.ts'
import { commandOf } from '../start/command-of.ts'
import { depthMaxOf } from '../start/depth.ts'
import { type Asked, planOf } from '../start/plan.ts'
import { requireProgram } from '../start/require-program.ts'
import { requireDepth } from '../start/room.ts'
import { type Plan, spawnSession } from '../start/spawn-session.ts'
import { startSupervisor } from '../start/start-supervisor.ts'
import { worktreeFor } from '../start/worktree-for.ts'
import { taskTypes } from '../task-words.ts'

type Env = Readonly<Record<string, string | undefined>>

const spec = {
  summary: 'Start a session: an agent with a task of its own; prints its id',
  args: [{ name: 'task', summary: 'What it is to do; - takes it from stdin', optional: true }],
  flags: {
    file: { type: 'string', value: 'FILE', short: 'F', summary: 'Take the task from a file' },
    type: { type: 'choice', choices: taskTypes, default: 'implement', summary: 'The kind of task' },
    agent: { type: 'string', value: 'NAME', summary: 'Which agent; claude if nothing says another' },
    model: { type: 'string', value: 'MODEL', summary: "Which model, by the agent's own name for it" },
    access: { type: 'choice', choices: accessLevels, summary: 'What it may do unasked; write if not given' },
    profile: {
      type: 'string',
      value: 'NAME',
      summary: 'Agent, model, access and timeout by the name of your settings',
    },
    id: { type: 'string', value: 'NAME', summary: 'A name for it, to use in place of its id' },
    input: { type: 'list', value: 'PATH', summary: 'A file or folder to begin with' },
    'file-scope': { type: 'list', value: 'PATH', summary: 'Tell it to change nothing but this' },
    verify: { type: 'list', value: 'TEXT', summary: 'Tell it what must hold at the end' },
    output: { type: 'string', value: 'TEXT', summary: 'Tell it what to answer' },
    intent: { type: 'string', value: 'TEXT', summary: 'Tell it what the whole is for' },
    phase: { type: 'string', value: 'NAME', summary: 'Tell it which phase this belongs to' },
    checker: {
      type: 'string',
      value: 'CHECKER',
      summary: "Work until this accepts it: a rubric file, 'agent: what to judge by', or a command",
    },
    'max-iterations': { type: 'integer', value: 'N', min: 1, max: 1000, summary: 'Of a loop, at most; 3 if not given' },
    'checker-model': { type: 'string', value: 'MODEL', summary: 'Which model judges; else the same' },
    'checker-access': {
      type: 'choice',
      choices: accessLevels,
      summary: 'What the judge may do unasked; read if not given',
    },
    'gate-timeout': { type: 'duration', summary: 'When a command that checks is ended; 10m if not given' },
    cwd: { type: 'string', value: 'DIR', summary: 'Where it works; else the current folder' },
    worktree: { type: 'boolean', summary: 'In a worktree of its own, on a branch of its own' },
    base: { type: 'string', value: 'REF', summary: 'With --worktree: what it begins from; else what is checked out' },
    branch: { type: 'string', value: 'NAME', summary: 'With --worktree: the name of its branch; else scope/ID' },
    timeout: { type: 'duration', summary: 'When it is ended, with all that it started; 24h if not given' },
    'idle-timeout': { type: 'duration', summary: 'How long nothing may be heard of it, else it is ended' },
    ...budgetFlags,
    env: {
      type: 'list',
      value: 'NAME[=VALUE]',
      summary: 'A variable for its environment; without a value, that of yours',
    },
    'max-depth': {
      type: 'integer',
      value: 'N',
      min: 0,
      max: 100,
      summary: 'How deep it and its children may start sessions',
    },
    queue: { type: 'boolean', summary: 'Where max_running sessions run already, wait until one of them is over' },
    wait: { type: 'boolean', summary: 'Wait for its end, print its result, and exit as scope wait does' },
    headless: { type: 'boolean', summary: 'Without a screen, for one turn, also where tmux is there' },
    'dry-run': { type: 'boolean', summary: 'Print the contract and the command line, and start nothing' },
  },
  examples: [
    'scope spawn "Fix the failing test in src/auth"',
    'git diff | scope spawn - --type review --agent codex --wait',
    "scope spawn 'Write tests for src/auth' --checker 'npm test' --wait",
    'scope spawn "Rewrite the parser" --worktree --base main',
  ],
} as const

/**
 * `scope spawn`: starts a session and returns at once with its id. Exits 2 on bad input, 3 where a path does not exist,
 * 5 when the name is taken, 8 when the agent is not there, 9 where there is no room; with --wait as `scope wait` does.
 */
export const spawn = defineVerb({
  ...spec,
  async run(call) {
    const { flags, output } = call
    const config = readConfig(call.env)
    const env = { ...call.env, ...variablesOf(flags.env, call.env) }
    const store = openScope(call)
    const cwd = resolve(call.cwd, flags.cwd ?? '.')
    const worktree = await worktreeFor({ ...flags, store, cwd, env: call.env })
    const plan = { ...planOf(askedOf(call, config, cwd), env), ...worktree }
    if (flags['dry-run']) return printPlan(call, plan)
    requireProgram(plan.agent, { cwd: plan.cwd, env })
    const adapter = findAgent(plan.agent, env)
    const untold = untoldBy(plan.budget, { ...adapter, hasTerminal: (plan.loop?.backend ?? plan.backend) === 'tmux' })
    if (untold !== undefined) output.note(untold)
    const depthMax = depthMaxOf(flags['max-depth'], config, env)
    requireDepth(plan.parent, depthMax)
    const scribe = scribeOf(call, store)
    const allowed = { ...env, SCOPE_MAX_DEPTH: String(depthMax) }
    const { id } = await spawnSession(plan, {
      ...{ scribe, env: allowed, cwd: call.cwd, pid: process.pid },
      room: { max: config.max_running, isQueued: flags.queue === true, now: call.now, signal: call.interrupted() },
      startSupervisor: (made, whole) => startSupervisor(store, made, { ...whole, env: allowed }),
    })
    if (!flags.wait) {
      output.one({ v: 1, id }, { text: () => id, id: () => id })
      return undefined
    }
    const sessions = await waitForAll(scribe, [id], { signal: call.interrupted() })
    for (const session of sessions) {
      output.one(viewOf(store, session), { text: ({ result }) => result ?? '', id: () => id })
    }
    noteEnds(output, sessions)
    return exitCodeOf(sessions)
  },
})

function askedOf(call: Call<typeof spec>, config: Config, cwd: string): Asked {
  const { args, flags } = call
  const source = args.task === '-' ? { stdin: args.task } : { text: args.task }
  const task = readBody({ ...source, file: flags.file }, call)
  const wished = { ...flags, ...budgetIn(flags), timeoutMs: flags.timeout }
  const chosen = choose(wished, config, { agent: 'claude', timeoutMs: sessionTimeoutMs })
  const { agent } = chosen
  return {
    ...{ ...chosen, task: task ?? '', type: flags.type },
    idleTimeoutMs: flags['idle-timeout'] ?? idleTimeoutOf(config),
    ...{ name: flags.id, inputs: flags.input, fileScope: flags['file-scope'], verify: flags.verify },
    ...{ output: flags.output, intent: flags.intent, phase: flags.phase },
    ...{ checker: flags.checker, maxIterations: flags['max-iterations'], checkerModel: flags['checker-model'] },
    ...{ checkerAccess: flags['checker-access'], gateTimeoutMs: flags['gate-timeout'], prior: [] },
    cwd,
    backend: backendFor(agent, flags.headless, { env: call.env, cwd }),
  }
}

/** Exits 2 on what is no variable, on those that name a session, and where the caller has none of that name. */
function variablesOf(words: readonly string[], own: Env): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name = '', given] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(word) ?? []
      if (name === '' || name.startsWith('SCOPE_') || !(name in cleanEnv({ [name]: '' }))) {
        const what = name === '' ? JSON.stringify(word) : `${name}, which is of the session around`
        throw new Failure('usage', `expected --env NAME or NAME=VALUE, got ${what}`)
      }
      const value = given ?? own[name]
      if (value === undefined)
        throw new Failure('usage', `expected --env NAME of a variable that you have, got ${name}`)
      return [name, value]
    }),
  )
}

function printPlan({ env, output }: Call<typeof spec>, plan: Plan): undefined {
  const { agent, model, access, backend, budget = null, contract, rubric } = plan
  const command = commandOf(plan, env)
  output.one(
    { v: 1, agent, model, access, backend, budget, command, contract, ...(rubric === undefined ? {} : { rubric }) },
    {
      text: () => [command.join(' '), contract, ...(rubric === undefined ? [] : [rubric])].join('\n\n'),
      id: () => agent,
    },
  )
}
