// An issue that its own worker ended: it has not landed yet, so it is open and claimed again until it has.
import type { Tissue } from './tissue.ts'

type Held = { readonly issue: string; readonly worker: string; readonly leaseMs: number }

/** The claim is another one then; undefined when somebody was faster. */
export async function takeBack(tissue: Tissue, { issue, worker, leaseMs }: Held): Promise<string | undefined> {
  await tissue.reopen(issue, worker, 'its worker ended it before it had landed')
  return (await tissue.claim(issue, worker, leaseMs))?.claim?.id
}

/** Why the work on an issue that another has ended is over. */
export const endedBy = (name: string | undefined) => `the issue was closed by ${name ?? 'another'}`
