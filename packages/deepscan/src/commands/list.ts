import { defineVerb } from '@switchyard/cli-kit'
import { renderAge } from '@switchyard/cli-kit/age'
import { tableOf } from '@switchyard/cli-kit/table'
import { type Listed, listScans } from '../store/list-scans.ts'
import { refuseForeign, scansHome } from '../store/scans-home.ts'

/** `deepscan list`: all scans of this user, the last one worked on first. */
export const list = defineVerb({
  summary: 'List scans, the last one worked on first',
  examples: ['deepscan list', 'deepscan list --quiet'],
  run({ env, now, output }) {
    const home = scansHome(env)
    refuseForeign(home)
    const scans = listScans(home, (text) => output.note(`left out ${text}`))
    const age = ({ updated }: Listed) => renderAge(Date.parse(updated), now())
    const table = {
      plain: (row: Listed) => [row.scan, row.current ? '*' : '', row.phase, row.progress, row.updated, row.root],
      columns: [
        { text: (row: Listed) => (row.current ? '*' : ' ') },
        { text: ({ scan }: Listed) => scan },
        { text: ({ phase }: Listed) => phase },
        {
          text: ({ progress, chunks }: Listed) => (chunks.total === 0 ? '' : `${progress.toFixed(1)} %`),
          isRight: true,
        },
        { text: age, isRight: true },
        { text: ({ name, root }: Listed) => (name === null ? root : `${root} (${name})`) },
      ],
    } as const
    output.list(scans, {
      text: tableOf(scans, table, output),
      id: ({ scan }) => scan,
      empty: 'there are no scans; deepscan init PATH makes one',
    })
  },
})
