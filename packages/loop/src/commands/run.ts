import { defineVerb } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes, Failure, isFailure } from '@switchyard/cli-kit/failure'
import { exitCodeOf } from '../exit-code.ts'
import { shownResult } from '../render.ts'
import { drain } from '../run/drain.ts'
import { ensureTools, type OpenRun, openRun } from '../run/open-run.ts'
import { listenForSignals, type Requests } from '../run/signals.ts'
import { takeFromList, takeReady } from '../run/take.ts'
import { workIssue } from '../run/work-issue.ts'
import type { IssueResult } from '../state/event-schema.ts'

/**
 * `loop run --issues`: claims issues, works each in a worktree until the verify command passes, lands and closes it.
 * Exits 0 when every issue landed or was done already, 1 when some did not, 3 when there was none, 9 when only the
 * iteration limit kept some from it, 8 when git or tissue is missing or fails, 130 when it was stopped.
 */
export const run = defineVerb({
  summary: 'Work issues in worktrees until they are verified and landed',
  args: [{ name: 'source', summary: '- reads the ids of the issues from stdin, to its end', optional: true }],
  flags: {
    issues: { type: 'boolean', summary: 'Work issues: what tissue says is ready, or the ids on stdin with -' },
    jobs: { type: 'integer', short: 'j', value: 'N', min: 1, max: 64, default: 1, summary: 'How many at once' },
    with: { type: 'string', value: 'CMD', summary: 'The runner: a line of shell, or the name of an agent' },
    verify: { type: 'string', value: 'CMD', summary: 'A line of shell that exits 0 when the work is good' },
    base: {
      type: 'string',
      value: 'BRANCH',
      summary: 'Where work starts and lands; else what the main tree has checked out',
    },
    max: {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 100_000,
      default: 100_000,
      summary: 'Claim at most so many issues',
    },
    'max-iterations': {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 1000,
      default: 5,
      summary: 'Runner calls for an issue',
    },
    push: { type: 'boolean', summary: 'Push the base to its remote when something lands on it' },
    strategy: {
      type: 'choice',
      choices: ['rebase', 'squash', 'merge'],
      summary: 'How a change gets onto the base; else what loop.json says',
    },
    pr: { type: 'string', value: 'CMD', summary: 'A line of shell that proposes the branch instead of landing it' },
    timeout: { type: 'duration', default: '10m', summary: 'Of one call of the runner or the verify command' },
    lease: { type: 'duration', default: '10m', summary: 'How long a claim outlives a worker that is gone' },
  },
  examples: [
    "loop run --issues -j 2 --with claude --verify 'npm test'",
    "tissue ready --quiet | loop run --issues - --with 'deepscan fix' --verify 'npm test'",
  ],
  async run(call) {
    const { args, flags, cwd, env, now, output, input } = call
    if (!flags.issues || (args.source !== undefined && args.source !== '-')) {
      throw new Failure('usage', `expected --issues or --issues -, got ${args.source ?? 'neither'}`)
    }
    const { with: runner, verify } = flags
    if (runner === undefined || verify === undefined) {
      throw new Failure('usage', `expected --${runner === undefined ? 'with' : 'verify'} CMD, got none`)
    }
    ensureTools({ cwd, env, with: runner })
    const ids = args.source === undefined ? undefined : parseIds(input.readAll().toString('utf8'))
    if (ids?.length === 0) {
      output.note('nothing to do: no ids on stdin')
      return exitCodes.notFound
    }
    const requests = listenForSignals(
      () => output.note('draining: finishing what is begun; interrupt again to stop'),
      () => output.note('stopping: claims are given back, work is kept'),
    )
    try {
      const opened = await openRun({
        ...{ cwd, env, now, base: flags.base, jobs: flags.jobs, with: runner, verify, stop: requests.stop },
        ...{ iterationsMax: flags['max-iterations'], timeoutMs: flags.timeout, leaseMs: flags.lease },
        landing: { push: flags.push || undefined, strategy: flags.strategy, pr: flags.pr },
        note: (text) => output.note(`loop: ${text}`),
      })
      const results: IssueResult[] = []
      const onResult = (result: IssueResult) => {
        if (output.mode === 'json') results.push(result)
        else if (output.mode !== 'quiet' || result.outcome === 'landed') output.each(result, shownResult)
      }
      const code = await work(opened, requests, { ids, jobs: flags.jobs, max: flags.max, onResult })
      if (output.mode === 'json') output.list(results, shownResult)
      return code
    } finally {
      requests.close()
    }
  },
})

/** Characters of a run's id that its workers carry: its random end tells runs apart, and stays readable. */
const runNameLength = 6

type Load = { ids: string[] | undefined; jobs: number; max: number; onResult: (result: IssueResult) => void }

async function work(opened: OpenRun, requests: Requests, { ids, jobs, max, onResult }: Load): Promise<ExitCode> {
  const { run, close } = opened
  const announced = announce(opened, requests)
  try {
    const results = await drain({
      workers: Array.from({ length: jobs }, (_, index) => `loop-${run.id.slice(-runNameLength)}-${index + 1}`),
      max,
      take: ids === undefined ? takeReady(run) : takeFromList(run, ids),
      work: (job) => workIssue(run, job),
      draining: requests.draining,
      onResult,
    })
    const code = requests.stop.aborted ? requests.code() : exitCodeOf(results)
    await announced()
    await run.journal.record({ event: 'finished', exit_code: code })
    if (results.length === 0) run.note('nothing to do')
    return code
  } catch (error) {
    if (isFailure(error) && run.journal.isThere()) {
      await run.journal.record({ event: 'finished', exit_code: error.exitCode })
    }
    throw error
  } finally {
    close()
  }
}

/** Records on the bus that the run was asked to end. Gives a function that waits until it is recorded. */
function announce({ run }: OpenRun, { draining, stop }: Requests): () => Promise<void> {
  let recorded: Promise<void> = Promise.resolve()
  const record = (event: 'draining' | 'stopping') => () => {
    recorded = recorded.then(() => run.journal.record({ event }))
    recorded.catch(() => undefined)
  }
  draining.addEventListener('abort', record('draining'), { once: true })
  stop.addEventListener('abort', record('stopping'), { once: true })
  return () => recorded
}

/** Ids, one a line; of a line only its first word counts, so that `tissue ready` can be piped as it is. */
function parseIds(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim().split(/\s+/)[0] || [])
}
