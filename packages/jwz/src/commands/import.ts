import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { exitCodes } from '@switchyard/ground/failure'
import { type ImportReport, runImport, surveyImport } from '../import/import.ts'
import { openSource } from '../import/source.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** Ids that a remark names. */
const idsShownMax = 5

function renderReport({ dry_run, topics, messages, acks, files, present }: ImportReport): string {
  const parts = [
    counted(messages, 'message'),
    ...(acks > 0 ? [counted(acks, 'ack')] : []),
    ...(files > 0 ? [counted(files, 'file')] : []),
  ]
  const there = present > 0 ? `; ${present} already there` : ''
  return `${dry_run ? 'would import' : 'imported'} ${parts.join(', ')} into ${counted(topics, 'topic')}${there}`
}

/**
 * `jwz import`: the union by id with what `jwz export` wrote. Nothing is written when a line is bad (exit 2) or a
 * conflict marker (7); exits 1 when an id is here with other content.
 */
export const importTopics = defineVerb({
  summary: 'Take in what jwz export wrote elsewhere; what is here already stays as it is',
  args: [{ name: 'file', summary: 'The export; stdin when it is - or not given', optional: true }],
  flags: {
    'dry-run': { type: 'boolean', summary: 'Say what would be imported, write nothing' },
    ...storeFlag,
  },
  examples: ['jwz export | jwz import -', 'jwz export > bus.jsonl && jwz import bus.jsonl --dry-run'],
  async run(call) {
    const { args, flags, output, now } = call
    const store = openStore(call)
    const source = openSource(args.file, call)
    try {
      const survey = surveyImport(source)
      const report = await runImport({ source, survey, store, isDry: flags['dry-run'] }, now(), (ids) => {
        if (output.mode === 'quiet') for (const id of ids) output.each(id, { text: String, id: String })
      })
      if (output.mode !== 'quiet') output.one(report, { text: renderReport, id: () => '' })
      const { differing, missing_files } = report
      if (missing_files > 0) output.note(`${counted(missing_files, 'attached file')} neither here nor in the export`)
      if (differing.length === 0) return undefined
      const ids = [...differing.slice(0, idsShownMax), ...(differing.length > idsShownMax ? ['…'] : [])]
      output.note(`${counted(differing.length, 'record')} here with other content, which stays: ${ids.join(' ')}`)
      return exitCodes.failed
    } finally {
      source.close()
    }
  },
})
