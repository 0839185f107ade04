import { nameOfRunner } from '@switchyard/exec/runner'
import type { Finding } from '../finding/finding.ts'
import { redact } from '../secrets/redact.ts'
import { appendEvents, appendFindings } from '../store/append-records.ts'
import { readText } from '../store/read-text.ts'
import { askOnce } from './ask.ts'
import type { AgentAnswer } from './call-agent.ts'
import type { MapRun } from './map-run.ts'
import { atStart, nextStep, type Outcome } from './next-step.ts'
import type { Pool, Settled } from './pool.ts'
import { numbered } from './prompt.ts'
import { readVerdict, refuteAgain, refutePrompt, type Verdict } from './refute-prompt.ts'

/** What agents share who are to refute findings. */
export type RefuteRun = Omit<MapRun, 'tell'> & { readonly tell: (finding: Finding) => void }

type Refutation = NonNullable<Finding['refutation']>

const aroundLines = 80
const nothing = { status: 'completed', findings: [], missing: [], partial: null } as const

/** Lets a second reader try to refute one finding, and keeps what it says. */
export async function workFinding(map: RefuteRun, finding: Finding, worker: number, pool: Pool): Promise<Settled> {
  const { settings, run, open } = map
  const prompt = refutePrompt(finding, await codeAround(map, finding), map.fence)
  let [progress, isAsked] = [atStart, false]
  await map.feed.works(worker, `refuting ${finding.path}:${finding.line}`)
  for (;;) {
    if (map.ledger.over() !== undefined || map.draining.aborted) return 'left'
    const { answer } = await askOnce(
      { ...map, tell: () => undefined },
      {
        ...{
          runner: settings.runner,
          model: settings.model,
          worker,
          chunk: finding.chunk ?? '',
          attempt: progress.calls + 1,
        },
        prompt: isAsked ? refuteAgain(prompt) : prompt,
      },
    )
    if (answer.kind === 'stopped') return 'left'
    const verdict = answer.kind === 'said' ? readVerdict(answer.text) : undefined
    const limits = { retries: settings.retries, backoffMs: settings.backoffMs, mayEscalate: false }
    const { step, progress: next } = nextStep(progress, outcomeOf(answer, verdict), limits, map.random())
    progress = next
    if (step.do === 'finish' || step.do === 'escalate') {
      const said = verdict ?? {
        word: 'unclear' as const,
        reason: step.do === 'finish' ? (step.error?.message ?? '') : '',
      }
      keepVerdict(map, finding, { ...said, agent: nameOfRunner(settings.runner) })
      return 'done'
    }
    isAsked ||= answer.kind === 'said'
    appendEvents(open, run, [
      { type: 'retry', finding: finding.id, cause: answer.kind, reason: step.why, wait_ms: step.waitMs },
    ])
    if (step.do === 'pause') pool.pause(step.waitMs)
    if (!(await pool.ready(step.do === 'again' ? step.waitMs : 0))) return 'left'
  }
}

function outcomeOf(answer: Exclude<AgentAnswer, { kind: 'stopped' }>, verdict: Verdict | undefined): Outcome {
  if (answer.kind === 'long') return { kind: 'invalid', fault: 'the answer is too long' }
  if (answer.kind !== 'said') return answer
  return verdict === undefined
    ? { kind: 'invalid', fault: 'the first line is neither refuted nor stands' }
    : { kind: 'good', answer: nothing }
}

/** The lines around a finding, without secrets, behind their numbers. */
async function codeAround({ open, files }: RefuteRun, { path, line, end_line }: Finding): Promise<string> {
  const entry = files.get(path)
  if (entry === undefined) return ''
  const text = readText(open, entry)
  const lines = (open.scan.secrets === 'allow' ? text : (await redact(text)).text).split('\n')
  const first = Math.max(1, line - aroundLines)
  return numbered(lines.slice(first - 1, end_line + aroundLines).join('\n'), first)
}

function keepVerdict(map: RefuteRun, finding: Finding, refutation: Refutation): void {
  const kept: Finding = {
    ...finding,
    refutation,
    ...(refutation.word === 'refuted' ? { verification: 'refuted' } : {}),
  }
  appendFindings(map.open, [kept])
  const { id, chunk, title } = finding
  appendEvents(map.open, map.run, [{ type: 'finding', chunk, finding: id, title, refutation: refutation.word }])
  map.tell(kept)
}
