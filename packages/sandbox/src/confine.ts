import { mkdirSync } from 'node:fs'
import { platform } from 'node:process'
import { Failure } from '@switchyard/ground/failure'
import { findAgents } from './agents.ts'
import { bwrapCommand } from './bwrap.ts'
import type { Confinement } from './confinement.ts'
import { diskHere } from './disk.ts'
import { sandboxMark, withoutSecrets } from './environment.ts'
import { insideOf, isAround } from './mounts.ts'
import { seatbeltCommand } from './seatbelt.ts'

export type { Confinement } from './confinement.ts'

/** What is to be started, with all of its environment. */
type Confined = { readonly argv: string[]; readonly env: Record<string, string> }

/**
 * The command that runs another one confined. `temporary` is an empty folder for what the system cannot make empty by
 * itself (macOS). Failure `usage` where the folder is all of home, or more.
 */
export function confine(command: readonly string[], confinement: Confinement, temporary: string): Confined {
  const { folder, home, hasNetwork, agents, env } = confinement
  for (const path of [folder, ...confinement.writable]) {
    if (!isAround(path, home)) continue
    throw new Failure(
      'usage',
      `expected a folder below ${home}, or elsewhere, to write in from a sandbox, got ${path}`,
      {
        hint: 'cd into a project',
      },
    )
  }
  for (const files of findAgents(agents).map((agent) => agent.files(home, folder, env))) makeSessions(files.folders)
  const inside = insideOf(confinement, diskHere)
  const kept = { ...withoutSecrets(env, agents), ...sandboxMark }
  if (platform === 'darwin') {
    const argv = seatbeltCommand(command, inside, { folder, home, hasNetwork, temporary })
    return { argv, env: { ...kept, HOME: home, TMPDIR: temporary } }
  }
  return { argv: bwrapCommand(command, inside, { folder, hasNetwork }), env: { ...kept, HOME: home, TMPDIR: '/tmp' } }
}

/** The folder of the sessions of this project, which an agent would make itself; nothing where it was never started. */
function makeSessions(folders: readonly { path: string; written: readonly string[] }[]): void {
  for (const { path, written } of folders) {
    if (!diskHere.isThere(path)) continue
    const sessions = written.find((name) => name.startsWith('projects/'))
    if (sessions !== undefined) mkdirSync(`${path}/${sessions}`, { recursive: true })
  }
}
