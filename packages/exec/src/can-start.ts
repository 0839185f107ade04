import { statAt } from '@switchyard/ground/at-path'
import { Failure } from '@switchyard/ground/failure'
import { findProgram } from './find-program.ts'

type Where = { cwd: string; env: Readonly<Record<string, string | undefined>> }

/** Failure `outside` when there is no such program or folder. */
export function ensureCanStart(program: string | undefined, { cwd, env }: Where): asserts program is string {
  if (program === undefined) throw new Error('bug: an empty command')
  if (statAt(cwd)?.isDirectory() !== true) {
    throw new Failure('outside', `cannot run ${program}: there is no folder ${cwd}`)
  }
  if (findProgram(program, { cwd, env }) === undefined) {
    throw new Failure('outside', `cannot run ${program}: no such program`, {
      hint: `install ${program} or put it on PATH`,
    })
  }
}

export function cannotStart(argv: readonly string[], reason: string | undefined): Failure {
  return new Failure('outside', `cannot run ${argv[0]}: ${(reason ?? 'it did not start').split('\n')[0]}`)
}
