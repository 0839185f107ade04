import { resolve } from 'node:path'
import process from 'node:process'
import { type Call, defineVerb, type Shown } from '@switchyard/cli-kit'
import { realPathIfThere } from '@switchyard/ground/disk'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { readConfig } from '../config/config-file.ts'
import { scribeOf } from '../session/bus.ts'
import { openScope } from '../session/scope-store.ts'
import { commandOf } from '../start/command-of.ts'
import { depthMaxOf } from '../start/depth.ts'
import type { Plan } from '../start/spawn-session.ts'
import { startSupervisor } from '../start/start-supervisor.ts'
import type { Host } from '../workflow/host.ts'
import type { WorkflowRun } from '../workflow/phase-schema.ts'
import { runFile } from '../workflow/run-file.ts'
import { findRun } from '../workflow/run-log.ts'

const spec = {
  summary: 'Run the phases of a workflow, each a session or a loop',
  args: [{ name: 'file', summary: 'TypeScript, JavaScript or JSON' }],
  flags: {
    param: { type: 'list', value: 'NAME=VALUE', summary: 'What the file asks for by param(NAME)' },
    resume: { type: 'boolean', summary: 'Go on with its last run: what has passed is not done again' },
    from: { type: 'string', value: 'PHASE', summary: 'Go on with its last run, anew from this phase on' },
    headless: { type: 'boolean', summary: 'Without screens, also where tmux is there' },
    'dry-run': { type: 'boolean', summary: 'Print contracts and command lines, and start nothing' },
  },
  examples: ['scope workflow workflows/tdd.ts', 'scope workflow review.json --param target=src/auth --json'],
} as const

type Ran = { readonly runs: WorkflowRun[]; readonly plans: { readonly phase: string; readonly plan: Plan }[] }

/**
 * `scope workflow`: runs a workflow to its end. Exits 0 when every phase passed, 1 when one failed, 5 when `scope exit`
 * or an abort stopped it, 9 when a phase was never accepted, 2 when the file is no workflow, 3 when it is not there.
 */
export const workflow = defineVerb({
  ...spec,
  async run(call) {
    const ran: Ran = { runs: [], plans: [] }
    const host = hostOf(call, ran)
    try {
      await runFile(host)
    } catch (error) {
      if (host.signal.aborted) call.output.note(`scope: its sessions go on; scope workflow ${call.args.file} --resume`)
      throw error
    }
    if (ran.runs.length === 0) {
      throw new Failure('usage', `${call.args.file} has run no workflow`, { hint: 'await new Workflow(name).run()' })
    }
    if (call.flags['dry-run'])
      call.output.list(
        ran.plans.map((plan) => planned(plan, call.env)),
        shownPlan,
      )
    else {
      call.output.one({ v: 1, runs: ran.runs }, { text: () => '', id: () => ran.runs.map(({ run }) => run) })
      for (const run of ran.runs) call.output.note(`scope: ${summaryLine(run)}`)
    }
    return exitCodeOf(ran.runs)
  },
})

function hostOf(call: Call<typeof spec>, { runs, plans }: Ran): Host {
  const { args, flags, output } = call
  const depthMax = depthMaxOf(undefined, readConfig(call.env), call.env)
  const env = { ...call.env, SCOPE_MAX_DEPTH: String(depthMax) }
  const store = openScope(call)
  const file = resolve(call.cwd, args.file)
  const place = { store, env, now: call.now }
  const real = realPathIfThere(file) ?? file
  const goesOn = flags.resume || flags.from !== undefined
  return {
    ...{ scribe: scribeOf(call, store), place, env, cwd: call.cwd, pid: process.pid, file: real },
    params: goesOn ? paramsBefore(findRun(place, real)?.records, flags.param) : paramsOf(flags.param),
    ...{ resumes: flags.resume, from: flags.from, isDry: flags['dry-run'], signal: call.interrupted() },
    keepsStdout: output.mode !== 'text' || flags['dry-run'],
    isHeadless: flags.headless,
    startSupervisor: (id, { cwd, backend }) => startSupervisor(store, id, { env, cwd, backend }),
    note: (text) => output.note(text),
    onPlan: (phase, plan) => plans.push({ phase, plan }),
    onRun: (run) => runs.push(run),
  }
}

function paramsOf(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text): [string, string] => {
    const at = text.indexOf('=')
    if (at < 1) throw new Failure('usage', `expected --param NAME=VALUE, got ${JSON.stringify(text)}`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
  return Object.fromEntries(pairs)
}

/** A run keeps the parameters that it began with. */
function paramsBefore(
  records: NonNullable<ReturnType<typeof findRun>>['records'] | undefined,
  given: readonly string[],
) {
  if (given.length > 0) {
    throw new Failure('usage', 'expected no --param: a run that goes on has those that it began with')
  }
  return records?.find((record) => record.event === 'begun')?.params ?? {}
}

type Planned = { phase: string; command: readonly string[]; contract: string; rubric: string | null }

function planned({ phase, plan }: Ran['plans'][number], env: Call<typeof spec>['env']): Planned {
  const { contract, rubric } = plan
  return { phase, command: commandOf(plan, env), contract, rubric: rubric ?? null }
}

const shownPlan: Shown<Planned> = {
  text: ({ phase, command, contract, rubric }) =>
    [`== ${phase}`, command.join(' '), contract, ...(rubric === null ? [] : [rubric.trimEnd()]), ''].join('\n\n'),
  id: ({ phase }) => phase,
}

function summaryLine({ run, outcome, exit_reason, phases }: WorkflowRun): string {
  const told = phases.map(({ phase, verdict }) => `${phase} ${verdict}`).join(', ')
  return `${run}: ${outcome}${exit_reason ? `: ${exit_reason}` : ''} (${told})`
}

function exitCodeOf(runs: readonly WorkflowRun[]): ExitCode {
  const outcomes = new Set(runs.map(({ outcome }) => outcome))
  if (outcomes.has('stopped')) return exitCodes.conflict
  if (outcomes.has('failed')) return exitCodes.failed
  return outcomes.has('limit') ? exitCodes.limit : exitCodes.done
}
