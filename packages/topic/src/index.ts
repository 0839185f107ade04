export { postAck } from './ack.ts'
export { type AgentSession, agentSession, sessionVariable } from './agent-session.ts'
export { readBlob, writeBlob } from './blob.ts'
export { type Compacted, type CompactOptions, compactTopic } from './compact.ts'
export { findById, findByPart } from './find.ts'
export { type FollowOptions, followTopics } from './follow.ts'
export { type GitContext, readGitContext } from './git-context.ts'
export { type Identity, identify, requireName, threeWordName, whoAmI } from './identity.ts'
export { isAck, isMessage } from './message.check.ts'
export { isExpired } from './message.ts'
export type { Ack, Message } from './message-schema.ts'
export { isMe, nameMeant } from './name-meant.ts'
export { glimpseOf } from './plain-line.ts'
export { type Draft, type PostOptions, postMessage, postMessages } from './post.ts'
export {
  type Entry,
  type Glance,
  glanceBackwards,
  type OnSkipped,
  type ReadOptions,
  readMessages,
  readMessagesBackwards,
  withBody,
} from './read.ts'
export { forgetName, saveName } from './saved-identity.ts'
export {
  busExists,
  createBus,
  createHidden,
  isMade,
  type LocateOptions,
  locateStore,
  type Store,
  topicPath,
  topicsFolder,
} from './store.ts'
export { fileWord, topicFile, topicOfFile } from './topic-name.ts'
export { createTopic, endOfTopic, listTopics, type Odd, sizeOfTopic, topicExists, topicPattern } from './topics.ts'
