type Env = Readonly<Record<string, string | undefined>>

/**
 * What an agent's session leaves in the environment of its children. A child that inherits it believes that it runs
 * inside that session: it refuses to start, skips its own hooks, or talks to the wrong one. The git variables come
 * from hooks and point at another work tree.
 */
const sessionVariables = [
  /^CLAUDECODE$/,
  /^CLAUDE_CODE_/,
  /^CLAUDE_PID$/,
  /^CODEX_(SANDBOX|THREAD|SESSION|CI|MANAGED|INTERNAL)/,
  /^GEMINI_CLI$/,
  /^GEMINI_CLI_(SESSION|IDE|NO_RELAUNCH)/,
  /^OPENCODE$/,
  /^OPENCODE_(SESSION|PID|RUN|CLIENT|CALLER|PROCESS)/,
  /^AI_AGENT$/,
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|NAMESPACE|CONFIG|QUARANTINE_PATH)$/,
  /^GIT_(OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|SHALLOW_FILE|GRAFT_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS)$/,
  /^GIT_(LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS$/,
]

/** Settings and credentials that begin like session variables; a child cannot work without them. */
const settings = [
  /^CLAUDE_CODE_(USE_|SKIP_|DISABLE_|ENABLE_|FORCE_|MAX_|RETRY_|API_|CLIENT_|OAUTH_|OTEL_|PROXY_)/,
  /^CLAUDE_CODE_(EFFORT_LEVEL|SUBAGENT_MODEL|STOP_HOOK_BLOCK_CAP|SHELL)$/,
]

/** A copy of `env` for a child: without the variables of the session it was started from, and without unset ones. */
export function cleanEnv(env: Env): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue
    if (sessionVariables.some((pattern) => pattern.test(name)) && !settings.some((pattern) => pattern.test(name)))
      continue
    kept[name] = value
  }
  return kept
}
