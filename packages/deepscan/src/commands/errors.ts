import { defineVerb } from '@switchyard/cli-kit'
import { nearest } from '@switchyard/cli-kit/nearest'
import { tableOf } from '@switchyard/cli-kit/table'
import { Failure } from '@switchyard/ground/failure'
import { describeErrors, type ErrorCodeRecord } from '../errors/describe.ts'

/** `deepscan errors [CODE]`: the codes that failures carry, and what to do about each. */
export const errors = defineVerb({
  summary: 'Explain the codes that errors carry',
  args: [{ name: 'code', summary: 'One code, such as DS-306', optional: true }],
  examples: ['deepscan errors', 'deepscan errors DS-306'],
  run({ args, output }) {
    const records = describeErrors()
    const id = ({ code }: ErrorCodeRecord) => code
    if (args.code !== undefined) {
      output.one(findError(records, args.code), { text: renderOne, id })
      return
    }
    const columns = [
      { text: id },
      { text: ({ exit }: ErrorCodeRecord) => String(exit), isRight: true },
      { text: ({ title }: ErrorCodeRecord) => title },
    ] as const
    const plain = ({ code, exit, title, remedy }: ErrorCodeRecord) => [code, exit, title, remedy]
    output.list(records, { text: tableOf(records, { plain, columns }, output), id })
  },
})

function findError(records: readonly ErrorCodeRecord[], typed: string): ErrorCodeRecord {
  const wanted = typed.toUpperCase()
  const record = records.find(({ code }) => code === wanted || code === `DS-${wanted}`)
  if (record !== undefined) return record
  const meant = nearest(
    wanted,
    records.map(({ code }) => code),
  )
  const hint = meant === undefined ? 'deepscan errors lists the codes' : `did you mean ${meant}?`
  throw new Failure('notFound', `there is no code ${typed}`, { hint })
}

function renderOne({ code, title, category, exit, remedy }: ErrorCodeRecord): string {
  return [`${code} ${title}`, `  category  ${category}`, `  exit      ${exit}`, `  remedy    ${remedy}`].join('\n')
}
