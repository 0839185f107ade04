import type { Git } from '../programs/git.ts'
import type { WorktreePlace } from './open-place.ts'
import type { Repository } from './repository.ts'
import { slugOf } from './slug.ts'
import type { SalvagedWork } from './worktree-schema.ts'

const folder = 'refs/loop/salvage/'
const fields = [
  '%(refname)',
  '%(objectname)',
  '%(committerdate:unix)',
  '%(contents:subject)',
  '%(trailers:key=Issue,valueonly,separator=%2C)',
].join('%00')

/** Work that is kept in refs, the newest first. */
export async function listSalvaged({ git, repository, issues }: WorktreePlace): Promise<SalvagedWork[]> {
  const kept = await readRefs(git, repository)
  if (kept.every(({ issue }) => issue !== null)) return kept
  const bySlug = new Map((await issues()).map(({ id }) => [slugOf(id), id]))
  return kept.map((work) => ({ ...work, issue: work.issue ?? bySlug.get(slugIn(work.ref)) ?? null }))
}

const slugIn = (ref: string) => ref.slice(folder.length).split('/')[0] ?? ''

async function readRefs(git: Git, { here }: Repository): Promise<SalvagedWork[]> {
  const listed = await git.run(here, ['for-each-ref', '--sort=-committerdate', `--format=${fields}`, folder])
  return listed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [ref = '', commit = '', seconds = '0', subject = '', trailer = ''] = line.split('\0')
      const issue = trailer.split(',').at(-1)?.trim() ?? ''
      return { ref, commit, issue: issue === '' ? null : issue, at: Number(seconds) * 1000, subject }
    })
}
