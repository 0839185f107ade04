import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes } from '@switchyard/ground/failure'
import { circlesIn, pathOf, renderCircle } from '../graph/circle.ts'
import { depsIn, shortNames } from '../issue/issue.ts'
import { look, storeFlag } from '../session/session.ts'

/**
 * `tissue dep cycles`: links that lead from an issue back to it, as two clones can make them that are merged. Exits 1
 * when there are some.
 */
export const depCycles = defineVerb({
  summary: 'Find circles of links, which a merge can bring; exit 1 when there are some',
  flags: storeFlag,
  examples: ['tissue dep cycles', 'tissue dep cycles --json'],
  run(call) {
    const { ledger } = look(call)
    const circles = circlesIn([...depsIn(ledger)])
    const nameOf = shortNames(ledger)
    call.output.list(
      circles.map((circle) => ({
        v: 1 as const,
        kind: circle.kind,
        path: pathOf(circle),
        links: circle.steps.map(({ label }) => label.dep),
        text: renderCircle(circle, nameOf),
      })),
      { text: ({ text }) => text, id: ({ path }) => path[0] ?? '', empty: 'no circles' },
    )
    return circles.length > 0 ? exitCodes.failed : undefined
  },
})
