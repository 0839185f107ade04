import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import * as z from 'zod'
import { openParserPool } from '../syntax/parser-process.ts'
import type { Complaint } from './complaint.ts'
import type { Linted } from './program.ts'
import { type RuffDiagnostic, ruffComplaints, ruffSchema } from './ruff.ts'

/** Files per process: below this a second one costs more than it saves. */
const filesPerProcess = 100
const fileDeadlineMs = 20_000

const answerSchema = z.union([z.object({ diagnostics: ruffSchema }), z.object({ fault: z.string() })])

type RuffSettings = { env: Readonly<Record<string, string>>; timeoutMs: number }

/**
 * Runs the ruff that came with deepscan over files, in processes of its own: a file at which it crashes or hangs costs
 * that file. It is a fault when it cannot be loaded, or lost a file.
 */
export async function runRuff(files: readonly string[], { env, timeoutMs }: RuffSettings): Promise<Linted> {
  const processes = files.length > filesPerProcess ? 2 : 1
  const deadlineMs = Math.min(fileDeadlineMs, timeoutMs)
  const pool = openRuff(env, processes, deadlineMs)
  const complaints: Complaint[] = []
  const faults: string[] = []
  try {
    await Promise.all(
      files.map(async (path) => {
        const reply = await pool.ask({ path })
        const read = 'lost' in reply ? { fault: reply.lost } : readAnswer(reply.answer)
        if ('fault' in read) faults.push(read.fault)
        else for (const complaint of read.complaints) complaints.push({ ...complaint, path })
      }),
    )
  } finally {
    pool.end()
  }
  const [first] = faults.sort()
  return {
    complaints,
    fault: first === undefined ? undefined : `${faults.length} of ${files.length} files were lost: ${first}`,
  }
}

/** Processes that run ruff. Compiled in one plain pass, it is ready in a tenth of the time, and not slower on trees. */
function openRuff(env: Readonly<Record<string, string>>, processes: number, deadlineMs: number) {
  const engineFlags = ['--liftoff-only', '--no-wasm-tier-up']
  return openParserPool({ env, processes, deadlineMs, verb: 'ruff', engineFlags })
}

/** Asks ruff about texts, one after the other, while `use` runs. Exits 8 where it has no answer. */
export async function withRuff<T>(
  env: Readonly<Record<string, string>>,
  use: (check: (text: string) => Promise<readonly RuffDiagnostic[]>) => Promise<T>,
): Promise<T> {
  const pool = openRuff(env, 1, fileDeadlineMs)
  try {
    return await use(async (text) => {
      const reply = await pool.ask({ text })
      const answer = 'lost' in reply ? undefined : answerSchema.safeParse(parseJson(reply.answer)).data
      if (answer !== undefined && 'diagnostics' in answer) return answer.diagnostics
      const reason = 'lost' in reply ? reply.lost : (answer?.fault ?? 'it printed what cannot be read')
      throw new Failure('outside', `ruff has no answer: ${reason}`, { hint: 'mend it by hand' })
    })
  } finally {
    pool.end()
  }
}

function readAnswer(line: string): { complaints: readonly Complaint[] } | { fault: string } {
  const answer = answerSchema.safeParse(parseJson(line))
  if (!answer.success) return { fault: 'it printed what cannot be read' }
  return 'fault' in answer.data ? answer.data : { complaints: ruffComplaints(answer.data.diagnostics) }
}
