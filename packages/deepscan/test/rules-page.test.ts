import { expect, test } from 'vitest'
import type { Rule } from '../src/rule/rule.ts'
import { rules } from '../src/rules/all.ts'
import { allCases } from './cases/all.ts'

const head = `# Rules of deepscan

Made from the tables of rules and their cases by \`npx vitest -u\` in \`packages/deepscan\`; do not edit. A rule speaks only where
the code itself shows the defect; doubt means silence. \`⏎\` stands for a line break.

A rewrite is **safe** when the page says what has to hold for it and the rule sees that it holds: \`deepscan fix\` applies it. Any
other is an **offer**: the page says what cannot be seen, and \`fix --offers\` applies it. "Silenced as" are the names by which
comments of other tools keep a finding back, beside \`deepscan-ignore\`.
`

const sections: readonly (readonly [string, Rule['family']])[] = [
  ['TypeScript and JavaScript', 'javascript'],
  ['Python', 'python'],
  ['Go', 'go'],
  ['Bash', 'bash'],
]

function code(text: string): string {
  const line = text
    .trim()
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replace(/\|/g, '\\|')
    .replace(/\t/g, ' ')
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``
}

function describe({ id, severity, confidence, category, title, message, safety, proof, known, fired }: Rule): string {
  const { mended: [mended] = [], reported: [reported] = [] } = allCases[id] ?? {}
  const lines = [`#### \`${id}\``, '', `${title}. ${message}`, '']
  lines.push(`- ${severity}, ${confidence} confidence, ${category}`)
  if (mended) lines.push(`- ${code(mended[0])} becomes ${code(mended[1])}`)
  else if (reported) lines.push(`- ${code(reported)}`)
  if (safety === 'safe') lines.push(`- safe: ${proof}`)
  if (safety === 'offer') lines.push(`- an offer; it cannot be seen ${proof?.replace(/^W/, 'w')}`)
  if (known) lines.push(`- silenced as ${known.map((name) => `\`${name}\``).join(', ')}`)
  lines.push(
    fired ? `- was a true defect in ${fired}` : '- never seen as a true defect yet: runs with `--all-rules`, or named',
  )
  return lines.join('\n')
}

test('the page of rules says what the tables say', async () => {
  const page = sections.map(([title, family]) => {
    const ofFamily = rules.filter((rule) => rule.family === family)
    return `## ${title}\n\n${ofFamily.map(describe).join('\n\n')}\n`
  })
  await expect(`${head}\n${page.join('\n')}`).toMatchFileSnapshot('../../../docs/deepscan-rules.md')
})
