import { Failure } from '@switchyard/ground/failure'
import type { Adapter } from '../adapter.ts'
import { readConfig } from '../config/config-file.ts'
import type { CustomAgent } from '../config/config-schema.ts'
import { aider } from './aider.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { customAgent } from './custom.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { socrates } from './socrates.ts'

type Env = Readonly<Record<string, string | undefined>>

/** All that scope knows how to call, in the order in which help shows them. */
export const adapters: readonly Adapter[] = [claude, codex, gemini, opencode, aider, socrates]

/** The agents that scope knows, and behind them those of the user's settings; no name stands twice. */
export function allAgents(env: Env): Adapter[] {
  const own = Object.entries(readConfig(env).agents).filter(([name]) => adapters.every((known) => known.name !== name))
  return [...adapters, ...own.map(([name, about]) => customAgent(name, about))]
}

/** What the user's settings say of an agent that scope does not know by itself; undefined of any other. */
export function describedAgent(name: string, env: Env): CustomAgent | undefined {
  if (adapters.some((known) => known.name === name)) return undefined
  const { agents } = readConfig(env)
  return Object.hasOwn(agents, name) ? agents[name] : undefined
}

type Ordered = { readonly agent: string; readonly custom?: CustomAgent | undefined }

/** The adapter of an agent as orders describe it, which do not change when the settings do. */
export const orderedAgent = ({ agent, custom }: Ordered, env: Env): Adapter =>
  custom === undefined ? findAgent(agent, env) : customAgent(agent, custom)

/** The adapter of an agent. Failure `usage` for a name that neither scope nor the settings know. */
export function findAgent(name: string, env: Env): Adapter {
  const known = adapters.find((adapter) => adapter.name === name)
  if (known !== undefined) return known
  const all = allAgents(env)
  const found = all.find((adapter) => adapter.name === name)
  if (found !== undefined) return found
  const names = all.map((adapter) => adapter.name).join(', ')
  throw new Failure('usage', `expected --agent to be ${names}, got ${JSON.stringify(name)}`, {
    hint: `any other program: scope run -- CMD ARG…, or scope config agents.NAME.command '["CMD"]'`,
  })
}
