import type { Issue } from '../programs/issue-schema.ts'
import type { Tissue } from '../programs/tissue.ts'

/** The tracker of a change that belongs to no issue: it is always claimed, and there is nothing to close. */
export function untracked({ id, title, worker }: { id: string; title: string; worker: string }): Tissue {
  const issue: Issue = { id, title, body: '', status: 'open', blocked_by: [], claim: { id, by: worker } }
  return {
    all: async () => [],
    ready: async () => [],
    show: async () => issue,
    enderOf: async () => undefined,
    claim: async () => issue,
    close: async () => true,
    reopen: async () => undefined,
    release: async () => undefined,
    pause: async () => undefined,
    comment: async () => undefined,
  }
}
