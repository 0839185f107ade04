// What the next worker of a loop is told: how the attempt before it fared, and then the contract as it was.
import { cutAt, type Fence } from '../start/fenced.ts'
import type { GateRun } from './run-gates.ts'
import { endOfGate, lastOutput } from './tell-gate.ts'
import type { Judgement } from './verdict.ts'

const resultCharsMax = 20_000
const feedbackCharsMax = 20_000

/** What an iteration is told to do better; kept as `feedback/<iteration>.md`. */
export function feedbackOf(gates: readonly GateRun[], judgement: Judgement | undefined): string {
  const failed = gates.filter(({ passed }) => !passed)
  const parts = failed.map((gate) => {
    const output = lastOutput(gate)
    return `Gate ${gate.number} ${endOfGate(gate)}:\n\n${indented(gate.command)}${output === '' ? '' : `\n\nIt printed:\n\n${indented(output)}`}`
  })
  if (judgement?.verdict === 'unparsed') parts.push('The checker gave no verdict that could be understood. It said:')
  if (judgement !== undefined && judgement.feedback.trim() !== '') parts.push(judgement.feedback.trim())
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`
}

const indented = (text: string) => text.replace(/^/gm, '    ')

export type Attempt = {
  /** The iteration that this contract is for, from 0. */
  readonly iteration: number
  readonly max: number
  readonly result: { readonly text: string; readonly path: string }
  readonly feedback: string
}

/** The contract of an iteration after the first. The task stays last. */
export function attemptContract(contract: string, { iteration, max, result, feedback }: Attempt, fence: Fence): string {
  return [
    `# Attempt ${iteration + 1} of ${max}`,
    `Another agent has worked on this task before you, and its work was not accepted. Its changes are in place: go on from there. Text between two lines with the same long number is what others said of it.`,
    `## What it said\n\nIts last message, which lies whole in ${result.path}:\n\n${fence('its last message', cutAt(result.text, resultCharsMax))}`,
    `## Why it was not accepted\n\n${fence('the checks', cutAt(feedback, feedbackCharsMax))}\n\nMend this, and finish the task.`,
    contract,
  ].join('\n\n')
}
