/** Flags that mean the same in every verb. */
export const storeFlag = {
  store: { type: 'string', value: 'DIR', summary: 'Use this store instead of searching for one' },
} as const

export const limitFlag = {
  limit: { type: 'integer', value: 'N', min: 1, max: 1_000_000, default: 20, summary: 'Print at most N messages' },
} as const

export const fromFlag = {
  from: { type: 'string', value: 'NAME', summary: 'Only what NAME sent' },
} as const

/** How a message is written; `post` and `reply` share them. */
export const draftFlags = {
  message: { type: 'string', short: 'm', value: 'TEXT', summary: 'The message' },
  file: { type: 'string', short: 'F', value: 'FILE', summary: 'Take the message from a file; - is stdin' },
  as: { type: 'string', value: 'NAME', summary: 'Send under this name' },
  role: { type: 'string', value: 'ROLE', summary: 'What the sender does, such as reviewer' },
  model: { type: 'string', value: 'MODEL', summary: 'The model that speaks' },
  to: { type: 'list', value: 'NAME', summary: 'Address it to NAME; may be repeated' },
  tag: { type: 'list', short: 't', value: 'TAG', summary: 'Tag it; may be repeated' },
  data: { type: 'string', value: 'JSON', summary: 'A JSON value for programs' },
} as const
