import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { modeOf, readTask } from '../by-runner/goal.ts'
import { findLeftRun } from '../by-runner/left-run.ts'
import { onceIssue, onceTask } from '../by-runner/once.ts'
import type { OnceResult } from '../by-runner/once-schema.ts'
import { type Env, ensureTools, locateStores } from '../by-runner/open-core.ts'
import { recoverAround } from '../by-runner/recover-around.ts'
import { landingFlags, runFlags } from '../by-runner/run-flags.ts'
import { settleIssues, settleTask } from '../by-runner/settings.ts'
import { listenForSignals } from '../by-runner/signals.ts'
import { readConfig } from '../config/read-config.ts'
import { openPlainChildren } from '../programs/children.ts'
import { openTissue } from '../programs/tissue.ts'
import { askingTrust } from '../trust/ask-trust.ts'

/**
 * `loop once`: one iteration of a task or an issue, and what decides whether it is done. Exits 0 when it is, 1 when it
 * is not yet, 9 when it was given up or is paused; otherwise as `loop run`.
 */
const verb = defineVerb({
  summary: 'Make one iteration of a task or an issue',
  args: [{ name: 'task', summary: 'What is to be done; - reads it from stdin', optional: true }],
  flags: {
    ...runFlags,
    run: { type: 'string', value: 'ID', summary: 'Go on with this run, instead of the one that was left at this' },
  },
  examples: [
    "loop once 'fix the tests' --with claude --check 'npm test'",
    "until loop once --issue ID --with claude --verify 'npm test'; do [ $? -eq 1 ] || break; done",
  ],
  async run({ args, flags, cwd, env, now, output, input }) {
    const mode = modeOf({ ...flags, issues: false, words: args.task })
    if (mode === 'issue' && flags.max !== undefined) {
      throw new Failure('usage', 'expected --max-iterations for an issue, got --max')
    }
    const { bus } = locateStores(cwd, env)
    const config = readConfig(bus.base, env)
    const settings = (mode === 'task' ? settleTask : settleIssues)(flags, config, now())
    const readStdin = () => input.readAll().toString('utf8')
    const goal = mode === 'task' ? readTask({ cwd, words: args.task, file: flags.file, readStdin }) : ''
    const note = (text: string) => output.note(`loop: ${text}`)
    const requests = listenForSignals(undefined, () =>
      output.note('stopping: what is claimed is given back, work is kept'),
    )
    const options = { cwd, env, now, settings, prompt: flags.prompt, note }
    const wanted = { wanted: flags.run, env, now: now() }
    try {
      await recoverAround({ cwd, env, now, note, by: ulid(now()).toLowerCase() })
      if (mode === 'task') {
        const left = findLeftRun(bus, { goal, cwd }, wanted)
        const { code, result } = await onceTask({ ...options, goal }, left, requests)
        output.one(result, shownOnce)
        return code
      }
      const issue = await findIssue(flags.issue ?? '', { cwd, env })
      const left = findLeftRun(bus, { issue }, wanted)
      const ofIssue = { ...options, landing: landingFlags(flags) }
      const { code, result } = await onceIssue(ofIssue, { issue, left }, requests)
      output.one(result, shownOnce)
      return code
    } finally {
      requests.close()
    }
  },
})

export const once = askingTrust(verb)

const shownOnce: Shown<OnceResult> = {
  text: ({ issue, iteration, max, outcome, commit, reason, salvage }) => {
    const parts = [issue, `iteration ${iteration} of ${max}`, outcome ?? 'not yet']
    if (commit !== null) parts.push(commit.slice(0, 10))
    if (reason !== null) parts.push(reason.split('\n')[0] ?? '')
    if (salvage !== null) parts.push(`kept in ${salvage}`)
    return inRow(parts.join('  '))
  },
  id: ({ run }) => run,
}

/** The whole id of an issue. Failure `notFound` when the tracker knows none, or several, by that name. */
async function findIssue(name: string, { cwd, env }: { cwd: string; env: Env }): Promise<string> {
  ensureTools(['git', 'tissue'], { cwd, env })
  const { stores } = locateStores(cwd, env)
  const issue = await openTissue(openPlainChildren({ ...env, ...stores }), cwd).show(name)
  if (issue !== undefined) return issue.id
  throw new Failure('notFound', `expected an issue, tissue knows none as ${name}`, { hint: 'tissue list' })
}
