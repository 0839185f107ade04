// Whether this process is an agent's: what a person decides is not decided by who works for him.
import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { ppid } from 'node:process'
import { type Env, orNothing } from '../secret/state-folder.ts'

const ofRun = /^LOOP_(?!DISABLE$)/
const ofSession =
  /^(?:CLAUDECODE|CLAUDE_CODE_(?:SESSION|ENTRYPOINT|SSE)|CODEX_(?:SANDBOX|THREAD|SESSION)|GEMINI_(?:CLI$|SESSION)|OPENCODE(?:$|_SESSION))/
const levelsMax = 50

/** By what this process is known for an agent's, in words; undefined for a person's. */
export function whyAgents({ env, cwd }: { env: Env; cwd: string }): string | undefined {
  if (`${cwd}${sep}`.includes(`${sep}.worktrees${sep}loop${sep}`)) return 'this folder is a worktree of loop'
  for (const names of [Object.keys(env), ...namesAbove()]) {
    const found = names.find((name) => ofRun.test(name) || ofSession.test(name))
    if (found !== undefined) return `${found} is set`
  }
  return undefined
}

/** The variables of the processes above this one in its terminal session, the nearest first. */
function* namesAbove(): Generator<string[]> {
  const session = processOf('self')?.session
  for (let pid = ppid, level = 0; pid > 1 && level < levelsMax; level += 1) {
    const known = processOf(String(pid))
    if (known === undefined || known.session !== session) return
    const text = orNothing(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? ''
    yield text.split('\0').map((pair) => pair.slice(0, Math.max(0, pair.indexOf('='))))
    pid = known.parent
  }
}

/** Undefined where the system does not tell. */
function processOf(pid: string): { parent: number; session: number } | undefined {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return undefined
  const [, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(parent), session: Number(session) }
}
