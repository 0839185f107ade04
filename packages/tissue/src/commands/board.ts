import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { authorFlags } from '../session/session.ts'

/**
 * `tissue board`: the issues in columns, live, with keys to claim, close and open; exits 2 without a terminal. With
 * `--html` one page, which needs neither.
 */
export const board = defineVerb({
  summary: 'Watch and work the issues in columns, or make a page of them',
  flags: {
    html: { type: 'boolean', summary: 'Print one self-contained page, with the graph of links' },
    out: { type: 'string', short: 'o', value: 'FILE', summary: 'Write the page to a file' },
    ...authorFlags,
  },
  examples: ['tissue board', 'tissue board --html -o board.html'],
  async run(call) {
    const { html, out } = call.flags
    if (html) return (await import('../board/html.ts')).printPage(call, out)
    if (out !== undefined) throw new Failure('usage', 'expected --html with --out, got --out alone')
    return (await import('../board/live.ts')).watchBoard(call)
  },
})
