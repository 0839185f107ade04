import process from 'node:process'
import { type Call, defineVerb } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { isMade } from '@switchyard/topic'
import { examineCaller } from '@switchyard/topic/examine/caller'
import { orBad, renderFinding } from '@switchyard/topic/examine/finding'
import { examineLeftovers } from '@switchyard/topic/examine/leftovers'
import { examineHooks } from '../doctor/hooks.ts'
import { examineLogs, reportLogs } from '../doctor/logs.ts'
import { examinePlace } from '../doctor/place.ts'
import { examinePrograms } from '../doctor/programs.ts'
import { examineSessions } from '../doctor/sessions.ts'
import { examineWorktrees } from '../doctor/worktrees.ts'
import { scribeOf } from '../session/bus.ts'
import { openScope } from '../session/scope-store.ts'
import { openGit } from '../worktree/git.ts'

const spec = {
  summary: 'Find out whether all is as sessions need it, and mend what can be mended',
  flags: {
    fix: { type: 'boolean', summary: 'Clear what killed processes left, and renew hooks; no work is touched' },
    log: { type: 'boolean', summary: 'Only count what is in the log of each session; exit 7 when one is damaged' },
  },
  examples: ['scope doctor', 'scope doctor --fix', 'scope doctor --log --json'],
} as const

/**
 * `scope doctor`: whether what sessions need is there and whole, and what killed processes left. Exits 1 when something
 * is bad. With `--log` it counts what is in the logs, and exits 7 when one is damaged.
 */
export const doctor = defineVerb({
  ...spec,
  async run(call) {
    const { flags, output } = call
    if (!flags.log) return examine(call)
    if (flags.fix) throw new Failure('usage', 'expected --fix without --log', { hint: 'it changes no line of a log' })
    return reportLogs(openScope(call), output)
  },
})

async function examine(call: Call<typeof spec>): Promise<ExitCode | undefined> {
  const { cwd, env, flags, now, output } = call
  const where = { cwd, env }
  const scribe = scribeOf(call)
  const { store, bus } = scribe
  const visit = { tool: 'scope', cwd, now: now(), fix: flags.fix }
  const yard = { store, env, git: openGit(env) }
  const findings = [
    ...(await orBad('programs', () => examinePrograms(where, process.versions.node))),
    ...(await orBad('store', () => examinePlace(store, visit))),
    ...(await orBad('hooks', () => examineHooks({ ...visit, ...where }))),
    ...(isMade(store, 'sessions')
      ? [
          ...(await orBad('sessions', () => examineSessions(scribe, where, visit))),
          ...(await orBad('worktrees', () => examineWorktrees(yard, store.repository, visit))),
          ...(await orBad('logs', () => examineLogs(store))),
          ...(await orBad('leftovers', () => examineLeftovers(store.path, visit))),
        ]
      : []),
    ...(await orBad('name', () => examineCaller(env, bus))),
  ]
  output.list(findings, { text: (finding) => renderFinding(finding, output.color), id: ({ check }) => check })
  return findings.some(({ state }) => state === 'bad') ? exitCodes.failed : undefined
}
