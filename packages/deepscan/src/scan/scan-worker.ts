// Looks through files in a thread of its own, or, where there are few, in the thread that asks.
import { isMainThread, parentPort } from 'node:worker_threads'
import type { Rule } from '../rule/rule.ts'
import { rules } from '../rules/all.ts'
import { withUserRules } from '../rules/user-rule.ts'
import { loadParser } from '../syntax/parser.ts'
import { decodeSource } from '../text/source-text.ts'
import type { FileScan, ScanSettings, Work } from './file-scan.ts'
import { scanSource } from './scan.ts'
import { atContext } from './weigh.ts'

/** Trees are given back on a turn of the event loop alone; this many files are read between two turns. */
const filesPerTurn = 4

/** Looks through files, one after the other. */
export async function scanBatch(
  batch: readonly Work[],
  settings: ScanSettings,
  isRegistered = false,
): Promise<readonly (FileScan | 'nested too deeply')[]> {
  const selected = selectedRules(settings)
  const results: (FileScan | 'nested too deeply')[] = []
  for (const [index, work] of batch.entries()) {
    if (index % filesPerTurn === filesPerTurn - 1) await new Promise((resume) => setImmediate(resume))
    const parse = await loadParser(work.file.language, { isRegistered })
    const { text } = decodeSource(work.bytes)
    const source = { path: work.file.path, language: work.file.language, text }
    const scan = scanSource(parse, source, selected, settings)
    results.push(
      typeof scan === 'string'
        ? scan
        : {
            findings: scan.matches.map(({ finding }) => atContext(finding, work.context)),
            ...{ syntaxErrors: scan.syntaxErrors, overflowed: scan.overflowed, lines: scan.lines },
          },
    )
  }
  return results
}

let known: { settings: string; rules: readonly Rule[] } | undefined

/** The rules are made once for all batches of a run. */
function selectedRules({ ruleIds, userRules }: ScanSettings): readonly Rule[] {
  const settings = JSON.stringify([ruleIds, userRules])
  if (known?.settings !== settings) {
    const wanted = new Set(ruleIds)
    known = { settings, rules: withUserRules(rules, userRules).filter(({ id }) => wanted.has(id)) }
  }
  return known.rules
}

/** What a thread is asked; it answers with the results. */
export type Asked = { batch: readonly Work[]; settings: ScanSettings }

if (!isMainThread && parentPort !== null) {
  const port = parentPort
  // One batch after the other: answers come in the order of the questions.
  let last = Promise.resolve()
  port.on('message', (asked: Asked) => {
    last = last.then(async () => port.postMessage(await scanBatch(asked.batch, asked.settings, true)))
  })
}
