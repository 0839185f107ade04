import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Context, defineVerb } from '@switchyard/cli-kit'
import { readText } from '@switchyard/cli-kit/body'
import { readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { parseRubric } from '../rubric/rubric.ts'
import { keepRubric, readRubric, rubricFile } from '../rubric/rubric-file.ts'
import { ensureRubric } from '../rubric/rubric-of.ts'
import { callingSessions, isWithin } from '../session/callers.ts'
import { findSession } from '../session/read-session.ts'
import { needScope } from '../session/scope-store.ts'
import { readLaunch } from '../start/launch.ts'

const rubricBytesMax = 1_000_000

/**
 * `scope rubric`: shows or changes what a loop's work is judged by; the next check goes by it. Exits 2 when the text is
 * no rubric, 3 when the session has none, 5 for an agent of that loop, and for a store of another machine.
 */
export const rubric = defineVerb({
  summary: "Show or change what a loop's work is judged by",
  args: [{ name: 'session', summary: 'Id or name', complete: 'session' }],
  flags: {
    show: { type: 'boolean', summary: 'Print it' },
    lint: { type: 'boolean', summary: 'Print what is wrong with it; exit 1 when something is' },
    set: { type: 'string', value: 'FILE', summary: 'Replace it; - takes it from stdin' },
  },
  examples: ['scope rubric 0 --show', 'scope rubric 0 --set criteria.md'],
  async run(call) {
    const { args, flags, output, env } = call
    if (Number(flags.show) + Number(flags.lint) + Number(flags.set !== undefined) > 1) {
      throw new Failure('usage', 'expected one of --show, --lint and --set, got several')
    }
    const store = needScope(call)
    const { id } = findSession(store, args.session)
    const path = rubricFile(store, id)
    const text = readStored(path)
    if (text === undefined) throw new Failure('notFound', `session ${id} has no rubric: it is no loop`)
    if (flags.lint) return lint(output, text)
    if (flags.set === undefined && (flags.show || !output.isTerminal || !call.input.isTerminal)) {
      const { rubric: read, hash } = readRubric(store, id, env)
      output.one({ v: 1, id, path, hash, ...read }, { text: () => text, id: () => id })
      return undefined
    }
    ensureMayChange(store, id, env)
    change(store, id, flags.set === undefined ? edited(path, env) : readText(flags.set, call, rubricBytesMax), env)
    output.note(`scope: the next check of session ${id} goes by it`)
    return undefined
  },
})

function lint(output: Context['output'], text: string): number | undefined {
  const { faults } = parseRubric(text)
  output.list(faults, { text: (fault) => fault, id: (fault) => fault, empty: 'nothing is wrong' })
  return faults.length === 0 ? undefined : 1
}

/** A worker does not say what its own work is judged by. */
function ensureMayChange(store: Store, id: string, env: Context['env']): void {
  readLaunch(store, id, env)
  const caller = callingSessions(store, env).find((one) => isWithin(one, id))
  if (caller === undefined) return
  throw new Failure('conflict', `session ${caller} is a part of loop ${id}, and cannot change its rubric`, {
    hint: 'scope exit says why the rubric does not fit',
    retryable: false,
  })
}

function change(store: Store, id: string, text: string, env: Context['env']): void {
  ensureRubric(text, 'this text')
  keepRubric(store, id, text, env)
}

/** The rubric as its person leaves it in the editor: in a copy, so that a check never meets half of it. */
function edited(path: string, env: Context['env']): string {
  const folder = mkdtempSync(join(tmpdir(), 'scope-rubric-'))
  try {
    const copy = join(folder, 'rubric.md')
    copyFileSync(path, copy)
    const editor = env['VISUAL'] || env['EDITOR'] || 'vi'
    const { status, error } = spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', copy], {
      stdio: 'inherit',
      env: { ...env },
    })
    if (error !== undefined || status !== 0)
      throw new Failure('outside', `${editor} failed, the rubric stays as it was`)
    return readFileSync(copy, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
