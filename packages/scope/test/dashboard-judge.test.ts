// What a judge said of each criterion, as the dashboard's detail marks it.
import { describe, expect, it } from 'vitest'
import { dashboardOf } from './dashboards.ts'
import { sessions } from './sessions.ts'

const rubric = `## Gates
- \`test -d .git\`
- \`test -d nowhere\`
## Criteria
- Every error has a test
- No function is long
- Names are words
`

describe('the detail of a loop', () => {
  it('marks each gate and each criterion by what the last check came to, and leaves open what nobody judged', async () => {
    const at = sessions()
    at.write('criteria.md', rubric)
    at.agent('', { '*-check': 'Looked.\n\nCRITERION 1: PASS\nCRITERION 2: FAIL\nVERDICT: RETRY' })
    const id = at.spawn('Make it', '--checker', 'criteria.md', '--max-iterations', '1')
    expect(at.wait(id).code).toBe(9)
    const terminal = await dashboardOf(at, /▼ 0 /)
    terminal.keys('Tab')
    const screen = await terminal.see(/Names are words/)
    expect(screen.match(/^ *[✓✗·] {2}.*$/gm)?.map((line) => line.trim())).toEqual([
      ...['✓  test -d .git', '✗  test -d nowhere'],
      ...['✓  Every error has a test', '✗  No function is long', '·  Names are words'],
    ])
    terminal.keys('q')
    await terminal.see(/q quit/)
    terminal.keys('q')
    await terminal.see(/left with 0/)
  })
})
