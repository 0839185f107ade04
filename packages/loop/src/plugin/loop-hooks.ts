import type { OwnHooks } from '@switchyard/wire/settings/own-hooks'

/** The hooks of loop in the settings of hosts. */
export const loopHooks: OwnHooks = {
  tool: 'loop',
  command: (host) => `loop hook --host ${host}`,
  // Earlier versions named the event.
  isOwn: (command) => /^loop hook (?:[a-z-]+ )?--host [a-z]+$/.test(command),
  otherwise: (host) => `loop plugin build --host ${host}`,
}
