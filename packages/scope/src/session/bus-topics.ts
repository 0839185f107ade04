/** The topic with the news of all sessions. */
export const feedTopic = 'scope:feed'

/** The topic with the news of one session. */
export const sessionTopic = (id: string) => `session:${id}`
