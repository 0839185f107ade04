// The dashboard in a tmux of its own, and how it ended there: said and returned as if it had run without one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import { readStored } from '@switchyard/ground/disk'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { ownTmux } from './own-tmux.ts'
import { runToEnd } from './run-to-end.ts'

/** Shows it until it ends; what it said on stderr is said again. Exits 8 where tmux fails. */
export async function inOwnTmux(
  { cwd, env, output }: Pick<Context, 'cwd' | 'env' | 'output'>,
  hasProjects: boolean,
): Promise<ExitCode> {
  const end = mkdtempSync(join(env['TMPDIR'] || tmpdir(), 'scope-'))
  try {
    await runToEnd(ownTmux(cwd, { end, hasProjects }), { cwd, env })
    const said = readStored(join(end, 'stderr'))?.trimEnd() ?? ''
    if (said !== '') output.note(said)
    return exitCodeIn(readStored(join(end, 'exit-code')))
  } finally {
    rmSync(end, { recursive: true, force: true })
  }
}

/** None where the terminal went away, and tmux with it. */
function exitCodeIn(text: string | undefined): ExitCode {
  if (text === undefined) return exitCodes.done
  const code = Object.values(exitCodes).find((known) => known === Number(text))
  if (code !== undefined) return code
  throw new Failure('outside', `the dashboard ended with exit code ${text.trim()}`)
}
