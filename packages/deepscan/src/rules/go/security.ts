import type { Rule } from '../../rule/rule.ts'
import { argumentsOf, isKind } from '../../syntax/shape.ts'

const shellInjection: Rule = {
  id: 'go/shell-injection',
  fired: 'public applications: `exec.Command("sh", "-c", fmt.Sprintf("cd %s; git init", name))`',
  known: ['gosec', 'G204'],
  family: 'go',
  severity: 'high',
  confidence: 'medium',
  category: 'security',
  title: 'A shell command is put together from values',
  message:
    'A value with a quote, a semicolon or `$(` in it runs as a command. A list of arguments without a shell passes ' +
    'values as they are.',
  calls: ['os/exec.Command', 'os/exec.CommandContext'],
  accepts: (match, { traceOf }) => {
    const texts = argumentsOf(match)
    const flag = texts.findIndex((argument) => /^["`]-c["`]$/.test(argument.text()))
    const isShell = flag > 0 && /^["`](?:\/\w+)*\/?(?:ba|z|da)?sh["`]$/.test(texts[flag - 1]?.text() ?? '')
    const value = traceOf(texts[flag + 1])
    return isShell && (value.isBuilt || value.origin === 'external')
  },
}

const tlsVerification: Rule = {
  id: 'go/tls-verification-off',
  fired: 'advisories of published modules',
  known: ['gosec', 'G402'],
  family: 'go',
  severity: 'high',
  confidence: 'high',
  category: 'security',
  title: 'The certificate of the server is not checked',
  message:
    'Without the check anyone on the way can read and change what is sent. A private authority belongs in RootCAs.',
  mentions: /InsecureSkipVerify/,
  matcher: { kind: 'keyed_element', regex: '^InsecureSkipVerify\\s*:' },
  accepts: (match) => {
    const value = match.namedChildren().at(-1)
    return value?.text() === 'true' && isKind(value.child(0) ?? value, 'true', 'identifier')
  },
}

export const goSecurity: readonly Rule[] = [shellInjection, tlsVerification]
