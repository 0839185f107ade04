import { defineVerb } from '@switchyard/cli-kit'
import { findProgram } from '@switchyard/exec'
import { changeHooks, installSpec, renderInstalled } from '../install/install-hooks.ts'
import type { Installed } from '../install/install-schema.ts'

/** What is still to be done by a person. */
const advice: Readonly<Record<Installed['host'], string>> = {
  claude: 'sessions that are open keep their hooks; loop doctor shows whether they fire',
  codex: 'Codex runs no hook that nobody trusted: start codex, open the review of hooks, press t',
  gemini: 'loop doctor shows whether the hooks fire',
  opencode: 'the plugin is loaded by the next opencode; loop doctor shows whether its hooks fire',
}

/** `loop install`: puts the hooks into the settings of a host, with a copy of what was there. Twice is as once. */
export const install = defineVerb({
  summary: "Put loop's hooks into the settings of an agent",
  ...installSpec,
  examples: ['loop install claude --dry-run', 'loop install codex --scope project'],
  async run({ cwd, env, args, flags, output }) {
    const asked = { cwd, env, host: args.host, scope: flags.scope, isDry: flags['dry-run'] }
    const done = await changeHooks('installed', asked)
    output.one(done, { text: renderInstalled, id: ({ path }) => path })
    if (findProgram('loop', { cwd, env }) === undefined) output.note('loop is not on PATH, where the hooks look for it')
    if (done.state === 'installed' && !done.dry_run) output.note(advice[done.host])
    return undefined
  },
})
