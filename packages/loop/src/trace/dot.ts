// The way of each work through its steps, as a graph that `dot` draws.
import type { LoopEvent } from '../state/event-schema.ts'
import type { WorkInput, WorkStep } from '../state/work-schema.ts'

/** The text of a directed graph: a cluster for each work, its steps in order, and what led from one to the next. */
export function renderDot(run: string, events: Iterable<LoopEvent>): string {
  const works = new Map<string, string[]>()
  for (const event of events) {
    if (event.event === 'began') works.set(event.issue, [`${node(works.size, 0)} [label="run 1"]`])
    if (event.event !== 'decided') continue
    const lines = works.get(event.issue)
    if (lines === undefined) continue
    const which = [...works.keys()].indexOf(event.issue)
    const from = (lines.length - 1) / 2
    lines.push(`${node(which, from + 1)} [label=${quoted(stepName(event.step))}]`)
    lines.push(`${node(which, from)} -> ${node(which, from + 1)} [label=${quoted(inputName(event.input))}]`)
  }
  const clusters = [...works].map(([issue, lines], which) => cluster(which, issue, lines))
  return `digraph ${quoted(run)} {\n  node [shape=box]\n${clusters.join('')}}\n`
}

function cluster(which: number, issue: string, lines: readonly string[]): string {
  const inner = [`label=${quoted(issue)}`, ...lines].map((line) => `    ${line}\n`)
  return `  subgraph cluster_${which} {\n${inner.join('')}  }\n`
}

const node = (work: number, step: number) => `w${work}_${step}`
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/\s+/g, ' ')}"`

function stepName(step: WorkStep): string {
  if (step.do === 'run') return `run ${step.iteration}`
  return step.do === 'end' ? step.outcome : step.do
}

function inputName(input: WorkInput): string {
  switch (input.of) {
    case 'turn':
      return input.said
    case 'verify':
      return input.passed ? 'verify passed' : 'verify failed'
    case 'review':
      return `review ${input.verdict}`
    case 'landing':
      return `landing ${input.end}`
    case 'control':
      return input.command
  }
}
