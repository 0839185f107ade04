/** What a user may be told of: the end of a session, whichever, and that one needs input. */
export const noticeWords = ['needs_input', 'done', 'failed', 'limit', 'exited', 'aborted'] as const

export type NoticeWord = (typeof noticeWords)[number]

/** What a user is told of who has not said otherwise: all that nobody asked for. */
export const noticeWordsDefault: readonly NoticeWord[] = ['needs_input', 'done', 'failed', 'limit']
