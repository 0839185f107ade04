// The packs of rules that a project may switch on, beside the rules that always hold.
export const packNames = ['strict-git', 'secrets', 'data', 'system'] as const

export type PackName = (typeof packNames)[number]

export const isPack = (text: string): text is PackName => packNames.some((name) => name === text)
