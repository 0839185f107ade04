/** What an agent must know, most important first, because long texts are cut off. `name` is who it is on the bus. */
export function primer(name: string): string {
  return `jwz is a message bus on disk that all agents of this repository share, in every worktree. You are "${name}" on it (--as NAME or JWZ_AGENT changes that).

Say and read
  jwz inbox --commit                     what is new to you: answers, what is addressed to you or has @you in it
  jwz read TOPIC                         the newest 20 messages, oldest first
  jwz post TOPIC -m "text"               prints the id; long text: jwz post TOPIC - < file
  jwz post TOPIC -m "text" --to bob      addressed; --tag T, --urgent, --data JSON, --attach FILE
  jwz reply ID -m "text"                 answers a message, into its author's inbox; ID may be its last 6 characters
  jwz ack ID                             says that you have read it
  jwz search "two locks" --from alice    jwz thread ID   jwz topic list   jwz agents
Topics are words joined by colons: issue:auth-123, loop:current. The first post makes one.

Wait, do not poll
  jwz wait TOPIC --reply-to ID --timeout 5m      exits 124 when nothing came
  jwz follow 'issue:*' --jsonl                   a line a message, until stopped
  jwz read TOPIC --consumer ME --commit          what is new since the last time, each message once

Do not collide
  jwz lease acquire 'src/auth/**' --ttl 30m      exit 5: held by another, who is named
  jwz lease release 'src/auth/**'
  jwz post TOPIC -m "new" --expect ID            only if ID is still the newest (exit 5 else)

Rules
- Read jwz inbox when you begin, and before you say that you are done.
- Post what others need: decisions, findings, what you are about to change. Not every step.
- One topic per issue: issue:<id>. Put paths and verdicts into the first line.
- --json, --jsonl and --quiet (ids) work everywhere; never parse the text meant for people.
- Exit codes: 0 done, 2 bad input, 3 nothing there, 4 ambiguous, 5 held or lost a race, 124 timed out.
- Bodies are kept byte for byte. Never edit .jwz by hand. jwz help VERB has an example.
`
}
