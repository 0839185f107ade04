import { type Call, defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { askAgents } from '../map/ask-agents.ts'
import { importAnswers } from '../map/import-answers.ts'
import { mapByRules } from '../map/map-by-rules.ts'
import { mapFlags } from '../map/map-flags.ts'
import { priceMap } from '../map/price-map.ts'
import { settleMap, settleQuestion } from '../map/settle-settings.ts'
import { showInstructions } from '../map/show-instructions.ts'
import { type OpenScan, openScan } from '../store/open-scan.ts'
import { publishEvents } from '../store/publish-events.ts'

const spec = {
  summary: 'Ask agents about each chunk, several at once; keep their findings',
  flags: mapFlags,
  examples: [
    'deepscan map --with claude --dry-run --price 3/15',
    'deepscan map --with claude --jobs 5 --escalate "scope run --json --agent claude --model opus"',
    'deepscan map --instructions -o prompts.md',
    'deepscan map --import answers.jsonl',
  ],
} as const

/**
 * `deepscan map`: asks agents about each chunk of a scan and keeps their findings; without an agent, rules look. Exits
 * 0 when all were asked, 1 when some chunks failed, 8 when all did or there is no such agent, 9 when the budget is
 * spent, 130 when it was interrupted, and goes on from there when it is called again.
 */
export const map = defineVerb({
  ...spec,
  async run(call) {
    const { flags, cwd, env } = call
    refuseTogether(flags)
    const open = openScan(env, cwd, flags.session)
    try {
      return await mapIn(open, call)
    } finally {
      await publishEvents(open, env)
    }
  },
})

async function mapIn(open: OpenScan, call: Call<typeof spec>) {
  const { flags, env } = call
  if (flags.import !== undefined) return importAnswers(open, flags.import, call)
  if (flags.instructions) return showInstructions(open, flags, settleQuestion(flags, open.scan, env), call)
  if (flags.with === undefined && flags.escalate === undefined && !flags['dry-run'])
    return mapByRules(open, flags.only, call)
  const settings = settleMap(flags, open.scan, env, flags.only)
  if (flags['dry-run']) return priceMap(open, settings, call)
  return askAgents(open, settings, call)
}

type Ways = { readonly with: string | undefined; readonly import: string | undefined; readonly instructions: boolean }

/** A map is made in one of three ways. */
function refuseTogether({ with: runner, import: file, instructions }: Ways): void {
  const ways = [runner && '--with', file && '--import', instructions && '--instructions'].filter(Boolean)
  if (ways.length < 2) return
  throw new Failure('usage', `expected one of --with, --instructions and --import, got ${ways.join(' and ')}`)
}
