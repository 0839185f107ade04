// Making issues: ids, the prefix that the first one fixes, and one event for each.
import { basename } from '@switchyard/ground/machine'
import { isTaken } from '../issue/issue.ts'
import type { Draft } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import type { Dep, DepKind } from '../schema/event-schema.ts'
import { type OptionalField, type OptionalValues, optionalNames } from '../schema/fields.ts'
import { readSetting } from '../store/settings.ts'
import { makeIssueId, prefixOf } from '../text/issue-id.ts'
import type { FieldValues } from './field-texts.ts'

/** A link of an issue that is yet to be made; the end that is not given is that issue. */
export type NewLink =
  | { readonly kind: DepKind; readonly from: string }
  | { readonly kind: DepKind; readonly to: string }

/** What an issue starts with; what is not given, or null, is as the settings of the store say, or not there. */
export type NewIssue = FieldValues & {
  /** One of those that `makeIds` made, when other issues of the same call name it. */
  readonly id?: string
  readonly title: string
  readonly body: string
  readonly tags: readonly string[]
  readonly refs?: readonly string[]
  readonly meta?: Readonly<Record<string, string | null>>
  readonly links?: readonly NewLink[]
  readonly key?: string | undefined
  readonly finding?: Record<string, unknown>
}

/** Where ids come from: the folder that the store belongs to, and something random. */
export type IdSource = { readonly root: string; readonly ulid: () => string }

/** An id for each of these issues that no issue has yet, all different. */
export function makeIds(ledger: Ledger, issues: readonly Pick<NewIssue, 'key'>[], { root, ulid }: IdSource): string[] {
  const made = new Set<string>()
  const prefix = prefixIn(ledger, root)
  const isUsed = (id: string) => isTaken(ledger, id) || made.has(id)
  for (const { key } of issues) made.add(makeIssueId({ prefix, ulid, key }, isUsed))
  return [...made]
}

/**
 * The events that create these issues. The name of the folder that the store belongs to becomes the prefix of the
 * first.
 */
export function draftsOfNew(ledger: Ledger, issues: readonly NewIssue[], source: IdSource): Draft[] {
  if (issues.length === 0) return []
  const unnamed = issues.filter(({ id }) => id === undefined)
  const ids = makeIds(ledger, unnamed, source).values()
  const prefix: Draft = { type: 'configured', prefix: prefixIn(ledger, source.root) }
  const created = issues.map((issue) => draftOfNew(ledger, issue.id ?? ids.next().value ?? '', issue))
  return ledger.prefix ? created : [prefix, ...created]
}

/** The links of a new issue, whole. */
export function linksOfNew(id: string, { links = [] }: Pick<NewIssue, 'links'>): Dep[] {
  return links.map((link) =>
    'from' in link ? { kind: link.kind, from: link.from, to: id } : { kind: link.kind, from: id, to: link.to },
  )
}

function prefixIn(ledger: Ledger, root: string): string {
  return ledger.prefix?.value ?? prefixOf(basename(root))
}

function draftOfNew(ledger: Ledger, id: string, issue: NewIssue): Draft {
  const { title, body, priority, issue_type, tags, refs = [], meta = {}, key, finding } = issue
  const type = issue_type ?? readSetting(ledger, 'type')
  const links = linksOfNew(id, issue)
  const blockers = links.flatMap(({ kind, from, to }) => (kind === 'blocks' && to === id ? from : []))
  const others = links.filter(({ kind, to }) => kind !== 'blocks' || to !== id)
  const entries = Object.entries(meta).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return {
    type: 'created',
    issue: id,
    title,
    body,
    priority: priority ?? readSetting(ledger, 'priority'),
    tags: [...new Set(tags)],
    // A task is what an issue is that says nothing of its type.
    ...(type === 'task' ? {} : { issue_type: type }),
    ...optionalIn(issue),
    ...(refs.length > 0 ? { refs: [...new Set(refs)] } : {}),
    ...(entries.length > 0 ? { meta: Object.fromEntries(entries) } : {}),
    ...(blockers.length > 0 ? { blocked_by: [...new Set(blockers)] } : {}),
    ...(others.length > 0 ? { links: others } : {}),
    ...(key === undefined ? {} : { key }),
    ...(finding === undefined ? {} : { finding }),
  }
}

/** The fields that an issue may lack and that these values have: neither undefined nor null. */
export function optionalIn(
  values: {
    readonly [F in OptionalField]?: OptionalValues[F] | null | undefined
  },
): Partial<OptionalValues> {
  const given = optionalNames.filter((name) => values[name] != null)
  return Object.fromEntries(given.map((name) => [name, values[name]]))
}
