import { createHash } from 'node:crypto'
import { runnerOf } from '@switchyard/exec/runner'
import { isFailure } from '@switchyard/ground/failure'
import type { RunChild } from '../programs/children.ts'
import type { Change } from './change.ts'
import type { GivenOpinion } from './opinion-schema.ts'
import type { Subject } from './read-reviews.ts'

type Question = {
  prompt: string
  runners: readonly string[]
  by: string
  subject: Subject | undefined
  /** What the work was at when it was asked, where there is one. */
  change: Change | undefined
  cwd: string
  timeoutMs: number
  signal: AbortSignal
  /** How many loops this is inside of; hooks of what is asked leave loops alone. */
  depth: number
}

const errorLengthMax = 500

/**
 * Asks all at once and waits for all; gives their answers in the order of the runners. A runner that fails, or is not
 * there, is an opinion without a text.
 */
export async function askAll(runChild: RunChild, question: Question): Promise<Omit<GivenOpinion, 'id'>[]> {
  const answers = question.runners.map((runner) => ask(runChild, runner, question))
  return Promise.all(answers)
}

async function ask(runChild: RunChild, runner: string, question: Question): Promise<Omit<GivenOpinion, 'id'>> {
  const { prompt, by, subject, change } = question
  const about = { issue: subject?.issue ?? null, run: subject?.run ?? null }
  const prompt_sha256 = createHash('sha256').update(prompt).digest('hex')
  const at = { sha: change?.sha ?? null, change: change?.change ?? null }
  const opinion = { type: 'opinion', v: 1, with: runner, by, ...about, prompt_sha256, ...at } as const
  try {
    const ended = await runChild(commandOf(runner), {
      ...{ cwd: question.cwd, onOrphan: 'end', timeoutMs: question.timeoutMs, signal: question.signal, input: prompt },
      env: { LOOP_DEPTH: String(question.depth + 1), LOOP_DISABLE: '1' },
    })
    const { exitCode, timedOut, stdout, stderr } = ended
    const isAnswer = exitCode === 0 && stdout.trim() !== '' && !timedOut
    const outcome = timedOut ? 'timeout' : isAnswer ? 'done' : 'failed'
    const error = isAnswer ? null : reasonOf(timedOut, exitCode, stderr)
    return { ...opinion, outcome, exit_code: exitCode, duration_ms: ended.durationMs, error, text: stdout }
  } catch (error) {
    if (!isFailure(error)) throw error
    return { ...opinion, outcome: 'failed', exit_code: null, duration_ms: 0, error: error.message, text: '' }
  }
}

/** Whoever is asked for an opinion changes nothing. */
function commandOf(wanted: string): readonly string[] | { shell: string } {
  const runner = runnerOf(wanted)
  return 'agent' in runner ? ['scope', 'run', '--agent', runner.agent, '--access', 'read'] : runner
}

function reasonOf(timedOut: boolean, exitCode: number | null, stderr: string): string {
  if (timedOut) return 'it did not answer in time'
  const said = stderr.trim().split('\n').at(-1)?.slice(0, errorLengthMax)
  return said || (exitCode === 0 ? 'it said nothing' : `it ended with ${exitCode ?? 'a signal'} and said nothing`)
}
