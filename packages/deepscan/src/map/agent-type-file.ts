import { join, relative } from 'node:path'
import { entriesIn, readIfThere, realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { type AgentType, builtInTypes, typeNamePattern } from './agent-types.ts'

type Env = Readonly<Record<string, string | undefined>>

const instructionMax = 20_000

/**
 * The agent type of a name: one that comes with deepscan, else the user's file, else that of the project,
 * `.deepscan/agents/NAME.md`. A file is words for a prompt and nothing else; no project can change what a name of ours
 * or of the user means, or have a file from elsewhere put into a prompt. Exits 2 for a name that nobody has.
 */
export function findAgentType(name: string, { root, env }: { root: string; env: Env }): AgentType {
  if (!typeNamePattern.test(name)) throw unknownType(name, { root, env })
  const own = Object.hasOwn(builtInTypes, name) ? builtInTypes[name] : undefined
  if (own !== undefined) return { name, instruction: own, path: null }
  for (const folder of foldersOf({ root, env })) {
    const path = join(folder, `${name}.md`)
    const text = readIfThere(path)
    if (text === undefined) continue
    if (folder === projectFolder(root)) refuseLinked(path, root)
    const instruction = text.trim()
    if (instruction !== '' && instruction.length <= instructionMax) return { name, instruction, path }
    throw new Failure('usage', `expected ${path} to have 1 to ${instructionMax} characters, got ${instruction.length}`)
  }
  throw unknownType(name, { root, env })
}

function projectFolder(root: string): string {
  return join(root, '.deepscan', 'agents')
}

/** A project is a stranger's until read: a link in it may lead to the user's own files. */
function refuseLinked(path: string, root: string): void {
  if (realPathIfThere(path) === join(realPathIfThere(root) ?? root, relative(root, path))) return
  const hint = 'a project says in a file of its own how agents look at it'
  throw new Failure('usage', `expected ${path} to be a file of the project, got a link`, { hint })
}

/** Where files of agent types are looked for, the user's first. */
function foldersOf({ root, env }: { root: string; env: Env }): string[] {
  const config = env['XDG_CONFIG_HOME'] ?? (env['HOME'] === undefined ? undefined : join(env['HOME'], '.config'))
  return [...(config === undefined ? [] : [join(config, 'deepscan', 'agents')]), projectFolder(root)]
}

function unknownType(name: string, where: { root: string; env: Env }): Failure {
  const files = foldersOf(where).flatMap((folder) => entriesIn(folder).map((entry) => entry.name))
  const named = files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -'.md'.length))
  return new Failure('usage', `expected an agent type, got ${JSON.stringify(name)}`, {
    hint: `there are ${[...new Set([...Object.keys(builtInTypes), ...named])].join(', ')}; .deepscan/agents/NAME.md makes another`,
  })
}
