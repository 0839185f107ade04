// What an agent must know to work with issues here: the most important first, because long texts are cut off.
import { clip, inCells } from '@switchyard/cli-kit/cells'
import { heldBy } from '../change/renewal.ts'
import { createdIds, isIssueOver, readState } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { readyIds } from '../ready/ready.ts'
import { shortIds } from '../text/issue-id.ts'

/** Titles that are told of what is held; the others are counted. */
const heldMax = 3
const titleCellsMax = 30

/** How things stand in a store, in a line, for the agent `by`. */
export function standingOf(ledger: Ledger, by: string, now: number): string {
  const ids = createdIds(ledger)
  const open = ids.filter((id) => !isIssueOver(ledger, id)).length
  if (open === 0) return 'Nothing is open.'
  const held = heldBy(ledger, { by, at: now })
  const counts = `${readyIds(ledger, now).length} of ${open} open issues can be started.`
  if (held.length === 0) return `${counts} You hold none.`
  const shorts = shortIds(ids)
  const names = held.slice(0, heldMax).map((id) => {
    return `${shorts.get(id) ?? id} "${clip(inCells(readState(ledger, id)?.title ?? ''), titleCellsMax)}"`
  })
  const more = held.length > heldMax ? ` and ${held.length - heldMax} more` : ''
  return `${counts} You hold ${names.join(', ')}${more}.`
}

/** The whole text; `name` is who the agent is. Under 2 KB with names of ordinary length. */
export function primer(name: string, standing: string): string {
  return `tissue is the issue tracker of this repository, shared by all its worktrees. You are "${name}" (--as NAME or JWZ_AGENT changes that). ${standing}

Work
  tissue ready                           what can be started, most urgent first
  tissue claim --next                    takes the first and prints it; nobody else gets it; exit 3: none
  tissue claim ID                        takes this one; exit 5: another has it
  tissue show ID                         all about it; ID may be the first 4 characters of its last part
  tissue comment ID -m "what I found"    for whoever comes next; long text: -F FILE, or - for stdin
  tissue claim --renew                   keeps what you hold when you are silent for long
  tissue close ID -m "how"               done; exit 5: it is blocked or another's
  tissue release ID --note "why"         gives it back undone

Plan
  tissue new "title" -b "body" -p 1 -t tag      prints the id; priority 1 is urgent, 2 usual
  tissue new "title" --discovered-from ID       found on the way: not now
  tissue new "title" --parent ID                a part of ID; closed before it
  tissue block ID --by ID2                      ID waits for ID2
  tissue list --query 'priority<=1 AND tag:tag'
  tissue list --search "words"   tissue list --mine

Rules
- Claim before you work, and work on what you hold. Lost it (exit 5)? Stop.
- Search before new: it may be there. Too big? Make parts, --blocked-by each other.
- Close only what is proven done, and say how: commit, test.
- --json, --jsonl and --quiet (ids) work everywhere; never parse text meant for people.
- Exit codes: 0 done, 2 bad input, 3 nothing there, 4 ambiguous id, 5 held or blocked.
- Never edit .tissue by hand; commit it if git tracks it. tissue help VERB has examples.
`
}
