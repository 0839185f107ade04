import { lintFormats } from './formats.ts'

/** The flags of `deepscan run` that are about linters, and about what is known already. */
export const runLintFlags = {
  linters: {
    type: 'string',
    value: 'LIST',
    summary: 'Linters to ask beside the rules, or none (all that are there)',
  },
  'project-linters': {
    type: 'boolean',
    summary: "Use the project's own linters and their settings, which are code that runs",
  },
  'linter-timeout': { type: 'duration', default: '2m', summary: 'End a linter that takes longer' },
  import: { type: 'choice', choices: lintFormats, summary: 'Print the findings of the report PATH, or - for stdin' },
  baseline: { type: 'string', value: 'FILE', summary: 'Leave out the findings that this file has' },
} as const
