import { execute, findProgram } from '@switchyard/exec'
import { bad, type Finding, ok, warn } from '@switchyard/topic/examine/finding'

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

const versionMsMax = 20_000

const needed = {
  git: 'install it: loop works in git repositories only',
  loop: 'put loop on PATH: hooks and plugins call it by that name',
  tissue: 'install it to work on issues; tasks need none',
  jwz: 'install it to follow and search what loop says on the bus',
  scope: 'install it to name an agent in --with; any command works without',
} as const
const musts = ['git', 'loop']

/** Which of the programs that loop runs, or whose users run loop, are there, and in which version. */
export async function examinePrograms(where: Where): Promise<Finding[]> {
  return Promise.all(Object.entries(needed).map(([name, advice]) => examineProgram(name, advice, where)))
}

async function examineProgram(name: string, advice: string, { cwd, env }: Where): Promise<Finding> {
  const path = findProgram(name, { cwd, env })
  if (path === undefined) return (musts.includes(name) ? bad : warn)(name, 'is not on PATH', advice)
  const ran = await execute([path, '--version'], { cwd, env, timeoutMs: versionMsMax, outputBytesMax: 4096 })
  const said = ran.stdout.trim().split('\n')[0] ?? ''
  if (ran.exitCode !== 0)
    return bad(name, `${path} --version ends with ${ran.exitCode ?? ran.signal}`, 'install it again')
  return ok(name, `${said} at ${path}`)
}
