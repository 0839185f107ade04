import { readFileSync } from 'node:fs'
import { ppid } from 'node:process'
import type { ProcessName } from '@switchyard/ground/process-name'
import { type Env, orNothing } from '@switchyard/ground/state-folder'
import { readProcess } from './process-table.ts'

/** A process above this one. `env` is what it was started with, as far as the system shows it. */
export type Ancestor = ProcessName & { readonly env: Env }

const levelsMax = 100

/** The processes above this one, the nearest first. */
export function ancestors(): Ancestor[] {
  const found: Ancestor[] = []
  for (let pid = ppid; pid > 0 && found.length < levelsMax; ) {
    const known = orNothing(() => readProcess(pid))
    if (known === undefined) break
    found.push({ pid, start: known.start, env: environmentOf(pid) })
    pid = known.parent
  }
  return found
}

/** Empty where the system does not tell, or the process is another user's. */
function environmentOf(pid: number): Env {
  const text = orNothing(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? ''
  const pairs = text.split('\0').filter((pair) => pair.includes('='))
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}
