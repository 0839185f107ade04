import { realpathSync } from 'node:fs'
import { statAt } from '@switchyard/ground/at-path'
import { Failure } from '@switchyard/ground/failure'
import { agentsIn, findPlace, openSandbox, type Sandbox } from '@switchyard/sandbox'
import { locateStore } from '@switchyard/topic'

type Asked = {
  cwd: string
  env: Readonly<Record<string, string>>
  agent: string | undefined
  command: readonly string[]
  hasNetwork: boolean
  /** A file that the agent is told to read. */
  readable: string | undefined
}

/**
 * The sandbox of one turn: the folder or the working tree around it, the bus and the tracker can be written. Failure
 * `outside` where this machine has none.
 */
export async function openSandboxFor({ cwd, env, agent, command, hasNetwork, readable }: Asked): Promise<Sandbox> {
  if (statAt(cwd)?.isDirectory() !== true) throw new Failure('outside', `cannot run there: there is no folder ${cwd}`)
  const here = realpathSync.native(cwd)
  const repository = await findPlace(here, env)
  const bus = locateStore({ cwd: here, env, name: '.jwz', variable: 'JWZ_STORE' })
  const issues = locateStore({ cwd: here, env, name: '.tissue', variable: 'TISSUE_STORE' })
  const stores = { JWZ_STORE: bus.path, TISSUE_STORE: issues.path }
  return openSandbox({
    ...{ folder: here, repository, hasNetwork, env: { ...env, ...stores } },
    writable: [...Object.values(stores), ...(repository === undefined ? [] : [repository.workTree])],
    readable: readable === undefined ? [] : [readable],
    line: command.join(' '),
    agents: agent === undefined ? agentsIn(command.join(' ')) : [agent],
  })
}
