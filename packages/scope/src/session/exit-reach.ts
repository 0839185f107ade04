/** How far `scope exit` goes: its own session, the loop around it, or the workflow around that. */
export const exitReaches = ['session', 'loop', 'workflow'] as const
