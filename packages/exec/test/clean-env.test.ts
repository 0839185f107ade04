import { expect, it } from 'vitest'
import { cleanEnv } from '../src/index.ts'

it('removes what an agent session and a git hook leave behind, and keeps the rest', () => {
  const env = {
    PATH: '/bin',
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_SESSION_ID: 'x',
    CODEX_SANDBOX: 'seatbelt',
    CODEX_THREAD_ID: 'x',
    GEMINI_CLI: '1',
    OPENCODE: '1',
    OPENCODE_SESSION_ID: 'x',
    GIT_DIR: '/elsewhere/.git',
    GIT_WORK_TREE: '/elsewhere',
    GIT_INDEX_FILE: '/elsewhere/.git/index',
    UNSET: undefined,
  }
  expect(cleanEnv(env)).toEqual({ PATH: '/bin' })
})

it('keeps settings and credentials that only begin alike', () => {
  const env = {
    CLAUDE_CODE_OAUTH_TOKEN: 't',
    CLAUDE_CODE_USE_BEDROCK: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_ENABLE_TELEMETRY: '1',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: '8000',
    CLAUDE_CODE_SUBAGENT_MODEL: 'm',
    CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '40',
    CODEX_HOME: '/h',
    GEMINI_API_KEY: 'k',
    OPENCODE_CONFIG: 'c',
    GIT_SSH_COMMAND: 's',
  }
  expect(cleanEnv(env)).toEqual(env)
})
