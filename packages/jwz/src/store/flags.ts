/** Flags that mean the same in every verb. */
export const storeFlag = {
  store: { type: 'string', value: 'DIR', summary: 'Use this store instead of searching for one' },
} as const

export const limitFlag = {
  limit: { type: 'integer', value: 'N', min: 1, max: 1_000_000, default: 20, summary: 'Print at most N messages' },
} as const

/** Which messages are meant, by what they say; `filter.ts` judges. */
export const filterFlags = {
  from: { type: 'list', value: 'NAME', summary: 'Only what NAME sent, by name or role' },
  to: { type: 'string', value: 'NAME', summary: 'Only what is addressed to NAME' },
  role: { type: 'string', value: 'ROLE', summary: 'Only what was sent in this role' },
  model: { type: 'string', value: 'MODEL', summary: 'Only what this model said' },
  tag: { type: 'list', short: 't', value: 'TAG', summary: 'Only what has this tag, and the others given' },
  match: { type: 'string', value: 'TEXT', summary: 'Only bodies with TEXT in them; all lower case, it fits any case' },
  branch: { type: 'string', value: 'BRANCH', summary: 'Only what was sent from this git branch' },
  urgent: { type: 'boolean', summary: 'Only what is urgent' },
} as const

export const allFlag = {
  all: { type: 'boolean', summary: 'Also what has expired, and what was conditional and does not count' },
} as const

/** When the messages that are meant were sent. */
export const periodFlags = {
  since: { type: 'string', value: 'WHEN', summary: 'Not older than: 10m, 2h, 1d or a date' },
  until: { type: 'string', value: 'WHEN', summary: 'Not newer than: 10m, 2h, 1d or a date' },
} as const

/** How a message is written; `post` and `reply` share them. */
export const draftFlags = {
  message: { type: 'string', short: 'm', value: 'TEXT', summary: 'The message' },
  file: { type: 'string', short: 'F', value: 'FILE', summary: 'Take the message from a file; - is stdin' },
  as: { type: 'string', value: 'NAME', summary: 'Send under this name' },
  role: { type: 'string', value: 'ROLE', summary: 'What the sender does, such as reviewer' },
  model: { type: 'string', value: 'MODEL', summary: 'The model that speaks' },
  to: { type: 'list', value: 'NAME', summary: 'Address it to NAME' },
  tag: { type: 'list', short: 't', value: 'TAG', summary: 'Tag it' },
  data: { type: 'string', value: 'JSON', summary: 'A JSON value for programs' },
  attach: { type: 'list', value: 'FILE', summary: 'Keep a file with it' },
  urgent: { type: 'boolean', summary: 'It should be read before others' },
  ttl: { type: 'duration', summary: 'Readers leave it out after this long' },
} as const

/** What makes a post safe to repeat; for one message. */
export const keyFlag = {
  key: { type: 'string', value: 'KEY', summary: 'Post it once: the same KEY again prints the id of the first' },
} as const
