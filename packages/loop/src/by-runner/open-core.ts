// Puts together what every run has: its bus, its children, its limits, and the folder that says it lives.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { findProgram } from '@switchyard/exec'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { locateStore, type Store } from '@switchyard/topic'
import { openChildren } from '../programs/children.ts'
import { openWork } from '../programs/run-work.ts'
import { ownFolder } from '../record/own-folder.ts'
import { makeRunFolder, ownerOf, removeRunFolder } from '../record/run-folder.ts'
import { openRunRecord } from '../record/run-record.ts'
import { openTranscripts } from '../record/transcripts.ts'
import type { LoopEvent } from '../state/event-schema.ts'
import { isRepeating, renderEvent } from '../state/render-event.ts'
import type { RunStatus } from '../state/status-schema.ts'
import { bringHooks } from './bring-hooks.ts'
import { openControls } from './controls.ts'
import { openLedger } from './ledger.ts'
import type { RunCore } from './run-state.ts'
import type { Settings } from './settings.ts'

export type Env = Readonly<Record<string, string | undefined>>

export type CoreOptions = {
  id: string
  cwd: string
  env: Env
  now: () => number
  settings: Settings
  /** File with a template of the prompt. */
  prompt: string | undefined
  isAlone: boolean
  /** How the run was left that this goes on with. */
  before: { status: RunStatus; spent: { tokens: number; cost_usd: number }; wasPaused: boolean } | undefined
  stop: AbortSignal
  draining: AbortSignal
  note: (text: string) => void
}

/** A run that has begun; `close` takes its folder away, unless it is left to the next run to clean up. */
export type OpenCore = { core: RunCore; close(): void; leaveToRecovery(): void }

const heartbeatMs = 15_000

/** Fails as `outside` when a program is missing that the run will need. */
export function ensureTools(needed: readonly string[], { cwd, env }: { cwd: string; env: Env }): void {
  for (const name of needed) {
    if (findProgram(name, { cwd, env }) !== undefined) continue
    throw new Failure('outside', `expected ${name} on PATH, it is not there`, { hint: `install ${name}` })
  }
}

/**
 * Makes the run's folder beside the repository's objects, and touches it as long as the run lives; outside a
 * repository it is a temporary one, and there are no transcripts. Failure `conflict` when the run is at work already.
 */
export function openCore(options: CoreOptions): OpenCore {
  const { id, cwd, env, now, note, settings, before } = options
  const { bus, stores } = locateStores(cwd, env)
  const template = options.prompt === undefined ? undefined : readTemplate(resolve(cwd, options.prompt))
  const commonDir = bus.repository?.commonDir
  const folder = commonDir === undefined ? mkdtempSync(join(tmpdir(), 'loop-')) : takeFolder(commonDir, id)
  const heart = setInterval(() => touch(folder, now()), heartbeatMs)
  // Hooks of agents that a run calls leave the ending of their turns to the run.
  const depth = 1 + (Number.parseInt(env['LOOP_DEPTH'] ?? '', 10) || 0)
  let isClean = true
  const tell = (event: LoopEvent) => {
    if (!isRepeating(event)) note(renderEvent(event))
  }
  const redact = redactorOf(env)
  const journal = openRunRecord(bus, id, { env, now, told: tell, before: before?.status })
  const controls = openControls(bus, id, journal, { isAlone: options.isAlone, wasPaused: before?.wasPaused ?? false })
  const inherited = { ...env, ...stores, LOOP_DEPTH: String(depth) }
  const runChild = openChildren(folder, inherited)
  const core = {
    ...{ id, env, redact, store: bus, journal, controls, template, stores, note, now, random: Math.random },
    ...{ runner: settings.runner, context: settings.context, limits: settings.limits },
    ...{ timeoutMs: settings.timeoutMs, backoffMs: settings.backoffMs, stop: options.stop, draining: options.draining },
    ...{ runChild, runWork: openWork({ runChild, env: inherited, stores, folder, note }, settings.confining) },
    hooks: once(() => bringHooks({ runner: settings.runner, cwd, env, folder, note })),
    ledger: openLedger(settings.limits, before?.spent),
    transcripts: commonDir === undefined ? undefined : openTranscripts(commonDir, id),
  }
  return {
    core,
    close() {
      clearInterval(heart)
      controls.close()
      if (isClean) removeRunFolder(folder)
    },
    leaveToRecovery() {
      isClean = false
    },
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The bus and the tracker's store as this place has them, as the environment of a child names them. */
export function locateStores(cwd: string, env: Env): { bus: Store; stores: Record<string, string> } {
  const bus = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
  const issues = locateStore({ cwd, env, name: '.tissue', variable: 'TISSUE_STORE' })
  return { bus, stores: { JWZ_STORE: bus.path, TISSUE_STORE: issues.path } }
}

/** Whoever makes the folder has the run. */
function takeFolder(commonDir: string, id: string): string {
  mkdirSync(ownFolder(commonDir), { recursive: true })
  try {
    return makeRunFolder(commonDir, id, ownerOf(process.pid))
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) throw error
    rmSync(join(commonDir, 'loop', `.new-${id}`), { recursive: true, force: true })
    throw new Failure('conflict', `expected to go on with run ${id}, it is being worked by another`, {
      hint: 'wait until that one has ended',
    })
  }
}

/** A folder that is taken away meanwhile is the business of who took it. */
function touch(folder: string, now: number): void {
  try {
    utimesSync(folder, now / 1000, now / 1000)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}

function readTemplate(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw new Failure('usage', `expected a template in ${path}, it cannot be read: ${code}`)
  }
}
