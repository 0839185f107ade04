import { readStored } from '@switchyard/ground/disk'
import { join } from '@switchyard/ground/machine'
import type { Store } from '@switchyard/topic'
import { sessionFolder } from './scope-store.ts'

/** All that the agent of a session is told first; undefined where that is gone. */
export const contractText = (store: Store, id: string) => readStored(join(sessionFolder(store, id), 'contract.md'))
