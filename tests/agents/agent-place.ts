// A repository, a home of its own and a scripted model, for one real client.

import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModelServer, startModelServer } from '@switchyard/model-server'
import type { Turn } from '@switchyard/model-server/script'
import { cleanEnv, type Finished, tempFolder, tempRepo, trust } from '@switchyard/testkit'
import { onTestFinished } from 'vitest'

/** Milliseconds: a client that waits for something it will never get. */
const clientMsMax = 120_000

export type AgentPlace = {
  readonly repo: string
  readonly home: string
  readonly model: ModelServer
  readonly env: NodeJS.ProcessEnv
  /** Runs a client, or one of our tools, in the repository, to its end. */
  run(program: string, args: readonly string[], input?: string, msMax?: number): Promise<Finished>
}

/** Makes the place; the model's server ends with the test. */
export async function agentPlace(script: readonly Turn[], files?: Record<string, string>): Promise<AgentPlace> {
  const model = await startModelServer(script)
  onTestFinished(() => model.close())
  const repo = tempRepo(files)
  const home = tempFolder('home')
  writeCodexConfig(home, repo, model.url)
  const clients = join(process.env['SWITCHYARD_AGENTS'] ?? '', 'node_modules/.bin')
  const env = cleanEnv({
    ...claudeEnv(home, model.url),
    ...geminiEnv(model.url),
    ...opencodeEnv(home),
    HOME: home,
    PWD: repo,
    CODEX_HOME: join(home, '.codex'),
    MODEL_KEY: 'sk-dummy',
    TMPDIR: tempFolder('tmp'),
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    JWZ_AGENT: 'tester',
  })
  // With npm's own variables, a client's npm would not read the settings of this home.
  for (const name of Object.keys(env)) if (name.startsWith('npm_')) delete env[name]
  env['PATH'] = `${clients}:${env['PATH']}`
  // Codex runs commands in a login shell, whose profile sets another PATH.
  writeFileSync(join(home, '.bash_profile'), `export PATH='${env['PATH']}'\n`)
  if (files?.['loop.json'] !== undefined) trust(repo, env)
  const run: AgentPlace['run'] = (program, args, input, msMax = clientMsMax) =>
    finished(program, args, { cwd: repo, env, input, msMax })
  return { repo, home, model, env, run }
}

/** Answers the first questions of Claude Code beforehand, which it asks in a terminal. */
export function knownToClaude({ home, repo }: Pick<AgentPlace, 'home' | 'repo'>): void {
  const told = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['sk-dummy'], rejected: [] },
    projects: { [repo]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  }
  mkdirSync(join(home, '.claude'), { recursive: true })
  writeFileSync(join(home, '.claude/.claude.json'), JSON.stringify(told))
}

/** The command lines of what session 0 has started and left, wherever it stands in the tree of processes. */
export function processesOf({ repo }: Pick<AgentPlace, 'repo'>): string[] {
  const mark = [`SCOPE_DIR=${join(repo, '.scope')}`, 'SCOPE_SESSION_ID=0']
  return readdirSync('/proc').flatMap((pid) => {
    const told = /^\d+$/.test(pid) ? readProc(`/proc/${pid}/environ`).split('\0') : []
    return mark.every((word) => told.includes(word)) ? [readProc(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')] : []
  })
}

/** The command lines of all processes. */
export const commandLines = (): string[][] =>
  readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? [readProc(`/proc/${pid}/cmdline`).split('\0')] : []))

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function claudeEnv(home: string, url: string): Record<string, string> {
  return {
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'sk-dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    // Lets a client that runs as root skip its questions.
    IS_SANDBOX: '1',
  }
}

function geminiEnv(url: string): Record<string, string> {
  return { GEMINI_API_KEY: 'sk-dummy', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }
}

function opencodeEnv(home: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_STATE_HOME: join(home, '.local/state'),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }
}

function writeCodexConfig(home: string, repo: string, url: string): void {
  const lines = [
    'model = "scripted"',
    'model_provider = "scripted"',
    'approval_policy = "never"',
    'sandbox_mode = "danger-full-access"',
    '[model_providers.scripted]',
    'name = "scripted"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    'env_key = "MODEL_KEY"',
    `[projects."${repo}"]`,
    'trust_level = "trusted"',
    '[features]',
    'daemon_auto_start = false',
  ]
  mkdirSync(join(home, '.codex'))
  writeFileSync(join(home, '.codex/config.toml'), `${lines.join('\n')}\n`)
}

type Where = { cwd: string; env: NodeJS.ProcessEnv; input: string | undefined; msMax: number }

function finished(program: string, args: readonly string[], { cwd, env, input, msMax }: Where): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: 'pipe', timeout: msMax })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.stdin.on('error', (error) => {
      if (!('code' in error) || error.code !== 'EPIPE') reject(error)
    })
    child.stdin.end(input ?? '')
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}
