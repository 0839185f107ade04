import type { Finding } from '../finding/finding.ts'
import type { Severity } from '../finding/severity.ts'
import { rules } from '../rules/all.ts'
import { chooseRules } from '../scan/choose-rules.ts'
import { scanSource } from '../scan/scan.ts'
import type { Chunk } from '../store/chunk-schema.ts'
import type { ManifestEntry } from '../store/manifest-schema.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readText } from '../store/read-text.ts'
import { findLanguage } from '../syntax/language.ts'
import { loadParser } from '../syntax/parser.ts'
import type { Files } from './chunk-content.ts'

/** What rules find in the files of a scan; each file is looked at once. */
export type RuleHints = { inChunk(chunk: Chunk): Promise<readonly Finding[]> }

export function openRuleHints(open: OpenScan, files: Files): RuleHints {
  const found = new Map<string, Promise<readonly Finding[]>>()
  const inFile = (path: string) => {
    const known = found.get(path) ?? scanEntry(open, files.get(path))
    found.set(path, known)
    return known
  }
  return {
    inChunk: async ({ spans }) => {
      const each = await Promise.all(
        spans.map(async ({ path, start_line, end_line }) => {
          const findings = await inFile(path)
          return findings.filter(({ line }) => start_line <= line && line <= end_line)
        }),
      )
      return each.flat()
    },
  }
}

const usual = chooseRules(rules, { ids: [], lowest: 'low', isAll: false })

async function scanEntry(open: OpenScan, entry: ManifestEntry | undefined): Promise<readonly Finding[]> {
  const language = entry && findLanguage(entry.path)
  if (entry === undefined || language === undefined) return []
  const scan = scanSource(
    await loadParser(language),
    { path: entry.path, language, text: readText(open, entry) },
    usual,
  )
  return typeof scan === 'string' ? [] : scan.matches.map(({ finding }) => finding)
}

/** How much a finding speaks for looking at its chunk early. */
export const hintWeights: Readonly<Record<Severity, number>> = { low: 1, medium: 2, high: 5 }

/** A finding as a line of a prompt. */
export function hintLine({ path, line, severity, title }: Finding): string {
  return `${path}:${line} ${severity}: ${title}`
}
