import { defineVerb } from '@switchyard/cli-kit'
import { abortScan } from '../store/abort-scan.ts'
import { yesFlag } from '../store/flags.ts'
import { openScan } from '../store/open-scan.ts'

/** `deepscan reset`: removes the current scan, so that the project has none. */
export const reset = defineVerb({
  summary: 'Remove the current scan',
  flags: yesFlag,
  examples: ['deepscan reset --yes'],
  async run({ flags, cwd, env, ...world }) {
    await abortScan(openScan(env, cwd, undefined), flags.yes, world)
  },
})
