// `tissue new --plan`: a whole graph of issues in one call.
import type { Context } from '@switchyard/cli-kit'
import { readBody } from '@switchyard/cli-kit/body'
import { counted } from '@switchyard/cli-kit/counted'
import { Failure } from '@switchyard/ground/failure'
import { isTooDeep } from '@switchyard/jsonl'
import { checkKey } from '../change/field-texts.ts'
import { decidePlan, type PlanRow, parsePlan } from '../change/plan.ts'
import { shortNames } from '../issue/issue.ts'
import { refuseSimilar } from '../issue/similar.ts'
import { shownMade } from '../render/made.ts'
import { readPlan } from '../schema/plan-schema.ts'
import type { Made } from '../schema/schemas.ts'
import { openFaults } from '../text/faults.ts'
import { change, nameOf } from './session.ts'

type Flags = Readonly<Record<string, boolean | string | number | readonly string[] | undefined>> & {
  readonly plan?: string | undefined
  readonly key?: string | undefined
  readonly 'check-similar': boolean
  readonly 'dry-run': boolean
  readonly store?: string | undefined
  readonly as?: string | undefined
}
type PlanCall = Context & { readonly flags: Flags; readonly args: Readonly<Record<string, string | undefined>> }

const flagsOfPlans = ['plan', 'key', 'check-similar', 'dry-run', 'store', 'as']

/** Makes the issues of a plan that are not there yet, in one line of the log, and prints all of them. */
export async function newPlan(call: PlanCall): Promise<undefined> {
  const { flags, output, now } = call
  refuseOthers(call)
  checkKey(flags.key)
  const planned = parsePlan(readIssues(call), { now: now(), me: () => nameOf(call), key: flags.key })
  let rows: PlanRow[] = []
  const { ledger } = await change(call, (before, _actor, source) => {
    const decided = decidePlan(before, planned, source)
    rows = decided.rows
    if (flags['check-similar']) for (const { created, issue } of rows) if (created) refuseSimilar(before, issue)
    const { drafts } = decided
    return flags['dry-run'] || drafts.length === 0 ? [] : [{ type: 'batch', drafts }]
  })
  const count = rows.filter(({ created }) => created).length
  if (flags['dry-run']) output.note(`would make ${counted(count, 'issue')}`)
  else if (count < rows.length) output.note(`${rows.length - count} of the plan were there already`)
  const shortOf = shortNames(ledger)
  output.list(
    rows.map((row) => madeOf(row, shortOf, flags['dry-run'])),
    shownMade,
  )
  return undefined
}

function madeOf(row: PlanRow, shortOf: (id: string) => string, isDryRun: boolean): Made {
  const { name, id, created, issue } = row
  const isThere = !(created && isDryRun)
  const { title, key } = issue
  return {
    v: 1,
    name,
    ...(isThere ? { id, short: shortOf(id) } : {}),
    title,
    ...(key === undefined ? {} : { key }),
    created,
  }
}

function readIssues(call: PlanCall) {
  const file = call.flags.plan ?? ''
  const text = readBody({ file }, call) ?? ''
  const faults = openFaults('a plan')
  const issues = readPlan(parseJson(text), faults)
  faults.refuse()
  return issues
}

function parseJson(text: string): unknown {
  const hint = 'tissue schema plan says what a plan is'
  if (isTooDeep(text)) throw new Failure('usage', 'expected a plan, got JSON that is nested too deep', { hint })
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Failure('usage', `expected a plan in JSON, got other text: ${error.message}`, { hint, cause: error })
  }
}

/** What would be silently ignored is refused: a plan says for each of its issues what these flags say for one. */
function refuseOthers({ flags, args }: PlanCall): void {
  const isGiven = (value: Flags[string]) => value !== undefined && value !== false && !isEmpty(value)
  const other = Object.keys(flags).find((name) => !flagsOfPlans.includes(name) && isGiven(flags[name]))
  if (other !== undefined) throw new Failure('usage', `expected --${other} inside the plan, got it beside --plan`)
  if (args['title'] !== undefined) {
    throw new Failure('usage', `expected <title> or --plan, got both: ${JSON.stringify(args['title'])}`)
  }
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
