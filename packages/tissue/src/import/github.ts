// Issues of GitHub, as `gh issue list --json ...` and `gh issue view --json ...` print them.
import { z } from 'zod'
import type { Status } from '../schema/event-schema.ts'
import type { Faults } from '../text/faults.ts'
import { type ForeignIssue, filledMeta, titleLine } from './foreign-issue.ts'
import { isoTime, maybeList, maybeText, maybeTime, schemaFault } from './foreign-schema.ts'

const priorityUnknown = 2

const person = z.looseObject({ login: z.string() })
const comment = z.looseObject({
  id: maybeText,
  url: maybeText,
  author: person.nullish(),
  body: z.string(),
  createdAt: maybeTime,
})
const issue = z.looseObject({
  number: z.int().min(1),
  title: z.string().refine((text) => titleLine(text) !== '', 'expected a title'),
  body: maybeText,
  state: maybeText,
  stateReason: maybeText,
  labels: maybeList(z.looseObject({ name: z.string() })),
  assignees: maybeList(person),
  author: person.nullish(),
  milestone: z.looseObject({ title: z.string() }).nullish(),
  comments: maybeList(comment),
  createdAt: maybeTime,
  updatedAt: maybeTime,
  closedAt: maybeTime,
  url: maybeText,
})
type GithubIssue = z.infer<typeof issue>

/** Labels that say what an issue is, GitHub's own ones too. */
const types: Readonly<Record<string, string>> = {
  bug: 'bug',
  enhancement: 'feature',
  feature: 'feature',
  task: 'task',
  epic: 'epic',
  chore: 'chore',
  decision: 'decision',
}

/** Whether a parsed element looks like an issue of `gh`. */
export function isGithubIssue(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'number' in value && 'title' in value
}

/** The issues of an array that was parsed from JSON; a fault names them by their place in it, from 1. */
export function parseGithub(values: readonly unknown[], faults: Faults): ForeignIssue[] {
  return values.flatMap((value, index) => {
    const parsed = issue.safeParse(value)
    if (parsed.success) return issueOf(parsed.data)
    faults.add(`issue ${index + 1} ${schemaFault(parsed.error)}`)
    return []
  })
}

function issueOf(one: GithubIssue): ForeignIssue {
  const name = nameOf(one)
  const sourceStatus = sourceStatusOf(one)
  const labels = one.labels.map((label) => label.name).filter((label) => label !== '')
  const [assignee, ...others] = one.assignees.map(({ login }) => login).filter((login) => login !== '')
  return {
    key: `github:${name}`,
    name,
    title: titleLine(one.title),
    body: one.body ?? '',
    priority: priorityUnknown,
    tags: labels,
    status: sourceStatus,
    sourceStatus,
    reason: sourceStatus === 'closed' ? one.stateReason?.toLowerCase().replaceAll('_', ' ') : undefined,
    issueType: labels.map((label) => typeOf(label)).find((type) => type !== undefined),
    assignee,
    refs: [one.url ?? name],
    meta: filledMeta([
      ['created_at', isoTime(one.createdAt)],
      ['created_by', one.author?.login],
      ['closed_at', isoTime(one.closedAt)],
      ['milestone', one.milestone?.title],
      ['assignees', others.join(', ')],
    ]),
    updatedAt: one.updatedAt,
    comments: one.comments.map(({ id, url, author, body, createdAt }, index) => ({
      id: `github:${id ?? url ?? `${name}/${index}`}`,
      body,
      by: author?.login === '' ? undefined : author?.login,
      at: createdAt,
    })),
  }
}

/** `owner/repo#12` by the address; only `#12` where the field was not asked for. */
function nameOf({ number, url }: GithubIssue): string {
  const [, repository] = /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/(?:issues|pull)\/\d+/.exec(url ?? '') ?? []
  return `${repository ?? ''}#${number}`
}

function sourceStatusOf({ state, stateReason }: GithubIssue): Status {
  if (state?.toLowerCase() !== 'closed') return 'open'
  return stateReason?.toLowerCase() === 'duplicate' ? 'duplicate' : 'closed'
}

function typeOf(label: string): string | undefined {
  const word = label.toLowerCase()
  return Object.hasOwn(types, word) ? types[word] : undefined
}
