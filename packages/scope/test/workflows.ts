// Files of workflows in a repository, and runs of them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type WorkflowRun, workflowResult } from '../src/workflow/phase-schema.ts'
import type { Sessions } from './sessions.ts'

/** The file of a workflow in the repository, as TypeScript. */
export function write(at: Sessions, body: string, name = 'flow.ts'): string {
  writeFileSync(
    join(at.root, name),
    `import { Workflow, param, type PhaseResult } from '@switchyard/scope/workflow'\n${body}\n`,
  )
  return name
}

/** Runs a file to its end; what it printed with --json, which is checked against its schema. */
export function ran(
  at: Sessions,
  args: readonly string[],
  given = {},
): { code: number | null; stderr: string; run: WorkflowRun } {
  const { code, stdout, stderr } = at.scope(['workflow', ...args, '--json'], {}, given)
  const run = stdout === '' ? undefined : workflowResult.parse(JSON.parse(stdout)).runs[0]
  return { code, stderr, run: run ?? { run: '', workflow: '', outcome: 'dry_run', exit_reason: null, phases: [] } }
}

/** Each phase that ran, with its verdict. */
export const verdictsOf = ({ phases }: WorkflowRun) => phases.map(({ phase, verdict }) => `${phase} ${verdict}`)
