import { Failure } from '@switchyard/ground/failure'
import type { LineRange } from './excerpt.ts'

/** A file and lines of it: `a.ts`, `a.ts:7`, `a.ts:7-9`, `a.ts:7-`, and `a.ts:7:3` as grep prints it. */
export type FileLines = { file: string; range: LineRange }

const all: LineRange = { first: 1, last: Number.POSITIVE_INFINITY }

/** What a person means by FILE:L1-L2. A file whose whole name is that is meant first: `isFile` tells. */
export function fileLines(named: string, isFile: (path: string) => boolean): FileLines {
  const asGrep = /^(.+):(\d+):\d+$/.exec(named)
  const asLines = /^(.+):L?(\d+)(?:(-)L?(\d*))?$/.exec(named)
  const isOfGrep = asGrep !== null && !isFile(asLines?.[1] ?? '')
  const [, file, from, dash, to] = (isOfGrep ? asGrep : asLines) ?? []
  if (file === undefined || from === undefined || isFile(named)) return { file: named, range: all }
  const first = Number(from)
  const last = dash === undefined ? first : to === '' ? Number.POSITIVE_INFINITY : Number(to)
  if (first >= 1 && last >= first) return { file, range: { first, last } }
  throw new Failure('usage', `expected lines such as 7-9, got ${named.slice(file.length + 1)}`, {
    hint: 'the first line is 1',
  })
}
