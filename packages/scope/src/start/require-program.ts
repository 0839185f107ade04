import { findProgram } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import { findAgent } from '../agents/find-agent.ts'

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

/** Fails as `outside` where the program of an agent is not on PATH. */
export function requireProgram(agent: string, where: Where): void {
  const { program = agent } = findAgent(agent, where.env)
  if (findProgram(program, where) !== undefined) return
  throw new Failure('outside', `cannot run ${program}: no such program`, {
    hint: `install ${program} or put it on PATH`,
  })
}
