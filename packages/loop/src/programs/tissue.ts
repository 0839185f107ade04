// The tracker, run as a program: `tissue` is the only way to its issues.

import type { Execution } from '@switchyard/exec'
import { Failure, isFailure } from '@switchyard/ground/failure'
import type { RunChild } from './children.ts'
import { type Issue, isOver, parseEnder, parseIssue, parseIssues } from './issue-schema.ts'

export type Tissue = {
  ready(): Promise<Issue[]>
  /** Open and closed ones; none without a store. */
  all(): Promise<Issue[]>
  /** Undefined when the id names no issue, or several. */
  show(id: string): Promise<Issue | undefined>
  /** Who ended it, while it is over. */
  enderOf(id: string): Promise<string | undefined>
  /** Takes or renews; undefined when another holds it or it is closed. */
  claim(id: string, worker: string, leaseMs: number): Promise<Issue | undefined>
  /** False when the claim is no longer ours. Closing a closed issue is no error. */
  close(id: string, worker: string, fence: string | undefined, reason: string): Promise<boolean>
  reopen(id: string, worker: string, reason: string): Promise<void>
  release(id: string, worker: string): Promise<void>
  pause(id: string, worker: string): Promise<void>
  comment(id: string, worker: string, body: string): Promise<void>
}

const timeoutMs = 60_000
const notFound = 3
const ambiguous = 4
const conflict = 5
const lockTimeout = 6
/** A tracker that is busy for a while is no reason to give up all that is being worked. */
const lockAttempts = 6
/** Verbs that are asked again change nothing, or the same thing twice. */
const askedMax = 2

/** Marks the failure of a tracker that ended with 0 and said nothing; a word, as each bundle has symbols of its own. */
const silence = 'silence'

/** Whether the tracker was asked twice, ended with 0 twice, and said nothing: what it did is not known. */
export function isSilence(error: unknown): error is Failure {
  return isFailure(error) && error.cause === silence
}

/** `cwd` decides which store is meant, unless the environment says it. */
export function openTissue(runChild: RunChild, cwd: string): Tissue {
  const call = async (args: readonly string[], allowed: readonly number[], input?: string) => {
    const options = { cwd, onOrphan: 'wait' as const, timeoutMs, ...(input === undefined ? {} : { input }) }
    let result = await runChild(['tissue', ...args], options)
    for (let times = 1; result.exitCode === lockTimeout && times < lockAttempts; times++) {
      result = await runChild(['tissue', ...args], options)
    }
    if (result.exitCode === 0 || allowed.includes(result.exitCode ?? -1)) return result
    throw failed(args, result)
  }
  /** Like `call` for what ends with 0 only when it has printed something. */
  const ask = async (args: readonly string[], allowed: readonly number[]) => {
    for (let times = 1; times <= askedMax; times++) {
      const result = await call(args, allowed)
      if (result.exitCode !== 0 || result.stdout.trim() !== '') return result
    }
    throw new Failure('outside', `tissue ${args[0]} ended with 0 and printed nothing, ${askedMax} times`, {
      hint: 'see whether the tissue on PATH is the right one: tissue --version',
      cause: silence,
    })
  }
  const issue = (result: Execution, args: readonly string[]): Issue | undefined =>
    result.exitCode === 0 ? parseIssue(result.stdout, args[0] ?? '') : undefined
  const show = async (id: string) => {
    const args = ['show', '--json', '--', id]
    return issue(await ask(args, [notFound, ambiguous]), args)
  }
  return {
    show,
    async ready() {
      const args = ['ready', '--json', '--limit', '1000']
      return parseIssues((await ask(args, [])).stdout, 'ready')
    },
    async all() {
      const listed = await ask(['list', '--all', '--json'], [notFound])
      return listed.exitCode === 0 ? parseIssues(listed.stdout, 'list') : []
    },
    async enderOf(id) {
      const now = await show(id)
      if (now === undefined || !isOver(now)) return undefined
      const told = await ask(['history', '--json', '--limit', '1000', '--', now.id], [])
      return parseEnder(told.stdout, now.id)
    },
    async claim(id, worker, leaseMs) {
      const args = ['claim', '--json', '--as', worker, '--ttl', `${leaseMs}ms`, '--', id]
      return issue(await ask(args, [conflict]), args)
    },
    async close(id, worker, fence, reason) {
      const held = fence === undefined ? [] : ['--fence', fence]
      return (await call(['close', '--as', worker, ...held, '--reason', reason, '--', id], [conflict])).exitCode === 0
    },
    async reopen(id, worker, reason) {
      await call(['reopen', '--as', worker, '--reason', reason, '--', id], [])
    },
    async release(id, worker) {
      await call(['release', '--as', worker, '--', id], [conflict])
    },
    async pause(id, worker) {
      await call(['status', '--as', worker, '--', id, 'paused'], [conflict])
    },
    async comment(id, worker, body) {
      await call(['comment', '--as', worker, '--', id, '-'], [], body)
    },
  }
}

function failed(args: readonly string[], { exitCode, stderr, timedOut }: Execution): Failure {
  const said = timedOut ? 'it did not end in time' : (stderr.trim().split('\n')[0] ?? '')
  return new Failure('outside', `tissue ${args[0]} failed (exit ${exitCode}): ${said}`, { hint: 'try tissue doctor' })
}
