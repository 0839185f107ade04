// Several agents look at a part each, at once; one puts together what they found.
//
//   scope workflow map-reduce.ts --param question="Where do we read the clock?" --param parts=src,test
import { param, Workflow } from '@switchyard/scope/workflow'

const question = param('question')
const parts = param('parts', 'src').split(',')

const wf = new Workflow('map-reduce')
for (const [at, part] of parts.entries()) {
  wf.phase(`map-${at + 1}`, {
    task: `${question} Look at ${part} alone.`,
    ...{ type: 'explore', access: 'read', parallel: at > 0, on_fail: 'continue' },
  })
}
wf.phase('reduce', { task: `Answer from the results above, and from nothing else: ${question}`, access: 'read' })

const { reduce } = await wf.run()
console.log(reduce?.result_text)
