import type { OwnHooks } from '@switchyard/wire/settings/own-hooks'
import { hookTable } from '../agents/hook-table.ts'

/** The hooks of scope in the settings of hosts. */
export const scopeHooks: OwnHooks = {
  tool: 'scope',
  table: hookTable,
  env: {},
  command: (host) => `scope hook --host ${host}`,
  isOwn: (command) => /^scope hook --host [a-z]+$/.test(command),
  otherwise: () => 'mend it, then run scope setup again',
}
