import { renderBash } from './complete-bash.ts'
import { renderFish } from './complete-fish.ts'
import { renderZsh } from './complete-zsh.ts'
import type { Completable } from './completion-table.ts'
import type { Tool } from './run.ts'

type Render = (tool: Tool, table: readonly Completable[]) => string

/** The script for each shell, from the tool and its table. */
export const completions: Readonly<Record<string, Render>> = { bash: renderBash, zsh: renderZsh, fish: renderFish }
