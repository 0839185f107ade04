import { renderBash } from './complete-bash.ts'
import { renderFish } from './complete-fish.ts'
import { renderZsh } from './complete-zsh.ts'
import type { Completable } from './completion-table.ts'
import type { Candidates } from './tool.ts'

type Render = (tool: string, table: readonly Completable[], candidates: Candidates) => string

/** The script for each shell, from the tool's name, its table and what is known of values. */
export const completions: Readonly<Record<string, Render>> = { bash: renderBash, zsh: renderZsh, fish: renderFish }
