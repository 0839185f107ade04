import * as z from 'zod'
import type { Complaint } from './complaint.ts'
import { oxlintPlugins, oxlintRules } from './oxlint-rules.ts'

const count = z.number().int().min(0)

/** What `oxlint -f json` prints. */
export const oxlintSchema = z.object({
  diagnostics: z.array(
    z.object({
      message: z.string(),
      code: z.string().optional(),
      url: z.string().optional(),
      help: z.string().nullish(),
      filename: z.string(),
      labels: z.array(z.object({ span: z.object({ offset: count, length: count }) })),
    }),
  ),
})

/** The complaints in what oxlint printed. Those about a syntax that it cannot read are none. */
export function oxlintComplaints({ diagnostics }: z.infer<typeof oxlintSchema>): Complaint[] {
  return diagnostics.flatMap(({ code = '', message, help, url, filename, labels }) => {
    const [, plugin, name] = /^([\w-]+)\(([\w-]+)\)$/.exec(code) ?? []
    const [first] = labels
    if (plugin === undefined || name === undefined || first === undefined) return []
    const rule = `${plugin.replace(/^eslint-plugin-/, '').replace('typescript-eslint', 'typescript')}/${name}`
    const { offset, length } = first.span
    return [
      {
        ...{ linter: 'oxlint', rule, path: filename, message: [message, help].filter(Boolean).join(' ') },
        ...(oxlintRules.get(rule) ?? {
          severity: 'low',
          category: 'correctness',
          confidence: 'medium',
          hasSafeFix: false,
        }),
        help: url,
        place: { startByte: offset, endByte: offset + length },
      },
    ]
  })
}

/** The settings that oxlint runs with: ours alone, which load no code. */
export function oxlintSettings(): string {
  const rules = [...oxlintRules.keys()].map((rule) => [rule.replace(/^eslint\//, ''), 'error'])
  const categories = ['correctness', 'suspicious', 'pedantic', 'perf', 'style', 'restriction', 'nursery']
  return JSON.stringify({
    plugins: oxlintPlugins,
    categories: Object.fromEntries(categories.map((category) => [category, 'off'])),
    env: { builtin: true, browser: true, node: true, es2024: true },
    rules: Object.fromEntries(rules),
  })
}
