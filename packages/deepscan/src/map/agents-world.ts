import { randomBytes } from 'node:crypto'
import process from 'node:process'
import type { Context } from '@switchyard/cli-kit'
import { listenForSignals } from '@switchyard/cli-kit/drain-signals'
import { isFailure } from '@switchyard/ground/failure'
import { locateStore, type Store } from '@switchyard/topic'
import type { OpenScan } from '../store/open-scan.ts'
import type { MapWorld } from './session.ts'

type Env = Context['env']

const fenceBytes = 8

/** The world in which agents work, and the signals that end it: the first interrupt drains, the second stops. */
export function openAgentsWorld(
  open: OpenScan,
  { env, now }: Pick<Context, 'env' | 'now'>,
  note: (text: string) => void,
): { world: Omit<MapWorld, 'hintsOf'>; code: () => 130 | 143; close: () => void } {
  const requests = listenForSignals(
    () => note('finishing what is begun; interrupt again to stop at once'),
    () => note('stopping; all that is finished is kept'),
  )
  const { draining, stop, code, close } = requests
  const fence = randomBytes(fenceBytes).toString('hex')
  const bus = busOf(open, env)
  const world = {
    env,
    now,
    random: Math.random,
    pid: process.pid,
    draining,
    stop,
    bus,
    fence,
    note,
    interruptedCode: code,
  }
  return { world, code, close }
}

/** The bus of the repository that is scanned; none where it cannot be told. */
function busOf({ scan }: OpenScan, env: Env): Store | undefined {
  try {
    return locateStore({ cwd: scan.root, env, name: '.jwz', variable: 'JWZ_STORE' })
  } catch (error) {
    if (!isFailure(error)) throw error
    return undefined
  }
}
