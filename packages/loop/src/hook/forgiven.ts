// What a hook prints that was called with words nobody knows, as by settings of another version: nothing of it could be
// read, so the guard has judged nothing. Small, since it comes with every start of loop.

/** One line for the host: the session goes on, the tool does not. Undefined for a call that is no hook. */
export function forgiven(argv: readonly string[], error: unknown): string | undefined {
  const [verb, event] = argv.filter((word) => !word.startsWith('-'))
  if (verb !== 'hook') return undefined
  const said = `loop: the hook did nothing: ${error instanceof Error ? error.message : error}`
  return `${JSON.stringify(event === 'pre-tool' ? { ...refusal(argv, said), systemMessage: said } : { systemMessage: said })}\n`
}

/** The words of the host that the call names, else those of Claude Code. */
function refusal(argv: readonly string[], reason: string): object {
  const isOf = (host: string) => argv.includes(host) || argv.includes(`--host=${host}`)
  if (isOf('gemini')) return { decision: 'deny', reason }
  if (isOf('opencode')) return { do: 'deny', reason }
  const permissionDecision = isOf('codex') ? 'deny' : 'ask'
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: reason } }
}
