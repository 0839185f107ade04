// Notices: what an agent has found out or made, said so that others find it.
import { z } from 'zod'

/** What a notice of each type must say beside its summary, and what it may. */
export const noticeFields = {
  RESEARCH: { must: ['confidence', 'sources'], may: [] },
  REVIEW: { must: ['blocking', 'non-blocking'], may: ['verdict'] },
  ANALYSIS: { must: ['status', 'confidence', 'finding'], may: [] },
  DECISION: { must: ['recommendation', 'alternatives', 'tradeoffs'], may: [] },
  DOCS: { must: ['sections'], may: ['type', 'audience'] },
} as const satisfies Readonly<Record<string, { must: readonly string[]; may: readonly string[] }>>

export const noticeTypes = ['RESEARCH', 'REVIEW', 'ANALYSIS', 'DECISION', 'DOCS'] as const
export type NoticeType = (typeof noticeTypes)[number]

/** The values of fields that stand for one of a few words, or for a number. */
export const fieldForms: Readonly<Record<string, { readonly form: RegExp; readonly expected: string }>> = {
  confidence: { form: /^(HIGH|MEDIUM|LOW)$/, expected: 'HIGH, MEDIUM or LOW' },
  status: { form: /^(RESOLVED|NEEDS_INPUT|UNRESOLVED)$/, expected: 'RESOLVED, NEEDS_INPUT or UNRESOLVED' },
  verdict: { form: /^(LGTM|CHANGES_REQUESTED)$/, expected: 'LGTM or CHANGES_REQUESTED' },
  sources: { form: /^\d{1,6}$/, expected: 'a number' },
  blocking: { form: /^\d{1,6}$/, expected: 'a number' },
  'non-blocking': { form: /^\d{1,6}$/, expected: 'a number' },
}

/** The `data` of a notice's message. */
export const notice = z.object({
  type: z.literal('notice'),
  v: z.literal(1),
  agent: z.string(),
  notice: z.enum(noticeTypes),
  subject: z.string(),
  path: z.string().nullable().describe('the file it is about, relative to the top of the repository'),
  summary: z.string(),
  fields: z.record(z.string(), z.string()),
})
export type Notice = z.infer<typeof notice>

/** What `loop notify` prints. */
export const postedNotice = notice.extend({ id: z.string(), topic: z.string() })
export type PostedNotice = z.infer<typeof postedNotice>
