import { defineVerb } from '@switchyard/cli-kit'
import { sessionFlag } from '../store/flags.ts'
import { foldStatus } from '../store/fold-status.ts'
import { openScan } from '../store/open-scan.ts'
import { renderStatus } from '../store/render-status.ts'

/** `deepscan status`: how far the current scan is. */
export const status = defineVerb({
  summary: 'Show how far a scan is',
  flags: sessionFlag,
  examples: ['deepscan status', 'deepscan status --json'],
  run({ flags, cwd, env, output }) {
    const status = foldStatus(openScan(env, cwd, flags.session))
    output.one(status, { text: renderStatus, id: ({ scan }) => scan })
  },
})
