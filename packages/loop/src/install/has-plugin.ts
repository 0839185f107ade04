import { readIfThere } from '@switchyard/ground/disk'
import type { Scope } from '@switchyard/wire/settings/settings-place'
import { hooksPath } from '../plugin/loop-hooks.ts'

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

/** Whether Claude Code's settings of these scopes switch our plugin on. */
export function hasPlugin(scopes: readonly Scope[], { cwd, env }: Where): boolean {
  const texts = scopes.map((scope) => readIfThere(hooksPath('claude', scope, { cwd, env })) ?? '')
  return texts.some((text) => /"loop@[^"]*"\s*:\s*true/.test(text))
}
