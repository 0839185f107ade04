// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the messages speak of Bash
import { type Rule, replaceNode } from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { isKind } from '../../syntax/shape.ts'

const removeFromRoot: Rule = {
  id: 'bash/remove-from-root',
  fired: 'public scripts: `rm -rf "$DIR/"` without a check',
  known: ['SC2115'],
  family: 'bash',
  severity: 'high',
  confidence: 'medium',
  category: 'reliability',
  title: 'With the variable empty, everything below the root is removed',
  message: '`rm -rf "$x/"` is `rm -rf /` where x is empty or unset. `${x:?}` stops the script there instead.',
  mentions: /\brm\b/,
  calls: ['rm'],
  accepts: (match) => isRecursive(match) && findRooted(match) !== undefined,
  anchor: (match) => findRooted(match)?.parent() ?? match,
  rewrite: (match) => {
    const variable = findRooted(match)
    const name = variable?.namedChildren()[0]?.text()
    return variable && name ? [replaceNode(variable, `\${${name}:?}`)] : undefined
  },
  safety: 'safe',
  proof: 'The command differs only where the variable is empty or unset: then the script stops with a message.',
}

function isRecursive(command: Node): boolean {
  return command.children().some((word) => /^-(?:-recursive|\w*[rR]\w*)$/.test(word.text()))
}

/** The variable that an argument such as `"$x/"` or `$x/*` starts with. */
function findRooted(command: Node): Node | undefined {
  for (const argument of command.children().slice(1)) {
    const [first] = isKind(argument, 'string', 'concatenation') ? argument.namedChildren() : []
    const whole = isKind(first, 'string') ? first.namedChildren()[0] : first
    if (!isKind(whole, 'simple_expansion', 'expansion') || !/^\$\{?\w+\}?$/.test(whole.text())) continue
    if (
      /^\/(?:\*|["']|$)/.test(
        argument
          .text()
          .slice(argument.text().indexOf(whole.text()) + whole.text().length)
          .replace(/^"/, ''),
      )
    )
      return whole
  }
  return undefined
}

export const bashFiles: readonly Rule[] = [removeFromRoot]
