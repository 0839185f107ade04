// A plugin for Claude Code, which is its own marketplace.

import { hookSettings } from '@switchyard/wire/settings/hook-settings'
import { loopHooks } from './loop-hooks.ts'
import type { Files } from './plugin-text.ts'
import { asJson, asMarkdown, description, pluginName } from './plugin-text.ts'
import type { PluginSource } from './source.ts'

const owner = { name: 'Switchyard' }

const readme = `# loop for Claude Code

${description}. It needs \`loop\` on PATH; \`loop doctor\` says whether everything is in place, and proves each hook.

    claude plugin marketplace add DIR && claude plugin install loop@switchyard

- \`/loop:loop TASK\` keeps the session going until the task's check passes, \`/loop:loop\` works the issues of the
  repository until they have landed, \`/loop:cancel\` ends it. Claude Code's own \`/loop\` is another thing.
- The guards look at every command and every write, loop or no loop: \`loop guard rules\` lists them.
- Do not run \`loop install claude\` beside this plugin: every hook would run twice.
`

/**
 * The files of the plugin. The hooks stand in `hooks/hooks.json`, which is found by its place; named in the manifest as
 * well, they would be loaded twice.
 */
export function claudeFiles({ agents, commands, skills }: PluginSource, version: string): Files {
  const hooks = Object.fromEntries(
    Object.entries(hookSettings('claude', loopHooks)).map(([name, group]) => [name, [group]]),
  )
  const listing = { name: pluginName, source: './', description, version }
  return {
    '.claude-plugin/plugin.json': asJson({ name: pluginName, version, description, author: owner, license: 'MIT' }),
    '.claude-plugin/marketplace.json': asJson({ name: 'switchyard', description, owner, plugins: [listing] }),
    'README.md': readme,
    'hooks/hooks.json': asJson({ description: 'The loop and the guards of Switchyard', hooks }),
    ...asMarkdown('agents', agents),
    ...asMarkdown('commands', commands),
    ...Object.fromEntries(skills.map(({ name, file }) => [`skills/${name}/SKILL.md`, file])),
  }
}
