import type { Issue } from '../schema/schemas.ts'

/** What stands behind a title: tags, who it is meant for, who holds it, and how many others it waits for. */
export function marksOf({ tags, assignee, claim, blocked_by, conflicts = [] }: Issue, now: number): string[] {
  return [
    ...(tags.length > 0 ? [`[${tags.join(', ')}]`] : []),
    ...(assignee !== null && assignee !== claim?.by ? [`for ${assignee}`] : []),
    ...(claim ? [`@${claim.by}${claim.until > now ? '' : ' (expired)'}`] : []),
    ...(blocked_by.length > 0 ? [`blocked by ${blocked_by.length}`] : []),
    ...(conflicts.length > 0 ? ['in conflict'] : []),
  ]
}

/** A title as it stands in a line: a row is one line, whatever the title has in it. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
