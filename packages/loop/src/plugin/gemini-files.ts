// An extension for Gemini CLI: commands are TOML there, and tools have other names.

import { hookSettings } from '@switchyard/wire/settings/hook-settings'
import { listed } from './front-matter.ts'
import { loopHooks } from './loop-hooks.ts'
import type { Files } from './plugin-text.ts'
import { asJson, description, pluginName, withFields } from './plugin-text.ts'
import type { Piece, PluginSource } from './source.ts'

const toolNames: ReadonlyMap<string, string> = new Map([
  ['Read', 'read_file'],
  ['Grep', 'grep_search'],
  ['Glob', 'glob'],
  ['Bash', 'run_shell_command'],
  ['Write', 'write_file'],
  ['Edit', 'replace'],
  ['WebFetch', 'web_fetch'],
  ['WebSearch', 'google_web_search'],
])

/** The files of the extension. */
export function geminiFiles({ agents, commands, skills }: PluginSource, version: string): Files {
  const hooks = Object.fromEntries(
    Object.entries(hookSettings('gemini', loopHooks)).map(([name, group]) => [name, [group]]),
  )
  return {
    'gemini-extension.json': asJson({ name: pluginName, version, description }),
    'hooks/hooks.json': asJson({ hooks }),
    ...Object.fromEntries(agents.map((agent) => [`agents/${agent.name}.md`, geminiAgent(agent)])),
    ...Object.fromEntries(commands.map((command) => [`commands/${command.name}.toml`, geminiCommand(command)])),
    ...Object.fromEntries(skills.map(({ name, file }) => [`skills/${name}/SKILL.md`, file])),
  }
}

/** A model's name means nothing to another vendor, so the session's own is used. */
function geminiAgent({ name, fields, text }: Piece): string {
  const tools = listed(fields['tools'] ?? '').flatMap((tool) => toolNames.get(tool) ?? [])
  return withFields({ name, description: fields['description'] ?? name, ...(tools.length > 0 ? { tools } : {}) }, text)
}

/** JSON's texts are TOML's basic strings. */
function geminiCommand({ name, fields, text }: Piece): string {
  const prompt = text.trim().replaceAll('$ARGUMENTS', '{{args}}')
  return `description = ${JSON.stringify(fields['description'] ?? name)}\nprompt = ${JSON.stringify(prompt)}\n`
}
