// Files of other trackers, as their programs write them.

/** Three issues of beads and the tombstone of a fourth. `bd-a1` waits for `bd-a2` and is a child of `bd-e1`. */
export const beads: readonly Record<string, unknown>[] = [
  {
    id: 'bd-a1',
    title: 'Fix login',
    description: 'Only with SSO.',
    design: 'Use OIDC.',
    acceptance_criteria: 'No old key works.',
    notes: 'Ask Eve.',
    status: 'open',
    priority: 0,
    issue_type: 'bug',
    assignee: 'bob',
    estimated_minutes: 90,
    created_at: '2025-11-01T10:00:00.123456789-08:00',
    created_by: 'eve',
    updated_at: '2025-11-02T10:00:00Z',
    due_at: '2026-01-01T00:00:00Z',
    external_ref: 'gh-9',
    metadata: { area: 'auth', size: 3 },
    compaction_level: 0,
    labels: ['auth', 'a,b'],
    dependencies: [
      { issue_id: 'bd-a1', depends_on_id: 'bd-a2', type: 'blocks', created_at: '2025-11-01T10:00:00Z' },
      { issue_id: 'bd-a1', depends_on_id: 'bd-e1', type: 'parent-child', created_at: '2025-11-01T10:00:00Z' },
      { issue_id: 'bd-a1', depends_on_id: 'bd-lost', type: 'related', created_at: '2025-11-01T10:00:00Z' },
    ],
    comments: [{ id: 1, issue_id: 'bd-a1', author: 'bob', text: 'Seen.', created_at: '2025-11-01T11:00:00Z' }],
  },
  {
    id: 'bd-a2',
    title: 'Find a provider',
    description: '',
    status: 'closed',
    priority: 2,
    issue_type: 'task',
    created_at: '2025-11-01T10:00:00Z',
    updated_at: '2025-11-02T10:00:00Z',
    closed_at: '2025-11-02T10:00:00Z',
    close_reason: 'found one',
  },
  {
    id: 'bd-e1',
    title: 'Auth',
    status: 'in_progress',
    priority: 1,
    issue_type: 'epic',
    created_at: '2025-11-01T10:00:00Z',
    updated_at: '2025-11-02T10:00:00Z',
    closed_at: null,
  },
  {
    id: 'bd-t1',
    title: 'A mistake',
    status: 'tombstone',
    priority: 2,
    issue_type: 'task',
    created_at: '2025-11-01T10:00:00Z',
    updated_at: '2025-11-02T10:00:00Z',
    deleted_at: '2025-11-02T10:00:00Z',
    delete_reason: 'twice',
  },
]

/** What `gh issue list --state all --json ...` prints of two issues. */
export const github: readonly Record<string, unknown>[] = [
  {
    assignees: [
      { id: 'U_1', login: 'bob', name: 'Bob' },
      { id: 'U_2', login: 'eve', name: '' },
    ],
    author: { id: 'U_2', is_bot: false, login: 'eve', name: '' },
    body: 'Twice a day.\r\n',
    closedAt: null,
    comments: [
      {
        id: 'IC_1',
        author: { login: 'bob' },
        authorAssociation: 'OWNER',
        body: 'Seen.',
        createdAt: '2025-11-01T11:00:00Z',
        url: 'https://github.com/acme/shop/issues/12#issuecomment-1',
      },
    ],
    createdAt: '2025-11-01T10:00:00Z',
    labels: [{ id: 'LA_1', name: 'bug', description: '', color: 'd73a4a' }],
    milestone: { number: 1, title: 'v2', description: '', dueOn: null },
    number: 12,
    state: 'OPEN',
    stateReason: '',
    title: 'Checkout hangs',
    updatedAt: '2025-11-02T10:00:00Z',
    url: 'https://github.com/acme/shop/issues/12',
  },
  {
    assignees: [],
    author: { login: 'bob' },
    body: '',
    closedAt: '2025-11-02T10:00:00Z',
    comments: [],
    createdAt: '2025-11-01T10:00:00Z',
    labels: [{ name: 'enhancement' }],
    milestone: null,
    number: 13,
    state: 'CLOSED',
    stateReason: 'NOT_PLANNED',
    title: 'Pay by fax',
    updatedAt: '2025-11-02T10:00:00Z',
    url: 'https://github.com/acme/shop/issues/13',
  },
]

/** A task list with a child, headings, code, prose, and what is no task. */
export const markdown = `# Backlog

Some words, and a list that is none:

- not a task

- [ ] Fix login (P1) #sso #area/auth
  Only with SSO, see #12.

  \`\`\`
  - [ ] no task
  \`\`\`
  - [x] Find the cause
  - a note of the first task

## Later ##

1. [X] Dark mode
\t* [ ] Colours
`

/** A table as a spreadsheet program writes it: byte order mark, semicolons, CRLF. */
export const csv =
  '\ufeffID;Summary;State;Labels;Owner;Depends on\r\n1;"Pay; later";todo;"x,""y,z""";eve;2\r\n2;"Two\r\nlines";Done;;;\r\n'

/** Records as lines. */
export function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
