import process from 'node:process'
import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes } from '@switchyard/ground/failure'
import { orBad, renderFinding } from '@switchyard/topic/examine/finding'
import { examineCache, examineGrammars, examinePrograms } from '../store/examine.ts'

/** `deepscan doctor`: what of the machine deepscan can use, and what is wrong. Exits 1 when something is bad. */
export const doctor = defineVerb({
  summary: 'Say which agents, grammars and linters are there, and what is wrong',
  flags: { fix: { type: 'boolean', summary: 'Remove what killed processes left behind' } },
  examples: ['deepscan doctor', 'deepscan doctor --fix --json'],
  async run({ flags, cwd, env, now, output }) {
    const visit = { tool: 'deepscan', cwd, now: now(), fix: flags.fix }
    const findings = [
      ...examinePrograms({ cwd, env }, process.version),
      ...(await orBad('grammars', examineGrammars)),
      ...(await orBad('cache', () => examineCache(env, visit))),
    ]
    output.list(findings, { text: (finding) => renderFinding(finding, output.color), id: ({ check }) => check })
    return findings.some(({ state }) => state === 'bad') ? exitCodes.failed : undefined
  },
})
