// Issues that were made together, as lines for people.

import type { Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import type { Made } from '../schema/schemas.ts'

/** How an issue of a plan is shown: its name and its id, whole; one that is not made yet has none. */
export const shownMade: Shown<Made> = {
  text: ({ name, id }) => inRow([name, id ?? '(new)'].filter((part) => part !== undefined).join('  ')),
  id: ({ id }) => id ?? '',
}
