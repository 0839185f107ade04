// Each hook run as the host runs it, with an event that was made up, in a folder of its own: so that neither a loop nor
// the times of real events are touched.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Execution, execute } from '@switchyard/exec'
import { parseJson } from '@switchyard/ground/parse-json'
import { bad, type Finding, ok } from '@switchyard/topic/examine/finding'
import type { Host } from '@switchyard/wire/host'
import type { HookEntry, HookEvent } from '@switchyard/wire/settings/hook-entry'
import { hookTable } from '../plugin/hook-table.ts'
import { loopHooks } from '../plugin/loop-hooks.ts'

type Env = Readonly<Record<string, string | undefined>>

const hookMsMax = 30_000
/** No guard lets this pass. */
const dangerous = 'git push --force origin main'
const shells: Readonly<Record<Host, string>> = {
  claude: 'Bash',
  codex: 'Bash',
  gemini: 'run_shell_command',
  opencode: 'bash',
}

/** Whether each hook of a host answers; the guard has to stop what is dangerous. */
export async function proveHooks(host: Host, env: Env): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-doctor-'))
  try {
    const entries =
      host === 'opencode' ? hookTable.claude.filter(({ event }) => event !== 'subagent-stop') : hookTable[host]
    const problems = entries.map(async ({ event, name }) => {
      const problem = problemOf(event, await runHook(host, { event, name }, folder, env))
      return problem === undefined ? [] : [`${event} ${problem}`]
    })
    const wrong = (await Promise.all(problems)).flat()
    if (wrong.length === 0) return ok(host, `all ${entries.length} hooks answer, and the guard stops a forced push`)
    return bad(host, `hooks fail: ${wrong.join('; ')}`, 'run `loop hook` by hand; install loop again')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Hook = Pick<HookEntry, 'event' | 'name'>

function runHook(host: Host, { event, name }: Hook, cwd: string, env: Env): Promise<Execution> {
  const leaking = /^(LOOP_|IDLE_|JWZ_STORE|CLAUDE_PROJECT_DIR|GEMINI_PROJECT_DIR)/
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !leaking.test(name)))
  const named = host === 'opencode' ? { event } : { hook_event_name: name }
  const fields = { session_id: 'loop-doctor', cwd, ...named, ...toolFields(host, event) }
  const input = JSON.stringify(fields)
  return execute(
    { shell: loopHooks.command(host) },
    { cwd, env: clean, input, timeoutMs: hookMsMax, outputBytesMax: 65_536 },
  )
}

function toolFields(host: Host, event: HookEvent): object {
  if (event !== 'pre-tool') return {}
  const input = { command: dangerous }
  return host === 'opencode' ? { tool: shells[host], args: input } : { tool_name: shells[host], tool_input: input }
}

function problemOf(event: HookEvent, { exitCode, stdout, stderr }: Execution): string | undefined {
  if (exitCode !== 0) return `ends with ${exitCode ?? 'a signal'}: ${stderr.trim().split('\n')[0] ?? ''}`
  if (stdout.trim() !== '' && parseJson(stdout) === undefined) return 'prints what is no JSON'
  return event === 'pre-tool' && !/"(deny|ask)"/.test(stdout) ? 'lets a forced push pass' : undefined
}
