import type { Host } from '@switchyard/wire/host'
import { claudeFiles } from './claude-files.ts'
import { codexFiles } from './codex-files.ts'
import { geminiFiles } from './gemini-files.ts'
import { opencodeFiles } from './opencode-files.ts'
import type { Files } from './plugin-text.ts'
import type { PluginSource } from './source.ts'

/** What makes up a host's plugin. */
export const pluginFiles: Readonly<Record<Host, (source: PluginSource, version: string) => Files>> = {
  claude: claudeFiles,
  codex: codexFiles,
  gemini: geminiFiles,
  opencode: opencodeFiles,
}
