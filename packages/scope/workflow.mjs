// Found by whoever runs the file of a workflow with something else: only `scope workflow` has what it needs.
throw new Error('a workflow is run by scope: scope workflow FILE')
