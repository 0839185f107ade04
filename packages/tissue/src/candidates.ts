import type { Candidates } from '@switchyard/cli-kit'
import { depKinds, statuses } from './schema/event.check.ts'

const open = { run: ['list', '--limit', '200'] }

/** What a shell offers, by the name of an argument or what stands for a flag's value in the help. */
export const candidates: Candidates = {
  id: open,
  from: open,
  to: open,
  over: { run: ['list', '--status', 'closed', '--status', 'duplicate', '--limit', '200'] },
  tag: { run: ['stats', '--by', 'tag', '--quiet'] },
  setting: { run: ['config', '--quiet'] },
  status: { words: statuses },
  kind: { words: depKinds },
  type: { words: ['task', 'bug', 'feature', 'epic', 'chore', 'decision'] },
}
