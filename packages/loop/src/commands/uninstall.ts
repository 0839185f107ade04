import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes } from '@switchyard/ground/failure'
import { changeHooks, installSpec, renderInstalled } from '../install/install-hooks.ts'

/** `loop uninstall`: takes the hooks out again, and nothing else. Exits 3 when there are none. */
export const uninstall = defineVerb({
  summary: "Take loop's hooks out of the settings of an agent",
  ...installSpec,
  examples: ['loop uninstall claude', 'loop uninstall codex --scope project'],
  async run({ cwd, env, args, flags, output }) {
    const asked = { cwd, env, host: args.host, scope: flags.scope, isDry: flags['dry-run'] }
    const done = await changeHooks('removed', asked)
    output.one(done, { text: renderInstalled, id: ({ path }) => path })
    return done.state === 'unchanged' ? exitCodes.notFound : undefined
  },
})
