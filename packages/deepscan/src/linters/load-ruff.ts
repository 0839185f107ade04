import { Failure, systemCode } from '@switchyard/ground/failure'
import { type RuffDiagnostic, ruffSchema, ruffSettings } from './ruff.ts'

/**
 * The ruff that came with deepscan, with our settings: a text in, what it says of it out. Exits 8 where it is not
 * installed.
 */
export async function loadRuff(): Promise<(text: string) => RuffDiagnostic[]> {
  const { PositionEncoding, Workspace } = await importRuff()
  const workspace = new Workspace(ruffSettings(), PositionEncoding.Utf16)
  return (text) => ruffSchema.parse(workspace.check(text))
}

async function importRuff() {
  try {
    return await import('@astral-sh/ruff-wasm-nodejs')
  } catch (error) {
    if (systemCode(error) !== 'MODULE_NOT_FOUND') throw error
    const hint = 'install @astral-sh/ruff-wasm-nodejs beside deepscan'
    throw new Failure('outside', 'ruff is not installed', { hint, cause: error, retryable: false })
  }
}
