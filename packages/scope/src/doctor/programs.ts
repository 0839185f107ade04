// What sessions need of the machine: Node, git, tmux, and scope itself where hooks look for it.
import { execute, findProgram } from '@switchyard/exec'
import { bad, type Finding, ok, warn } from '@switchyard/topic/examine/finding'
import { tmuxHint } from '../install/tmux-hint.ts'

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

const versionMsMax = 20_000
const outputBytesMax = 4096

/** The oldest that does: tmux gives a new session its environment since 3.2, git merges without a tree since 2.38. */
const oldest = { node: [20, 19], tmux: [3, 2], git: [2, 38] } as const

/** Whether the programs are there and new enough. `node` is the version that runs this. */
export async function examinePrograms(where: Where, node: string): Promise<Finding[]> {
  const isOld = isOlder(node, oldest.node)
  return [
    isOld ? bad('node', `${node} runs scope`, `install Node ${oldest.node.join('.')} or later`) : ok('node', node),
    await examineVersion('git', '--version', where, bad('git', 'is not on PATH', 'install it, for worktrees')),
    await examineVersion('tmux', '-V', where, warn('tmux', 'is not on PATH', tmuxHint(where) ?? 'install it')),
    examineOwn(where),
  ]
}

async function examineVersion(name: 'git' | 'tmux', flag: string, where: Where, missing: Finding): Promise<Finding> {
  const path = findProgram(name, where)
  if (path === undefined) return missing
  const { stdout, exitCode } = await execute([path, flag], { ...where, timeoutMs: versionMsMax, outputBytesMax })
  const said = stdout.trim().split('\n')[0] ?? ''
  if (exitCode !== 0) return bad(name, `${path} ${flag} ends with exit code ${exitCode}`, 'install it again')
  if (!isOlder(said, oldest[name])) return ok(name, `${said} at ${path}`)
  return bad(name, `${said} at ${path} is too old`, `install ${oldest[name].join('.')} or later`)
}

/** A version without numbers, as of a development build, is taken for a new one. */
function isOlder(text: string, [major, minor]: readonly [number, number]): boolean {
  const [, first, second] = /(\d+)\.(\d+)/.exec(text) ?? []
  if (first === undefined || second === undefined) return false
  return Number(first) < major || (Number(first) === major && Number(second) < minor)
}

function examineOwn(where: Where): Finding {
  const path = findProgram('scope', where)
  if (path !== undefined) return ok('scope', path)
  return warn('scope', 'is not on PATH, where hooks and agents look for it', 'put the folder of scope on PATH')
}
