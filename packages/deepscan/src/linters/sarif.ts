import * as z from 'zod'
import type { Severity } from '../finding/severity.ts'
import type { Complaint } from './complaint.ts'

const count = z.number().int().min(1)
const textSchema = z.object({ text: z.string().optional() })
const ruleSchema = z.object({
  id: z.string(),
  shortDescription: textSchema.optional(),
  helpUri: z.string().optional(),
  defaultConfiguration: z.object({ level: z.string().optional() }).optional(),
  properties: z
    .object({
      tags: z.array(z.string()).optional(),
      precision: z.string().optional(),
      'security-severity': z.coerce.number().optional(),
    })
    .optional(),
})
const regionSchema = z.object({
  startLine: count.optional(),
  startColumn: count.optional(),
  endLine: count.optional(),
  endColumn: count.optional(),
})
const resultSchema = z.object({
  ruleId: z.string().optional(),
  rule: z.object({ id: z.string().optional() }).optional(),
  ruleIndex: z.number().int().optional(),
  level: z.string().optional(),
  kind: z.string().optional(),
  message: textSchema,
  suppressions: z.array(z.unknown()).optional(),
  locations: z
    .array(
      z.object({
        physicalLocation: z
          .object({
            artifactLocation: z.object({ uri: z.string().optional(), index: z.number().int().optional() }).optional(),
            region: regionSchema.optional(),
          })
          .optional(),
      }),
    )
    .optional(),
})
const runSchema = z.object({
  tool: z.object({ driver: z.object({ name: z.string(), rules: z.array(ruleSchema).optional() }) }),
  artifacts: z.array(z.object({ location: z.object({ uri: z.string().optional() }).optional() })).optional(),
  results: z.array(resultSchema).nullish(),
})
export const sarifSchema = z.object({ runs: z.array(runSchema) })

type Run = z.infer<typeof runSchema>
type Result = z.infer<typeof resultSchema>
type Rule = z.infer<typeof ruleSchema>

/** The complaints of a SARIF log, of each of its runs. What is suppressed, or passed, is none. */
export function sarifComplaints({ runs }: z.infer<typeof sarifSchema>): Complaint[] {
  return runs.flatMap((run) => {
    const rules = new Map(run.tool.driver.rules?.map((rule) => [rule.id, rule]))
    return (run.results ?? []).flatMap((result) => complaintOf(run, result, rules))
  })
}

function complaintOf(run: Run, result: Result, rules: ReadonlyMap<string, Rule>): readonly Complaint[] {
  const { rules: listed = [], name } = run.tool.driver
  const id = result.ruleId ?? result.rule?.id ?? listed[result.ruleIndex ?? -1]?.id
  const place = result.locations?.[0]?.physicalLocation
  const uri = place?.artifactLocation?.uri ?? run.artifacts?.[place?.artifactLocation?.index ?? -1]?.location?.uri
  const line = place?.region?.startLine
  const isPassed = result.kind === 'pass' || result.kind === 'notApplicable' || (result.suppressions ?? []).length > 0
  if (id === undefined || uri === undefined || line === undefined || isPassed) return []
  const rule = rules.get(id)
  const { startColumn = 1, endLine, endColumn } = place?.region ?? {}
  const isSecurity =
    rule?.properties?.tags?.includes('security') || rule?.properties?.['security-severity'] !== undefined
  const message = result.message.text ?? rule?.shortDescription?.text ?? id
  return [
    {
      ...{ linter: linterName(name), rule: id, path: pathOf(uri), message, severity: severityOf(result, rule) },
      confidence: precisionOf(rule),
      category: isSecurity ? 'security' : 'correctness',
      ...{ hasSafeFix: false, help: rule?.helpUri, place: { line, column: startColumn, endLine, endColumn } },
    },
  ]
}

/** A tool's name as the first part of the ids of its rules. */
function linterName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return plain.replace(/-oss$/, '') || 'sarif'
}

function pathOf(uri: string): string {
  const path = uri.replace(/^file:\/\/(?:localhost)?/, '')
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}

function severityOf({ level }: Result, rule: Rule | undefined): Severity {
  const score = rule?.properties?.['security-severity']
  if (score !== undefined && !Number.isNaN(score)) return score >= 7 ? 'high' : score >= 4 ? 'medium' : 'low'
  const said = level ?? rule?.defaultConfiguration?.level ?? 'warning'
  return said === 'error' ? 'high' : said === 'warning' ? 'medium' : 'low'
}

function precisionOf(rule: Rule | undefined): Severity {
  const precision = rule?.properties?.precision ?? 'medium'
  if (precision.includes('high')) return 'high'
  return precision === 'low' ? 'low' : 'medium'
}
