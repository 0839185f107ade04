import { defineVerb } from '@switchyard/cli-kit'
import { sessionFlag } from '../store/flags.ts'
import { type FileCoverage, foldCoverage, startCoverage } from '../store/fold-coverage.ts'
import { openScan } from '../store/open-scan.ts'
import { renderFile, renderTotal } from '../store/render-coverage.ts'

/** `deepscan coverage`: how many bytes of a scan are in chunks and analysed, and why the rest is not. */
export const coverage = defineVerb({
  summary: 'Account for every byte: in chunks, analysed, failed, left out',
  flags: { ...sessionFlag, files: { type: 'boolean', summary: 'A line for each path, then the sums' } },
  examples: ['deepscan coverage', 'deepscan coverage --files --jsonl'],
  run({ flags, cwd, env, output }) {
    const open = openScan(env, cwd, flags.session)
    const total = startCoverage(open)
    const shown = { text: renderFile, id: ({ path }: FileCoverage) => path }
    const files: FileCoverage[] = []
    for (const file of foldCoverage(open, total)) {
      if (!flags.files) continue
      if (output.mode === 'json') files.push(file)
      else output.each(file, shown)
    }
    const document = flags.files && output.mode === 'json' ? { ...total, paths: files } : total
    if (output.mode === 'quiet' && flags.files) return
    output.one(document, { text: () => renderTotal(total, output.isTerminal), id: ({ scan }) => scan })
  },
})
