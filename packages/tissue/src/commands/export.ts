import { defineVerb } from '@switchyard/cli-kit'
import { storeFlag, storeOf } from '../session.ts'
import { readEventLines } from '../store.ts'

const chunkLength = 64 * 1024

/**
 * `tissue export`: the events as they lie in the log, one a line, each once; `tissue import` in another store takes
 * them in.
 */
export const exportEvents = defineVerb({
  summary: 'Print the events of the store as JSON Lines',
  flags: {
    all: { type: 'boolean', short: 'a', summary: 'Also repeated lines, claims that lost and lines that are no events' },
    ...storeFlag,
  },
  examples: ['tissue export > issues.jsonl', 'tissue export | tissue import - --store other/.tissue'],
  run(call) {
    const { flags, output } = call
    const events = readEventLines(storeOf(call).log, { all: flags.all })
    if (output.mode === 'json' || output.mode === 'quiet') {
      const id = ({ id }: Record<string, unknown>) => String(id ?? '')
      output.list(
        [...events].map(({ record }) => record),
        { text: id, id },
      )
      return undefined
    }
    if (output.isTerminal) {
      // As they lie there they could act on it.
      for (const { text, record } of events) output.each(record, { text: () => text, id: () => '' })
      return undefined
    }
    let chunk = ''
    for (const { text } of events) {
      chunk += `${text}\n`
      if (chunk.length < chunkLength) continue
      output.raw(chunk)
      chunk = ''
    }
    if (chunk !== '') output.raw(chunk)
    return undefined
  },
})
