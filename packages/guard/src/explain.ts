import { judgeCommand } from './judge-command.ts'
import type { Scene } from './scene/scene.ts'
import { isKnown, shownCommand } from './shell/command.ts'
import { said } from './verdict/finding.ts'
import type { Verdict } from './verdict/verdict.ts'

type Explained = {
  readonly command: string
  readonly cwd: string | null
  readonly via: readonly string[]
  readonly verdicts: readonly Verdict[]
}

export type Explanation = {
  readonly verdict: Verdict
  readonly commands: readonly Explained[]
  readonly others: readonly Verdict[]
}

/** The simple commands of a line of shell, and what the rules say to each. */
export function explainCommand(text: string, scene: Scene): Explanation {
  const { commands, others, verdict } = judgeCommand(text, scene)
  const explained = commands.map(({ command: { argv, cwd, via, redirects }, verdicts }) => ({
    command: [shownCommand(argv), ...redirects.map(({ operator, path }) => `${operator} ${shownCommand([path])}`)]
      .join(' ')
      .trim(),
    cwd: isKnown(cwd) ? cwd : null,
    via,
    verdicts,
  }))
  return { verdict, commands: explained.filter(({ command }) => command !== ''), others }
}

/** For people: a line a command, indented by its wrappers, and what it met below it. */
export function shownExplanation({ verdict, commands, others }: Explanation): string {
  const lines = commands.flatMap(({ command, via, verdicts }) => {
    const indent = '  '.repeat(via.length)
    const from = via.length === 0 ? '' : `  (by ${via.join(', ')})`
    return [
      `${indent}${command}${from}`,
      ...verdicts.map((met) => `${indent}  ${met.decision}: ${met.rule}: ${met.reason}`),
    ]
  })
  const rest = others.map((met) => `${met.decision}: ${met.rule}: ${met.at}: ${met.reason}`)
  return [
    ...lines,
    ...rest,
    `verdict: ${verdict.rule === null ? 'allow' : `${verdict.decision}: ${said(verdict)}`}`,
  ].join('\n')
}
