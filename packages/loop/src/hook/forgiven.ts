// What a hook prints that was called with words nobody knows, as by settings of another version: the guard has judged
// nothing.
import type { Input } from '@switchyard/cli-kit'
import { isFailure } from '@switchyard/ground/failure'
import { eventIn, isEventName } from '@switchyard/wire/event-name'
import { readInput } from '@switchyard/wire/read-input'

/** One line for the host: the session goes on, the tool does not. Undefined for a call that is no hook. */
export function forgiven(argv: readonly string[], error: unknown, input: Input): string | undefined {
  const [verb] = argv.filter((word) => !word.startsWith('-'))
  if (verb !== 'hook') return undefined
  const said = `loop: the hook did nothing: ${error instanceof Error ? error.message : error}`
  return `${JSON.stringify({ ...(mayBeTool(argv, input) ? refusal(argv, said) : {}), systemMessage: said })}\n`
}

/** Whether a tool waits for the answer, as far as anybody can tell. */
function mayBeTool(argv: readonly string[], input: Input): boolean {
  const word = argv.find((one) => isEventName(one) || one === 'check')
  if (word !== undefined) return word === 'pre-tool'
  try {
    return eventIn(readInput(input)) === 'pre-tool'
  } catch (error) {
    if (!isFailure(error)) throw error
    return true
  }
}

/** The words of the host that the call names, else those of Claude Code. */
function refusal(argv: readonly string[], reason: string): object {
  const isOf = (host: string) => argv.includes(host) || argv.includes(`--host=${host}`)
  if (isOf('gemini')) return { decision: 'deny', reason }
  if (isOf('opencode')) return { do: 'deny', reason }
  const permissionDecision = isOf('codex') ? 'deny' : 'ask'
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: reason } }
}
