// A check that a hook has no time for: a process of loop's own runs it on, and the next stop of the agent reads what it
// came to. What the agent runs itself tells it something, and decides nothing.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { readStored } from '@switchyard/ground/disk'
import { parseJson } from '@switchyard/ground/parse-json'
import { signatureOf } from '@switchyard/ground/signature'
import { ulid } from '@switchyard/ground/ulid'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Store } from '@switchyard/topic'
import { findPass, type PassPlace, passFile } from '../land/verified.ts'
import { readRun } from '../record/journal.ts'
import { isRunAlive } from '../record/run-folder.ts'
import { checkLivesMs, type Ticket } from './check-ticket.ts'

/** A check of one tree in one run. `cwd` is where the command runs, `top` the tree it is about. */
export type SlowCheck = Pick<Ticket, 'run' | 'tree' | 'command' | 'cwd' | 'top' | 'store' | 'told'>

/** How a check that runs by itself ended; undefined when it has not. */
export type CheckEnd = { readonly passed: boolean; readonly output: string }

const pollMs = 250
/** A process that was just started has this long to be seen at work. */
const beginMs = 15_000
/** What remains for the hook to answer. */
const marginMs = 500

/** The name of the folder that a check has beside those of runs, as long as it runs. */
export const checkName = ({ run, tree, command }: Pick<Ticket, 'run' | 'tree' | 'command'>): string =>
  `check-${passFile('', { run, tree, command })
    .replace(/^.*\//, '')
    .replace(/\.json$/, '')}`

const resultFile = (commonDir: string, check: Pick<Ticket, 'run' | 'tree' | 'command'>) =>
  passFile(commonDir, check).replace(/\.json$/, '.failed.json')

/** Keeps how a check failed, for the stop that asks next. */
export function keepFailure(commonDir: string, check: Pick<Ticket, 'run' | 'tree' | 'command'>, output: string): void {
  const path = resultFile(commonDir, check)
  mkdirSync(dirname(path), { recursive: true })
  writeWhole(path, `${path}.${ulid(Date.now())}.draft`, `${JSON.stringify({ v: 1, ...check, output })}\n`)
}

/** What the check came to, once: a failure is forgotten when it was told. */
function takeEnd(place: PassPlace, check: SlowCheck, now: number): CheckEnd | undefined {
  if (findPass(place, check, now) !== undefined) return { passed: true, output: '' }
  const path = resultFile(place.commonDir, check)
  const text = readStored(path)
  if (text === undefined) return undefined
  rmSync(path, { force: true })
  const read: unknown = parseJson(text)
  const isOurs = typeof read === 'object' && read !== null && 'output' in read && typeof read.output === 'string'
  return { passed: false, output: isOurs ? String(read.output) : '' }
}

/** Whether a process is at this check now. */
const isChecking = ({ commonDir }: PassPlace, check: SlowCheck) => isRunAlive(commonDir, checkName(check))

/** Starts the process; false where this machine has no key to tell it by. One that is at it already goes on. */
export function startCheck({ commonDir, env }: PassPlace, check: SlowCheck, now: number): boolean {
  const { run, tree, command, cwd, top, store, told } = check
  const about = {
    v: 1 as const,
    commonDir,
    run,
    tree,
    command,
    cwd,
    top,
    store,
    told,
    at: now,
    until: now + checkLivesMs,
  }
  const signature = signatureOf('verified', ['ticket', JSON.stringify(about)], env)
  if (signature === undefined) return false
  const nothing = openSync(devNull, 'w')
  try {
    const loop = join(__dirname, '..', 'bin', 'loop.cjs')
    const child = spawn(process.execPath, [loop, 'hook', 'check'], {
      ...{ cwd: commonDir, env, detached: true, stdio: ['pipe', nothing, nothing] },
    })
    child.on('error', () => undefined)
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(JSON.stringify({ ...about, signature }))
    child.unref()
  } finally {
    closeSync(nothing)
  }
  return true
}

type Patience = { readonly store: Store; readonly now: () => number; readonly until: number }

/**
 * What came of a check that was cut off in this run before: its end, or that it still runs when the time is over. It is
 * begun when nobody is at it. Undefined where none was cut off, and where this machine has no key.
 */
export async function endOfSlowCheck(
  place: PassPlace,
  check: SlowCheck,
  { store, now, until }: Patience,
): Promise<CheckEnd | 'running' | undefined> {
  const known = takeEnd(place, check, now())
  if (known !== undefined || !readRun(store, check.run)?.wasCut) return known
  if (!isChecking(place, check) && !startCheck(place, check, now())) return undefined
  return (await waitForEnd(place, check, { now, until: until - marginMs })) ?? 'running'
}

/** Waits for the end of a check until then; undefined when it still runs, or has gone without a word. */
async function waitForEnd(
  place: PassPlace,
  check: SlowCheck,
  { now, until }: { now: () => number; until: number },
): Promise<CheckEnd | undefined> {
  const begun = Math.min(until, now() + beginMs)
  for (;;) {
    const isAtWork = isChecking(place, check)
    const end = takeEnd(place, check, now())
    if (end !== undefined) return end
    if (now() >= until || (!isAtWork && now() >= begun)) return undefined
    await sleep(pollMs)
  }
}
