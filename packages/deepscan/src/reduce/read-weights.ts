import { isAbsolute, join } from 'node:path'
import { readIfThere } from '@switchyard/ground/disk'
import { parseJson } from '@switchyard/ground/parse-json'
import * as z from 'zod'
import { fail } from '../errors/fail.ts'
import { defaultWeights, type Weights } from './weights.ts'

const number = z.number().min(0).max(1_000).optional()
const bySeverity = z.strictObject({ high: number, medium: number, low: number }).optional()

/** What `settings.json` may say. Numbers only: a project's file changes an order and runs nothing. */
const settingsSchema = z.strictObject({
  weights: z
    .strictObject({
      title: number,
      category: number,
      quote: number,
      support: number,
      confidence: bySeverity,
      severity: bySeverity,
      verification: z
        .strictObject({ verified: number, moved: number, unverified: number, ghost: number, refuted: number })
        .optional(),
    })
    .optional(),
})

/**
 * The weights of a reduction: ours, then those of the user's `settings.json`, then those of the project's in `.deepscan`.
 * Fails as DS-401 when a file is not as it should be.
 */
export function readWeights(env: Readonly<Record<string, string | undefined>>, project: string): Weights {
  const config = env['XDG_CONFIG_HOME'] || (env['HOME'] && join(env['HOME'], '.config'))
  const files = [
    ...(config && isAbsolute(config) ? [join(config, 'deepscan', 'settings.json')] : []),
    join(project, '.deepscan', 'settings.json'),
  ]
  return files.reduce(withFile, defaultWeights)
}

function withFile(known: Weights, path: string): Weights {
  const text = readIfThere(path)
  if (text === undefined) return known
  const { data, error } = settingsSchema.safeParse(parseJson(text))
  if (error !== undefined) {
    const [issue] = error.issues
    const field = issue?.path.join('.') ?? ''
    throw fail('DS-401', { path, reason: `${field === '' ? '' : `${field}: `}${issue?.message ?? 'it is no JSON'}` })
  }
  const { confidence, severity, verification, ...shares } = data.weights ?? {}
  return {
    ...known,
    ...given(shares),
    confidence: { ...known.confidence, ...given(confidence) },
    severity: { ...known.severity, ...given(severity) },
    verification: { ...known.verification, ...given(verification) },
  }
}

/** The fields that say something. */
function given<K extends string>(fields: Partial<Record<K, number | undefined>> = {}): Partial<Record<K, number>> {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as Partial<Record<K, number>>
}
