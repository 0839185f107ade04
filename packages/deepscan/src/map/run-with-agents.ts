// `deepscan run PATH --query … --with RUNNER`: all of it in one call, from files to findings that stand.
import type { Context, Output } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { type ExitCode, exitCodes, isFailure } from '@switchyard/ground/failure'
import { fail } from '../errors/fail.ts'
import type { Finding } from '../finding/finding.ts'
import { isAtLeast, type Severity } from '../finding/severity.ts'
import { gatherFindings } from '../reduce/gather.ts'
import { issuesOf } from '../report/report-of.ts'
import { renderFinding } from '../scan/render.ts'
import { performQuietly } from './own-verb.ts'

/** What `run` was told: the paths, the flags of agents, and below which severity a finding is left out. */
export type RunRequest = {
  readonly paths: readonly string[]
  readonly flags: Readonly<Record<AgentFlag, string | number | undefined>> & { readonly hints: boolean }
  readonly lowest: Severity
  readonly failOn: Severity | undefined
}

const passed = ['with', 'model', 'agent-type', 'jobs', 'budget-usd', 'escalate', 'sample'] as const
type AgentFlag = (typeof passed)[number] | 'query'

type Call = Pick<Context, 'perform' | 'input' | 'output' | 'interrupted' | 'cwd' | 'env'>

/**
 * Makes a scan, asks agents about each chunk, holds their quotes against the files, lets a second one refute what is
 * left, and prints what stands. Where the budget ends first, what has been found is printed all the same, and the
 * failure comes behind it.
 */
export async function runWithAgents(
  { paths, flags, lowest, failOn }: RunRequest,
  call: Call,
): Promise<ExitCode | undefined> {
  if (flags.with === undefined) throw fail('DS-402', { setting: '--with RUNNER' })
  if (flags.query === undefined) throw fail('DS-003', { scan: paths.join(' '), hint: 'say it with --query "…"' })
  const id = await scanOf(call, [...paths, `--query=${flags.query}`])
  const told = passed.flatMap((name) => (flags[name] === undefined ? [] : [`--${name}=${flags[name]}`]))
  const ended = await orLimit(() =>
    performQuietly(call, ['map', '--session', id, ...told, ...(flags.hints ? ['--hints'] : [])]),
  )
  const second = told.filter((flag) => /^--(with|model|jobs|budget-usd)=/.test(flag))
  const refuted = await orLimit(() => performQuietly(call, ['verify', '--session', id, '--refute', ...second]))
  const gathered = gatherFindings({ file: undefined, session: id }, call)
  if (gathered.findings.length > 0) await performQuietly(call, ['reduce', '--session', id])
  const shown = issuesOf(gathered).findings.filter(({ severity }) => isAtLeast(severity, lowest))
  call.output.list(shown, { text: renderFinding, id: ({ id }: Finding) => id, empty: 'nothing was found that stands' })
  call.output.note(
    `${counted(shown.length, 'finding')} stand; all of the scan: deepscan export --session ${id} --format md`,
  )
  const failure = ended.failure ?? refuted.failure
  if (failure !== undefined) throw failure
  const isReached = failOn !== undefined && shown.some(({ severity }) => isAtLeast(severity, failOn))
  return isReached || ended.code !== 0 ? exitCodes.failed : undefined
}

/** Makes a scan, which is the current one from then on, and tells its id. */
async function scanOf(call: Call, argv: readonly string[]): Promise<string> {
  const ids: string[] = []
  const nothing = () => undefined
  const output: Output = {
    ...{ mode: 'quiet', isTerminal: false, color: false, note: call.output.note },
    ...{ one: (value, { id }) => void ids.push(...[id(value)].flat()), list: nothing, each: nothing, raw: nothing },
  }
  await call.perform(['init', ...argv, '--force'], { input: call.input, interrupted: call.interrupted, output })
  const [id] = ids
  if (id === undefined) throw new Error('bug: init has told no id')
  return id
}

/** A step that may end at the budget, which is no reason to lose what there is. */
async function orLimit(step: () => Promise<number>): Promise<{ code: number; failure: unknown }> {
  try {
    return { code: await step(), failure: undefined }
  } catch (error) {
    if (!isFailure(error) || error.kind !== 'limit') throw error
    return { code: error.exitCode, failure: error }
  }
}
