// Settings as lines for people.
import type { Shown } from '@switchyard/cli-kit'
import type { Setting } from '../schema/schemas.ts'

/** How a list shows a setting: a line of its own with where the value comes from and what it is for. */
export const shownSetting: Shown<Setting> = {
  text: ({ name, value, origin, summary }) => `${name.padEnd(8)}  ${value.padEnd(16)}  ${origin.padEnd(7)}  ${summary}`,
  id: ({ name }) => name,
}

/** How one setting is shown: its value, for a script to use. */
export const shownValue: Shown<Setting> = { text: ({ value }) => value, id: ({ value }) => value }
