import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { forgetName, type Identity, requireName, saveName, whoAmI } from '@switchyard/topic'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

const reasons: Record<Identity['source'], string> = {
  '--as': '--as says so',
  JWZ_AGENT: 'JWZ_AGENT says so',
  saved: 'saved for this session or pane',
  agent: 'a name of its own for this session of an agent; choose one with --save NAME or JWZ_AGENT',
  session: 'a name of its own for this terminal session or pane; choose one with --save NAME or JWZ_AGENT',
}

/** `jwz whoami`: under which name a command here speaks, and why; keeps or forgets a name for this session. */
export const whoami = defineVerb({
  summary: 'Print who you are on the bus, and why',
  flags: {
    as: { type: 'string', value: 'NAME', summary: 'Speak under this name' },
    save: { type: 'string', value: 'NAME', summary: 'Be NAME in this session or pane from now on' },
    forget: { type: 'boolean', summary: 'Forget the saved name' },
    ...storeFlag,
  },
  examples: ['jwz whoami', 'jwz whoami --save alice'],
  run(call) {
    const { as, save, forget } = call.flags
    if ([as !== undefined, save !== undefined, forget].filter(Boolean).length > 1) {
      throw new Failure('usage', 'whoami takes one of --as, --save and --forget, got several')
    }
    const store = openStore(call)
    if (save !== undefined) saveName(store, call.env, requireName(save), call.now())
    if (forget) forgetName(store, call.env)
    const { name, source } = whoAmI({ as, env: call.env, store })
    if (save !== undefined && source === 'JWZ_AGENT') call.output.note('saved, but JWZ_AGENT goes before it')
    call.output.one(
      { v: 1, name, source, reason: reasons[source] },
      { text: (identity) => `${identity.name}\n${identity.reason}`, id: (identity) => identity.name },
    )
    return undefined
  },
})
