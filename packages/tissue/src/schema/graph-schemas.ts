// What the verbs that link issues and draw them print with --json.
import { z } from 'zod'
import { dep, issueId, issueType, priority, status, title } from './event-schema.ts'

/** A link as `dep` and `block` print it. */
export const link = z.object({ v: z.literal(1), ...dep.shape })

/** Links that lead from an issue back to it, as `dep cycles` prints them. */
export const circle = z.object({
  v: z.literal(1),
  kind: z
    .enum([...dep.shape.kind.exclude(['relates']).options, 'waits'])
    .describe('waits: links of several kinds, by which each issue waits for the next'),
  path: z.array(dep.shape.from).describe('the first issue is also the last'),
  links: z.array(dep).describe('the link behind each step; removing one of them ends it'),
  text: z.string(),
})

const count = z.int().min(0)

/** How far the parts of an issue are. */
export const progress = z.object({ done: count, total: count, ready: count })

/** An issue of a graph, as `tree` prints it. */
const node = z.object({
  id: issueId,
  short: issueId,
  title,
  status,
  state: z
    .enum(['ready', 'blocked', 'open', 'in_progress', 'paused', 'deferred', 'closed', 'duplicate'])
    .describe('the status; of an open issue whether it is ready or blocked'),
  priority,
  issue_type: issueType,
  by: z.string().optional().describe('who holds it'),
  blocked_by: z.array(issueId).describe('what it waits for, also as a part of its parent'),
  waits_for: z.array(issueId).describe('of these, its own blockers'),
  progress: progress.optional().describe('of an issue with parts: the parts without parts of their own, however deep'),
})

/** The issues that `tree` shows and how they hang together. */
export const tree = z.object({
  v: z.literal(1),
  roots: z.array(issueId),
  nodes: z.array(node.extend({ above: issueId.optional().describe('below which one it stands; none for a root') })),
  links: z.array(dep).describe('all links between the nodes, of the kinds asked for'),
  left: count.describe('issues that are left out for --depth or --limit'),
})

/** Where `board --html -o` put the page. */
export const page = z.object({ v: z.literal(1), path: z.string() })

export type Page = z.infer<typeof page>
export type GraphNode = z.infer<typeof node>
export type Tree = z.infer<typeof tree>
export type Link = z.infer<typeof link>
