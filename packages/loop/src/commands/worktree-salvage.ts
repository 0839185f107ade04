import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { renderAge } from '@switchyard/cli-kit/age'
import { inRow } from '@switchyard/cli-kit/in-row'
import { Failure } from '@switchyard/ground/failure'
import { openPlace } from '../worktree/open-place.ts'
import { findOurs, listOurs } from '../worktree/our-worktrees.ts'
import { listSalvaged } from '../worktree/salvaged.ts'
import { salvageState } from '../worktree/take-away.ts'
import type { SalvagedWork } from '../worktree/worktree-schema.ts'

/**
 * `loop worktree salvage`: lists the work that is kept in refs; with an id, keeps the state of that worktree in one and
 * changes nothing in it. Exits 3 when it holds nothing that is not on the base.
 */
export const worktreeSalvage = defineVerb({
  summary: 'List the work that is kept in refs, or keep that of a worktree',
  args: [{ name: 'id', summary: 'The worktree whose state is to be kept', optional: true, complete: 'worktree' }],
  examples: ['loop worktree salvage', 'loop worktree salvage try-it'],
  async run({ args, cwd, env, now, output }) {
    const place = await openPlace({ cwd, env, now })
    const shown: Shown<SalvagedWork> = {
      text: ({ ref, issue, at, subject }) =>
        inRow([ref, renderAge(at, now()), ...(issue === null ? [] : [issue]), subject].join('  ')),
      id: ({ ref }) => ref,
    }
    if (args.id === undefined) {
      output.list(await listSalvaged(place), { ...shown, empty: 'no work is kept' })
      return
    }
    const ours = findOurs(await listOurs(place), args.id)
    const ref = await salvageState(place, ours)
    const made = (await listSalvaged(place)).find((work) => work.ref === ref)
    if (made === undefined) throw new Failure('notFound', `${ours.facts.id} has nothing that is not on its base`)
    output.one(made, { text: (work) => work.ref, id: (work) => work.ref })
  },
})
