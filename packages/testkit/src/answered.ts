import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makePipes, spawnResident } from './resident.ts'
import { full } from './scaled.ts'
import { linkedTools, toolPath } from './tool-path.ts'

const asks = fileURLToPath(new URL('../preload/asks.sh', import.meta.url))

let path: string | undefined

/**
 * Like `toolPath`, for runs that call `tissue` again and again, and are not killed meanwhile: a process that stays
 * answers what they call, with the folder, the environment and the stdin of each call. `npm run test:long` starts a
 * process for each.
 */
export function answeredPath(): string {
  path ??= full || !isPossible() ? toolPath() : [startAnswering(), toolPath()].join(delimiter)
  return path
}

const isPossible = () => existsSync('/proc/self/environ') && spawnSync('flock', ['--version']).status === 0

/** Returns a folder of tools, which the process that answers removes when this one has ended. */
function startAnswering(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-answers-'))
  makePipes(join(folder, 'ask'), join(folder, 'answers'))
  symlinkSync(linkedTools, join(folder, 'real'))
  for (const tool of ['tissue', 'loop', 'jwz', 'scope']) symlinkSync(asks, join(folder, tool))
  writeFileSync(join(folder, 'lock'), '')
  const child = spawnResident(folder)
  writeFileSync(join(folder, 'pid'), `${child.pid}\n`)
  // It ends when nobody is left who could ask: this keeps it from ending between two calls.
  openSync(join(folder, 'ask'), 'w')
  return folder
}
