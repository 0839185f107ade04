import { bridgeOf } from '@switchyard/cli-kit/bridge'

/** `jwz bridge`: every verb, for a program or a shell that calls often and pays one start. */
export const bridge = bridgeOf('jwz')
