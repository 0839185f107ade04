// What a workflow file imports: the builder, and the parameters of the run. Both belong to the run of one file.
import { Failure } from '@switchyard/ground/failure'
import type { Host } from './host.ts'
import { Phase, type PhaseResult, parsed, PhaseResult as Result } from './phase.ts'
import { partName } from './phase-schema.ts'
import { runWorkflow } from './run-workflow.ts'

/** What `@switchyard/scope/workflow` exports to the file that a host runs; and a way to wait for all that it began. */
export function workflowApi(host: Host) {
  const runs: Promise<unknown>[] = []

  /** A workflow: phases by their names, in the order in which they were added. */
  class Workflow {
    readonly name: string
    readonly phases: Phase[] = []

    constructor(name: string) {
      this.name = parsed(partName, name, 'the name of a workflow')
    }

    /** Adds a phase. Fails as `usage` on a name that is there already, and on an option that is none. */
    phase(name: string, options: unknown): Phase {
      const phase = new Phase(name, options)
      if (this.phases.some((other) => other.name === phase.name)) {
        throw new Failure('usage', `workflow ${this.name}: there are two phases called ${phase.name}`)
      }
      this.phases.push(phase)
      return phase
    }

    /** Runs the phases; what came of each, by its name. Phases that were not reached are not there. */
    async run(): Promise<Record<string, PhaseResult>> {
      const run = runWorkflow(host, this.name, this.phases)
      runs.push(run.catch(() => undefined))
      return Object.fromEntries(await run)
    }
  }

  /** A parameter that the run was given by `--param`. Fails as `usage` where there is neither it nor another value. */
  const param = (name: string, otherwise?: string): string => {
    const value = Object.hasOwn(host.params, name) ? host.params[name] : otherwise
    if (value !== undefined) return value
    throw new Failure('usage', `expected --param ${name}=…, there is none`)
  }

  return { Workflow, Phase, PhaseResult: Result, param, settled: async () => void (await Promise.all(runs)) }
}
