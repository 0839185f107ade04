// A check that a person asks for: as a loop does it, with a judge of its own, and nothing of the loop changes.
import process from 'node:process'
import { Failure } from '@switchyard/ground/failure'
import { waitForAll } from '../end/wait-for.ts'
import { spawnSession } from '../start/spawn-session.ts'
import { type Checked, type CheckWorld, checkWork } from './check-work.ts'
import type { LoopRun } from './loop-run.ts'
import { type Member, memberPlan, resultOf } from './members.ts'

type Asked = CheckWorld & Pick<LoopRun, 'startSupervisor'> & { readonly iteration: number }

type Verdict = Extract<Checked, { verdict: unknown }>

/** The verdict on the last result of a loop. Exits 8 when its judge does not come to an end. */
export async function checkByHand(asked: Asked): Promise<Verdict> {
  const checked = await checkWork(asked, {
    ...{ iteration: asked.iteration, result: resultOf(asked, asked.id), label: 'hand' },
    onGate: () => Promise.resolve(),
    runJudge: (judge) => runJudge(asked, judge),
  })
  if (checked !== undefined && 'verdict' in checked) return checked
  const { id, state, reason } = checked?.ended ?? { id: asked.id, state: 'gone', reason: null }
  throw new Failure('outside', `the judge, session ${id}, is ${state}${reason === null ? '' : `: ${reason}`}`)
}

async function runJudge(asked: Asked, judge: Member) {
  const { scribe, env, launch, startSupervisor, signal } = asked
  const world = { scribe, env, cwd: launch.cwd, pid: process.pid, startSupervisor }
  const { id } = await spawnSession(memberPlan(asked, judge), world)
  const [session] = await waitForAll(scribe, [id], { signal })
  return session
}
