import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { script, tempFolder } from './folder.ts'
import { bin, cleanEnv, type Finished, type ToolName } from './run.ts'

export type OtherUser = {
  readonly uid: number
  /** His own folder, which everybody may enter. */
  readonly folder: string
  /** Runs a line of bash as he would, with his tools on PATH and a home that is his. */
  bash(line: string, options?: { cwd?: string; env?: Record<string, string | undefined> }): Finished
}

/** Our own PATH may lead through folders that are closed to him. */
const systemPath = '/usr/local/bin:/usr/bin:/bin'

/**
 * Another user, for tests that only root can make: see `itWith('root', …)`. The clone, Node and the temporary folder may
 * lie where he cannot enter, so that he gets copies of the tools that he needs, in a folder of his own. Each `uid` is
 * another one; `gid` is a group that he may share.
 */
export function otherUser(uid: number, { gid = uid, tools = [] }: { gid?: number; tools?: readonly ToolName[] } = {}) {
  const as = { uid, gid, env: { PATH: systemPath } }
  const mayRun = (file: string, ...args: string[]) => spawnSync(file, args, { ...as, stdio: 'ignore' }).status === 0
  const open = [tmpdir(), '/tmp', '/var/tmp'].find((folder) => mayRun('test', '-x', folder))
  const folder = tempFolder('other-user', open)
  const own = join(folder, 'bin')
  mkdirSync(own)
  const node = mayRun(process.execPath, '-e', '0') ? process.execPath : join(folder, 'node')
  if (node !== process.execPath) copyFileSync(process.execPath, node)
  for (const tool of tools) {
    const [from, to] = [dirname(dirname(bin(tool))), join(folder, 'tools', tool)]
    for (const part of ['bin', 'dist', 'package.json']) cpSync(join(from, part), join(to, part), { recursive: true })
    script(join(own, tool), `#!/bin/sh\nexec '${node}' '${join(to, 'bin', `${tool}.cjs`)}' "$@"\n`)
  }
  spawnSync('chmod', ['-R', 'a+rX,a-st', folder])
  chmodSync(folder, 0o755)
  chownSync(folder, uid, gid)
  const user: OtherUser = {
    uid,
    folder,
    bash(line, { cwd = folder, env } = {}) {
      const his = { HOME: folder, TMPDIR: folder, XDG_STATE_HOME: join(folder, 'state') }
      const all = cleanEnv({ ...his, PATH: [own, systemPath].join(delimiter), ...env })
      const result = spawnSync('bash', ['-c', line], { cwd, env: all, uid, gid, encoding: 'utf8', input: '' })
      if (result.error) throw result.error
      return { code: result.status, signal: result.signal, stdout: result.stdout, stderr: result.stderr }
    },
  }
  return user
}
