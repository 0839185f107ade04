// What each coding agent needs of its own: its login, its settings, where it keeps its sessions, its variables.

type Env = Readonly<Record<string, string | undefined>>

/** A folder of an agent. It can write what is named there; the rest is read, or is not there. */
type OwnFolder = {
  readonly path: string
  readonly written: readonly string[]
  /** What tells of other work: neither read nor written, but that what is written there lasts as long as the call. */
  readonly hidden: readonly string[]
}

export type OwnFiles = {
  readonly folders: readonly OwnFolder[]
  /** Files of which it gets a copy that goes away: it replaces them whole, and others start programs by them. */
  readonly copied: readonly string[]
  readonly readable: readonly string[]
}

type Agent = {
  readonly name: string
  readonly variables: RegExp
  files(home: string, folder: string, env: Env): OwnFiles
}

const providers =
  /^(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE|OPENROUTER|DEEPSEEK|GROQ|MISTRAL|XAI|COHERE|TOGETHER|FIREWORKS|CEREBRAS|AZURE_OPENAI|OLLAMA)_/

/** How Claude Code names the folder of a project's sessions. */
const projectName = (folder: string) => folder.replace(/[^A-Za-z0-9]/g, '-')

const claudeHidden = [
  ...['projects', 'history.jsonl', 'todos', 'tasks', 'plans', 'sessions', 'session-env', 'shell-snapshots', 'ide'],
  ...[
    'file-history',
    'paste-cache',
    'debug',
    'statsig',
    'telemetry',
    'backups',
    'cache',
    'downloads',
    'stats-cache.json',
  ],
]

const agents: readonly Agent[] = [
  {
    name: 'claude',
    variables: /^(?:ANTHROPIC_|CLAUDE_)/,
    files(home, folder, env) {
      const moved = env['CLAUDE_CONFIG_DIR']
      const path = moved ?? `${home}/.claude`
      // What it can write there starts no program of its user: settings, hooks and plugins are only read.
      const written = ['.credentials.json', `projects/${projectName(folder)}`]
      const copied = [`${moved ?? home}/.claude.json`]
      return { folders: [{ path, written, hidden: [...claudeHidden, '.claude.json'] }], copied, readable: [] }
    },
  },
  {
    name: 'codex',
    variables: /^(?:OPENAI_|CODEX_)/,
    files(home, _, env) {
      const path = env['CODEX_HOME'] ?? `${home}/.codex`
      const hidden = ['history.jsonl', 'log', 'archived_sessions', 'shell_snapshots', 'tmp']
      return { folders: [{ path, written: ['auth.json', 'sessions'], hidden }], copied: [], readable: [] }
    },
  },
  {
    name: 'gemini',
    variables: /^(?:GEMINI_|GOOGLE_)/,
    files(home) {
      const folder = { path: `${home}/.gemini`, written: ['oauth_creds.json', 'tmp'], hidden: ['history'] }
      return { folders: [folder], copied: [], readable: [] }
    },
  },
  {
    name: 'opencode',
    variables: new RegExp(`${providers.source}|^OPENCODE_`),
    files(home) {
      const path = `${home}/.local/share/opencode`
      const written = ['auth.json', 'storage', 'opencode.db', 'opencode.db-wal', 'opencode.db-shm']
      return { folders: [{ path, written, hidden: ['log'] }], copied: [], readable: [`${home}/.config/opencode`] }
    },
  },
  {
    name: 'aider',
    variables: new RegExp(`${providers.source}|^AIDER_`),
    files: (home) => ({ folders: [], copied: [], readable: [`${home}/.aider.conf.yml`, `${home}/.aider`] }),
  },
  {
    name: 'socrates',
    variables: new RegExp(`${providers.source}|^SOCRATES_`),
    files: (home) => ({ folders: [], copied: [], readable: [`${home}/.config/socrates`] }),
  },
]

/** Agents of these names that are known. */
export const findAgents = (names: readonly string[]) => agents.filter(({ name }) => names.includes(name))

/** The agents that a line of shell calls, as far as their names stand in it. */
export function agentsIn(shell: string): string[] {
  return agents.map(({ name }) => name).filter((name) => new RegExp(`(?<![\\w.-])${name}(?![\\w-])`).test(shell))
}
