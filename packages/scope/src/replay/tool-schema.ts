// What tools that write files are given: Claude Code's Write, Edit and MultiEdit, and Codex's apply_patch.
import { z } from 'zod'

const change = { old_string: z.string(), new_string: z.string(), replace_all: z.boolean().optional() }

export const written = z.object({ file_path: z.string(), content: z.string() })
export const edited = z.object({ file_path: z.string(), ...change })
export const editedOften = z.object({ file_path: z.string(), edits: z.array(z.object(change)) })
export const patched = z.object({ input: z.string() })
export const patchedByShell = z.object({ command: z.tuple([z.literal('apply_patch'), z.string()]) })

export type Edited = z.infer<typeof edited>
