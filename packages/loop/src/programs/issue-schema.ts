import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { z } from 'zod'

/** What is read of an issue as tissue prints it; the rest is passed on to runners as it is. */
const issueRecord = z.looseObject({
  id: z.string(),
  title: z.string(),
  body: z.string().default(''),
  status: z.string(),
  blocked_by: z.array(z.string()).default([]),
  claim: z.looseObject({ id: z.string(), by: z.string() }).nullable(),
})
export type Issue = z.infer<typeof issueRecord>

/** Whether nothing is left to do about it. */
export const isOver = ({ status }: Pick<Issue, 'status'>) => isOverStatus(status)

const isOverStatus = (status: string | undefined) => status === 'closed' || status === 'duplicate'

const past = z.array(
  z.looseObject({
    verdict: z.string(),
    event: z.looseObject({
      type: z.string(),
      by: z.string(),
      issue: z.string().optional(),
      status: z.string().optional(),
    }),
  }),
)

/** Who ended this issue last, in its past as `tissue history --json` prints it; undefined when nobody did. */
export function parseEnder(text: string, id: string): string | undefined {
  const ended = parse(past, text, 'history').findLast(
    ({ verdict, event: { type, issue, status } }) =>
      verdict === 'applied' && issue === id && (type === 'closed' || (type === 'status' && isOverStatus(status))),
  )
  return ended?.event.by
}

/** Reads one issue as `tissue VERB --json` prints it. Failure `outside` when it is something else. */
export const parseIssue = (text: string, verb: string): Issue => parse(issueRecord, text, verb)

/** Reads a list of issues. */
export const parseIssues = (text: string, verb: string): Issue[] => parse(z.array(issueRecord), text, verb)

function parse<T>(schema: z.ZodType<T>, text: string, verb: string): T {
  const read = schema.safeParse(parseJson(text))
  if (read.success) return read.data
  const problem = z.prettifyError(read.error).split('\n')[0]
  throw new Failure('outside', `tissue ${verb} printed something else than issues: ${problem}`)
}
