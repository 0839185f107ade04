// Codex: its hooks have Claude Code's shape, and its skills are the same files.

import { hookSettings } from '@switchyard/wire/settings/hook-settings'
import { loopHooks } from './loop-hooks.ts'
import type { Files } from './plugin-text.ts'
import { asJson } from './plugin-text.ts'
import type { PluginSource } from './source.ts'

const readme = `# loop for Codex

\`loop install codex\` puts the hooks in place. By hand: copy \`hooks.json\` to \`~/.codex/hooks.json\`, or to \`.codex/hooks.json\`
of a project, and the folders in \`skills\` to \`~/.codex/skills\`.

Codex runs no hook that nobody has trusted, and \`codex exec\` skips such hooks without a word. Trust them once: start
\`codex\` in the project, open the review of hooks that it offers after the first prompt, press \`t\`. In automation:
\`codex exec --dangerously-bypass-hook-trust\`. \`loop doctor\` shows when a hook last fired.
`

/** The files of the configuration, with a page on how to trust it. */
export function codexFiles({ skills }: PluginSource): Files {
  const hooks = Object.fromEntries(
    Object.entries(hookSettings('codex', loopHooks)).map(([name, group]) => [name, [group]]),
  )
  return {
    'hooks.json': asJson({ hooks }),
    'README.md': readme,
    ...Object.fromEntries(skills.map(({ name, file }) => [`skills/${name}/SKILL.md`, file])),
  }
}
