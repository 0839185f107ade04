// A configuration folder for opencode: a plugin in JavaScript, agents, commands and skills.
import { listed } from './front-matter.ts'
import type { Files } from './plugin-text.ts'
import { withFields } from './plugin-text.ts'
import type { Piece, PluginSource } from './source.ts'

/** The tools that an agent does not have unless it is given them. */
const toolNames = { Bash: 'bash', Edit: 'edit', Write: 'write', WebFetch: 'webfetch' } as const

/** What belongs into `~/.config/opencode`, or into `.opencode` of a project. */
export function opencodeFiles({ agents, commands, skills, shim }: PluginSource): Files {
  return {
    'plugin/loop.js': shim,
    ...Object.fromEntries(agents.map((agent) => [`agent/${agent.name}.md`, opencodeAgent(agent)])),
    ...Object.fromEntries(commands.map((command) => [`command/${command.name}.md`, opencodeCommand(command)])),
    ...Object.fromEntries(skills.map(({ name, file }) => [`skill/${name}/SKILL.md`, file])),
  }
}

function opencodeAgent({ name, fields, text }: Piece): string {
  const given = listed(fields['tools'] ?? '')
  const tools = Object.fromEntries(
    Object.entries(toolNames).map(([ours, theirs]) => [theirs, given.length === 0 || given.includes(ours)]),
  )
  return withFields({ description: fields['description'] ?? name, mode: 'subagent', tools }, text)
}

function opencodeCommand({ name, fields, text }: Piece): string {
  return withFields({ description: fields['description'] ?? name }, text)
}
