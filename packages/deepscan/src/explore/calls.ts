import type { Language } from '../syntax/language.ts'
import type { Node } from '../syntax/parser.ts'
import { callKinds } from './symbol-kinds.ts'

/** The offsets where a tree calls one of these names: as a function, method, constructor or element. */
export function callsOf(root: Node, language: Language, names: ReadonlySet<string>): readonly number[] {
  const calls = root.findAll({ rule: { any: callKinds[language].map((kind) => ({ kind })) } })
  return calls.flatMap((call) => {
    const name = calledName(call)
    return name !== undefined && names.has(name) ? [call.range().start.index] : []
  })
}

/** The last name before the arguments: `c` of `a.b.c(d)`, `A` of `new x.A()`. */
function calledName(call: Node): string | undefined {
  const called =
    call.field('function') ??
    call.field('constructor') ??
    call.field('method') ??
    call.field('name') ??
    call.field('type') ??
    call.field('macro')
  const text = (called ?? call).text().slice(-200)
  return /([\p{L}_$][\p{L}\p{N}_$]*)[!?]?(?:<[^<>]*>)?$/u.exec(
    called === null ? (/^(?:new\s+)?[^\s(]+/.exec(text)?.[0] ?? '') : text,
  )?.[1]
}
