import { defineVerb } from '@switchyard/cli-kit'
import { readBody } from '@switchyard/cli-kit/body'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { fail } from '../errors/fail.ts'
import type { Outcome } from '../exec/outcome.ts'
import { runApart } from '../exec/run-apart.ts'
import { runInside } from '../exec/run-inside.ts'
import { timeLimitS } from '../exec/time-limit.ts'
import { type OpenScan, openScan } from '../store/open-scan.ts'
import { readManifest } from '../store/read-records.ts'

const codeBytesMax = 100_000

/** `deepscan exec -c CODE`: runs JavaScript that can read the files of a scan, and reach nothing else. */
export const exec = defineVerb({
  summary: 'Run JavaScript over the files, in an isolate',
  args: [{ name: '-', summary: 'Read the code from stdin', optional: true }],
  flags: {
    code: {
      type: 'string',
      value: 'CODE',
      short: 'c',
      summary: 'The code; the value of its last expression is printed',
    },
    file: { type: 'string', value: 'FILE', short: 'F', summary: 'A file with the code' },
    timeout: { type: 'duration', short: 't', summary: 'How long it may take (5s; longer where it cuts chunks)' },
    session: { type: 'string', value: 'ID', summary: 'The scan, if not the current one' },
    inside: { type: 'boolean', summary: 'In this process', forPrograms: true },
  },
  examples: ['deepscan exec -c \'grep("TODO").length\'', 'deepscan exec -F count.js -t 30s'],
  async run({ args, flags, cwd, env, input, now, output, interrupted }) {
    const code = readBody(
      { text: flags.code, file: flags.file, stdin: args['-'], hint: 'put code behind -c' },
      { cwd, input },
    )
    if (code === undefined) throw new Failure('usage', 'expected code', { hint: "deepscan exec -c 'peek(0, 100)'" })
    if (Buffer.byteLength(code) > codeBytesMax) {
      throw new Failure('usage', `expected at most ${codeBytesMax} bytes of code`, { hint: 'keep data in a file' })
    }
    const open = scanFor(env, cwd, flags.session)
    const timeoutMs = flags.timeout ?? timeLimitS(code, open === undefined ? 0 : bytesOf(open)) * 1_000
    if (flags.inside) {
      output.raw(JSON.stringify(await runInside(code, { open, cwd, env, now, timeoutMs })))
      return
    }
    if (flags.timeout === undefined && timeoutMs > 5_000)
      output.note(`it may take ${timeoutMs / 1_000} s; -t says how long`)
    const session = open?.scan.id
    const outcome = await runApart(code, { session, cwd, env, timeoutMs, signal: interrupted() })
    if (output.mode === 'json' || output.mode === 'jsonl') output.one(outcome, { text: String, id: ({ kind }) => kind })
    else output.raw(textOf(outcome))
    refuse(outcome, timeoutMs)
  },
})

/** The scan that was named, or the current one; none is no fault, since code may read without. */
function scanFor(env: Readonly<Record<string, string | undefined>>, cwd: string, session: string | undefined) {
  try {
    return openScan(env, cwd, session)
  } catch (error) {
    if (session === undefined && isFailure(error) && error.kind === 'notFound') return undefined
    throw error
  }
}

function bytesOf(open: OpenScan): number {
  let bytes = 0
  for (const entry of readManifest(open)) if (entry.skip === null) bytes += entry.bytes
  return bytes
}

function textOf({ printed, value }: Outcome): string {
  return value === null ? printed : `${printed}${value}\n`
}

function refuse({ kind, message }: Outcome, timeoutMs: number): void {
  if (kind === 'late') throw fail('DS-503', { work: 'the code', seconds: timeoutMs / 1_000 })
  if (kind === 'memory')
    throw new Failure('limit', 'the code used more memory than it may have', { hint: 'read less at once' })
  if (kind === 'thrown') throw new Failure('failed', `the code threw ${message ?? 'nothing'}`)
}
