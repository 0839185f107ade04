import type { Candidates } from '@switchyard/cli-kit'

/** What a shell offers for topics and messages. */
export const candidates: Candidates = {
  topic: { run: ['topic', 'list', '--quiet'] },
  message: { run: ['search', '--limit', '20', '--quiet'] },
}
