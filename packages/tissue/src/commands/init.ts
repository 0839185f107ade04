import { basename } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { decideSetting } from '../change/config.ts'
import { authorFlags, change, storeOf } from '../session/session.ts'
import { createStore, describeStore } from '../store/store.ts'
import { parsePrefix, prefixOf } from '../text/issue-id.ts'

/** `tissue init`: makes the store and fixes the prefix of its ids; again it changes only what is asked for. */
export const init = defineVerb({
  summary: 'Make the store, or change the prefix of new ids',
  flags: {
    prefix: {
      type: 'string',
      value: 'PREFIX',
      summary: 'How new ids begin; the name of the folder when it is not given',
    },
    private: { type: 'boolean', summary: 'Hide the store from git' },
    ...authorFlags,
  },
  examples: ['tissue init', 'tissue init --prefix auth --private'],
  async run(call) {
    const { flags, output } = call
    if (flags.prefix !== undefined) parsePrefix(flags.prefix)
    const store = storeOf(call)
    createStore(store, { isPrivate: flags.private })
    const { ledger } = await change(call, (before) => {
      const next = flags.prefix ?? before.prefix?.value ?? prefixOf(basename(store.root))
      return decideSetting(before, store.root, 'prefix', next)
    })
    const prefix = ledger.prefix?.value
    const made = { v: 1, store: store.path, prefix, private: describeStore(store).private }
    output.one(made, { text: () => `${store.path}  ids begin with ${prefix}-`, id: () => store.path })
    return undefined
  },
})
