import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { parseDuration } from '@switchyard/cli-kit/duration'
import { Failure } from '@switchyard/cli-kit/failure'
import { parseWhen } from '@switchyard/cli-kit/moment'
import { locateStore, ulid } from '@switchyard/topic'
import { configRootOf, readConfig } from '../config/read-config.ts'
import { beginTask } from '../session/begin-task.ts'
import { renderContinuation } from '../session/continuation.ts'
import { parseSession, sessionOf } from '../session/env-session.ts'
import { readSessionRun } from '../session/record.ts'
import { claimOf } from '../session/session-topic.ts'
import type { StartResult } from '../session/start-schema.ts'

/** `loop start`: gives a task to the session of an agent, which is sent back to work until it is done. */
export const start = defineVerb({
  summary: 'Keep the session of an agent at a task until it is done',
  args: [{ name: 'prompt', summary: 'What is to be done; - reads it from stdin', optional: true }],
  flags: {
    file: { type: 'string', short: 'F', value: 'FILE', summary: 'Read the prompt from a file' },
    check: { type: 'string', value: 'CMD', summary: 'A line of shell that exits 0 when the task is done' },
    max: { type: 'integer', value: 'N', min: 1, max: 1000, summary: 'Iterations; else 10' },
    deadline: { type: 'string', value: 'WHEN', summary: 'When it must be over: in 2h, or at a time' },
    session: { type: 'string', value: 'HOST:ID', summary: 'The session, instead of the one this runs in' },
  },
  examples: ["loop start 'fix the tests' --check 'npm test' --max 10", 'loop start -F task.md --deadline 2h'],
  async run({ args, flags, cwd, env, now, output, input }) {
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
    const goal = goalFrom(args.prompt, flags.file, cwd, () => input.readAll().toString('utf8'))
    const config = readConfig(configRootOf(store))
    const session = flags.session === undefined ? sessionOf(env) : parseSession(flags.session)
    const run = ulid(now()).toLowerCase()
    const until = flags.deadline === undefined ? null : parseWhen(flags.deadline, now(), '--deadline')
    const limits = { iterations: flags.max ?? config.limits.iterations ?? 10, ...(until === null ? {} : { until }) }
    const staleAfterMs = parseDuration(config.stale_after) ?? 0
    await beginTask(store, session, { run, goal, check: flags.check ?? '', limits, cwd, staleAfterMs }, now)
    const begun = readSessionRun(store, run)
    const text =
      begun &&
      renderContinuation({
        run: begun,
        step: { do: 'run', iteration: 1 },
        steers: [],
        facts: [],
        blocksLeft: undefined,
      })
    const claim = session === undefined ? claimOf(run) : null
    output.one<StartResult>({ run, session: session ?? null, claim, text: text ?? '' }, shownStart)
    return undefined
  },
})

const shownStart: Shown<StartResult> = {
  text: ({ claim, text }) =>
    claim === null
      ? text
      : `Not in a session of an agent: the one that ends an answer with this word takes it on: ${claim}\n\n${text}`,
  id: ({ run }) => run,
}

function goalFrom(prompt: string | undefined, file: string | undefined, cwd: string, readStdin: () => string): string {
  if (prompt !== undefined && file !== undefined) {
    throw new Failure('usage', 'expected a prompt or --file, got both', { hint: 'leave one out' })
  }
  const text = file === undefined ? (prompt === '-' ? readStdin() : prompt) : readFileSync(resolve(cwd, file), 'utf8')
  if (text !== undefined && text.trim() !== '') return text
  throw new Failure('usage', 'expected a prompt, got none', { hint: "loop start 'fix the tests', or -F FILE, or -" })
}
