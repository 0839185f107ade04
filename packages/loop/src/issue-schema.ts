import { Failure } from '@switchyard/cli-kit/failure'
import { parseJson } from '@switchyard/cli-kit/parse-json'
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
