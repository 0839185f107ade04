import { defineVerb } from '@switchyard/cli-kit'
import { abortScan } from '../store/abort-scan.ts'
import { yesFlag } from '../store/flags.ts'
import { openScan } from '../store/open-scan.ts'

/** `deepscan abort ID`: removes a scan. Exits 5 when the person says no, or somebody works on it. */
export const abort = defineVerb({
  summary: 'Remove a scan and all that it holds',
  args: [{ name: 'id', summary: 'A scan, by id or name' }],
  flags: yesFlag,
  examples: ['deepscan abort deepscan_1737284400 --yes'],
  async run({ args, flags, cwd, env, ...world }) {
    await abortScan(openScan(env, cwd, args.id), flags.yes, world)
  },
})
