import { defineVerb } from '@switchyard/cli-kit'
import { foldStatus } from '../store/fold-status.ts'
import { openScan } from '../store/open-scan.ts'
import { renderStatus } from '../store/render-status.ts'

/** `deepscan status`: how far the current scan is. */
export const status = defineVerb({
  summary: 'Show how far a scan is',
  flags: { session: { type: 'string', value: 'ID', summary: 'The scan, if not the current one' } },
  examples: ['deepscan status', 'deepscan status --json'],
  run({ flags, cwd, env, output }) {
    const status = foldStatus(openScan(env, cwd, flags.session))
    output.one(status, { text: renderStatus, id: ({ scan }) => scan })
  },
})
