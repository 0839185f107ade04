// Which agents are there, how they were found, and what each can do.
import { execute, findProgram } from '@switchyard/exec'
import { isFailure } from '@switchyard/ground/failure'
import type { Adapter } from '../adapter.ts'
import type { AgentRecord } from './agent-schema.ts'
import { adapters, allAgents } from './find-agent.ts'

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

const timeoutMs = 10_000
const outputBytesMax = 4096

/** All agents that scope or the user's settings know, installed or not. Each that is there is asked for its version. */
export function surveyAgents(where: Where): Promise<AgentRecord[]> {
  return Promise.all(allAgents(where.env).map((adapter) => surveyOne(adapter, where)))
}

async function surveyOne(adapter: Adapter, where: Where): Promise<AgentRecord> {
  const { name, program = name, interactive, resumes, tellsCost } = adapter
  const path = findProgram(program, where) ?? null
  const version = path === null ? null : await versionOf(path, where)
  return {
    ...{ v: 1, agent: name, installed: path !== null, path, version, custom: !adapters.includes(adapter) },
    can: {
      ...{ terminal: interactive !== undefined, hooks: interactive?.hooks !== undefined },
      ...{ resume: resumes === true, cost: tellsCost === true },
    },
  }
}

/** The first line that it prints for `--version`; null when it has none in time. */
async function versionOf(path: string, { cwd, env }: Where): Promise<string | null> {
  try {
    const { exitCode, stdout } = await execute([path, '--version'], { cwd, env, timeoutMs, outputBytesMax })
    const line = stdout.split('\n').find((text) => text.trim() !== '')
    return exitCode === 0 && line !== undefined ? line.trim().slice(0, 100) : null
  } catch (error) {
    if (!isFailure(error)) throw error
    return null
  }
}
