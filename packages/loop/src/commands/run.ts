import { defineVerb, type Output } from '@switchyard/cli-kit'
import { listenForSignals } from '@switchyard/cli-kit/drain-signals'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import { modeOf, parseIds, readTask } from '../by-runner/goal.ts'
import { locateStores } from '../by-runner/open-core.ts'
import { landingFlags, runFlags } from '../by-runner/run-flags.ts'
import { runIssues } from '../by-runner/run-issues.ts'
import { runOnce } from '../by-runner/run-once.ts'
import { runTask } from '../by-runner/run-task.ts'
import { settleIssues, settleTask } from '../by-runner/settings.ts'
import { configRootOf, readConfig } from '../config/read-config.ts'
import { shownOnce, shownResult } from '../render/shown.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { askingTrust } from '../trust/ask-trust.ts'

/**
 * `loop run`: works a task in the current folder until its check passes, or issues in worktrees until each is verified,
 * landed and closed. Exits 0 when all is done, 1 when some did not land, 3 when there was nothing, 5 when it was
 * cancelled, 9 when limits alone kept some from it, 8 when a program is missing or fails, 130 when it was stopped. With
 * `--once` it makes one iteration, and exits 1 when that did not finish it, 9 when it was given up or is paused.
 */
const verb = defineVerb({
  summary: 'Work a task until its check passes, or issues until they have landed',
  args: [
    { name: 'task', summary: 'What is to be done; - reads it, or the ids of the issues, from stdin', optional: true },
  ],
  flags: {
    issues: { type: 'boolean', summary: 'Work issues: what tissue says is ready, or the ids on stdin with -' },
    ...runFlags,
    once: { type: 'boolean', summary: 'Make one iteration of the task or the issue, and end' },
    run: { type: 'string', value: 'ID', summary: 'With --once: go on with this run, instead of the one left at this' },
    jobs: { type: 'integer', short: 'j', value: 'N', min: 1, max: 64, default: 1, summary: 'How many at once' },
    max: {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 100_000,
      summary: 'Iterations of the task; with --issues, how many of them are worked at most',
    },
  },
  examples: [
    "loop run 'fix the tests' --with claude --check 'npm test'",
    "loop run --issues -j 2 --with claude --verify 'npm test' --budget 5usd",
    "until loop run --once --issue ID --with claude --verify 'npm test'; do [ $? -eq 1 ] || break; done",
    "tissue ready --quiet | loop run --issues - --with 'deepscan fix' --verify 'npm test'",
  ],
  async run(call) {
    const { args, flags, cwd, env, now, output, input } = call
    if (flags.once) {
      const { code, result } = await runOnce(call)
      output.one(result, shownOnce)
      return code
    }
    if (flags.run !== undefined) throw new Failure('usage', 'expected --run with --once, got it alone')
    const mode = modeOf({ ...flags, words: args.task })
    const config = readConfig(configRootOf(locateStores(cwd, env).bus), env)
    const settings = (mode === 'task' ? settleTask : settleIssues)(flags, config, now())
    const readStdin = () => input.readAll().toString('utf8')
    const goal = mode === 'task' ? readTask({ cwd, words: args.task, file: flags.file, readStdin }) : ''
    const ids = mode === 'issues' && args.task === '-' ? parseIds(readStdin()) : issueOf(flags)
    if (mode !== 'task' && ids?.length === 0) {
      output.note('nothing to do: no ids on stdin')
      return exitCodes.notFound
    }
    const requests = listenForSignals(
      () => output.note('draining: finishing what is begun; interrupt again to stop'),
      () => output.note('stopping: what is claimed is given back, work is kept'),
    )
    const note = (text: string) => output.note(`loop: ${text}`)
    const options = { cwd, env, now, settings, landing: landingFlags(flags), prompt: flags.prompt, note }
    try {
      if (mode === 'task')
        return await runTask({ ...options, goal }, requests, (ended) => output.one(ended, shownResult))
      const told = tellResults(output)
      const load = { ids, max: flags.max ?? Number.POSITIVE_INFINITY, onResult: told.onResult }
      const code = await runIssues({ ...options, mode, jobs: flags.jobs }, requests, load)
      told.end()
      return code
    } finally {
      requests.close()
    }
  },
})

export const run = askingTrust(verb)

const issueOf = ({ issue }: { issue: string | undefined }) => (issue === undefined ? undefined : [issue])

/** Prints each result as it comes; as JSON all of them, at the end. */
function tellResults(output: Output) {
  const results: IssueResult[] = []
  return {
    onResult(result: IssueResult) {
      if (output.mode === 'json') results.push(result)
      else if (output.mode !== 'quiet' || result.outcome === 'landed') output.each(result, shownResult)
    },
    end() {
      if (output.mode === 'json') output.list(results, shownResult)
    },
  }
}
