import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { secretMark } from '@switchyard/cli-kit/secrets'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { busExists, locateStore, type Store } from '@switchyard/topic'
import { readConfig } from '../config/read-config.ts'
import { wantedVerify } from '../config/verify-line.ts'
import type { VerificationRecord } from '../land/verification-schema.ts'
import { verifyHere } from '../land/verify-here.ts'
import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { ceilingOf } from '../programs/git-place.ts'
import { sessionOf } from '../record/env-session.ts'
import { findOwnRun, readOpenRun } from '../record/own-run.ts'
import { askingTrust } from '../trust/ask-trust.ts'
import { findRepository } from '../worktree/repository.ts'
import { treeAround } from '../worktree/tree-place.ts'

/** `loop verify`: exits 0 when the command passes on what is committed here, 1 when it does not, 124 when it took too long. */
const verb = defineVerb({
  summary: 'Run the verify command on what is committed here, and tell whether it passes',
  flags: {
    verify: { type: 'string', value: 'CMD', summary: 'A line of shell instead of the one of the run, or of loop.json' },
    again: { type: 'boolean', summary: 'Run it although it has passed on the same files' },
    timeout: { type: 'duration', default: '1h', summary: 'How long it may take' },
  },
  examples: ['loop verify --verify true', 'loop verify --verify true --again --json'],
  async run({ cwd, env, flags, now, output, interrupted }) {
    const runChild = openPlainChildren(env)
    const git = openGit(runChild)
    const repository = await findRepository(git, cwd)
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
    const bound = flags.verify === undefined ? findBoundCheck(store, env) : undefined
    const folder = bound?.folder ?? cwd
    const at = await treeAround(git, folder)
    if (at === undefined)
      throw new Failure('usage', `expected to be in a worktree, ${folder} is in none`, { hint: 'cd into one' })
    const config = readConfig(repository.root, env)
    const command = wantedVerify(flags.verify ?? bound?.command, config)
    if (command === undefined) {
      throw new Failure('usage', 'expected a verify command, got none', {
        hint: 'give --verify CMD, or set verify in loop.json',
      })
    }
    const ofRun = bound === undefined ? {} : { JWZ_STORE: store.path, LOOP_RUN_ID: bound.run }
    const options = {
      ...{
        git,
        runChild,
        commonDir: repository.commonDir,
        machine: env,
        command,
        env: { ...ofRun, ...ceilingOf(folder) },
      },
      ...{ timeoutMs: flags.timeout, isAgain: flags.again, now, interrupted: interrupted() },
      onLine: (line: string) => output.note(line),
    }
    const result = await verifyHere({ ...options, at })
    output.one(result, shownVerification)
    return codeOf(result)
  },
})

export const verify = askingTrust(verb)

function codeOf({ passed, timed_out }: VerificationRecord): ExitCode {
  if (passed) return exitCodes.done
  return timed_out ? exitCodes.waitTimeout : exitCodes.failed
}

const shownVerification: Shown<VerificationRecord> = {
  text: ({ passed, tree, command, exit_code, timed_out, reused }) => {
    const how = reused ? '  as before' : ''
    const why = timed_out ? '  took too long' : `  exit ${exit_code}`
    return `${passed ? 'passed' : 'failed'}  ${tree.slice(0, 10)}  ${command.split('\n')[0]}${passed ? how : why}`
  },
  id: ({ tree }) => tree,
}

/** `folder` is where the work lies; undefined where the run does not say it. */
type BoundCheck = { readonly run: string; readonly command: string; readonly folder: string | undefined }

/** The command of the run that the session works, or that a runner's worker is part of; undefined when it has none. */
function findBoundCheck(store: Store, env: Readonly<Record<string, string | undefined>>): BoundCheck | undefined {
  if (!busExists(store)) return undefined
  const session = sessionOf(env)
  const named = env['LOOP_RUN_ID']
  const own = () => session && findOwnRun(store, session, env)
  const run = named === undefined ? own() : readOpenRun(store, named, env)
  if (run === undefined || run.started.verify === '') return undefined
  // The record of a command with a secret in it is not the command.
  if (run.started.verify.includes(secretMark)) return undefined
  const { started, claimed } = run
  const ofIssue = env['LOOP_RUN_ID'] === undefined ? claimed?.worktree : undefined
  return { run: run.id, command: started.verify, folder: started.mode === 'task' ? started.cwd : ofIssue }
}
