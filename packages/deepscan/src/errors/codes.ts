import type { Failure } from '@switchyard/ground/failure'

/**
 * One of the 31 codes: when it comes, what to do, and by `kind` which exit code it ends with. `{name}` stands for what
 * came.
 */
export type ErrorRow = { title: string; kind: Failure['kind'] | 'bug'; message: string; remedy: string }

/** The codes of deepscan, as its documents and `deepscan errors` list them. */
export const errorTable = {
  'DS-001': {
    title: 'A path cannot be scanned',
    kind: 'usage',
    message: '{path} cannot be scanned: {reason}',
    remedy: 'name a file or a folder that you may read',
  },
  'DS-002': {
    title: 'This is no id of a scan',
    kind: 'usage',
    message: 'expected the id or the name of a scan, got {id}',
    remedy: 'use letters, digits, _ and -; deepscan list shows the scans',
  },
  'DS-003': {
    title: 'No question is given',
    kind: 'usage',
    message: 'the scan {scan} has no question for the agents',
    remedy: 'say it with --query "…", here or in deepscan init',
  },
  'DS-004': {
    title: 'The size of chunks is out of range',
    kind: 'usage',
    message: 'expected a chunk size from {min} to {max} {unit}, got {size}',
    remedy: 'choose a size between the two',
  },
  'DS-005': {
    title: 'The overlap is not below the size',
    kind: 'usage',
    message: 'expected an overlap below the chunk size {size}, got {overlap}',
    remedy: 'choose a smaller --overlap',
  },
  'DS-006': {
    title: 'There is nothing to analyse',
    kind: 'notFound',
    message: 'nothing to analyse in {path}: {reason}',
    remedy: 'name another path, or take in more with --all, --no-gitignore, --include or --max-file-bytes',
  },
  'DS-101': {
    title: 'A source breaks the grammar',
    kind: 'failed',
    message: '{path} cannot be read as {language}',
    remedy: 'mend the file, or chunk it with --mode lines',
  },
  'DS-102': {
    title: 'A file is not JSON',
    kind: 'usage',
    message: '{path} is not JSON: {reason}',
    remedy: 'mend the file and try again',
  },
  'DS-103': {
    title: 'A text has the wrong encoding',
    kind: 'usage',
    message: '{path} is not in UTF-8',
    remedy: 'write it in UTF-8',
  },
  'DS-104': {
    title: 'The answer of an agent has no result',
    kind: 'outside',
    message: 'the answer to chunk {chunk} holds no result: {reason}',
    remedy: 'try again with deepscan map --only failed, or look at the chunk with deepscan map --instructions',
  },
  'DS-105': {
    title: 'The results of a scan are damaged',
    kind: 'corrupt',
    message: '{path}:{line} is no result: {reason}',
    remedy: 'remove the line, then go on with deepscan map; or begin again with deepscan init --force',
  },
  'DS-201': {
    title: 'There are too many chunks, or one is too large',
    kind: 'limit',
    message: '{reason}',
    remedy: 'choose another --size, take in fewer files with --include, or raise --max-chunks',
  },
  'DS-202': {
    title: 'No chunk came out',
    kind: 'notFound',
    message: 'the scan {scan} has no chunks',
    remedy: 'deepscan chunk makes them; deepscan coverage says which files are left out, and why',
  },
  'DS-203': {
    title: 'Findings contradict each other',
    kind: 'conflict',
    message: '{count} findings contradict others of the same place',
    remedy: 'look at them with deepscan reduce --json, and decide by hand',
  },
  'DS-204': {
    title: 'A result is not as its schema says',
    kind: 'usage',
    message: '{path}:{line} is no result: {reason}',
    remedy: 'deepscan schema result shows what a result is',
  },
  'DS-205': {
    title: 'All chunks of a batch failed',
    kind: 'outside',
    message: '{failed} of {total} chunks failed; the last one: {reason}',
    remedy: 'mend the command of --with, then go on with deepscan map --only failed',
  },
  'DS-301': {
    title: 'A file or folder is not there',
    kind: 'notFound',
    message: 'no file or folder at {path}',
    remedy: 'name a path that exists',
  },
  'DS-302': {
    title: 'A file or folder may not be read or written',
    kind: 'usage',
    message: '{path} cannot be read ({reason})',
    remedy: 'name a path that you may read',
  },
  'DS-303': {
    title: 'A file is too large',
    kind: 'limit',
    message: '{path} has {bytes} bytes, {max} are allowed',
    remedy: 'raise --max-file-bytes, or split the file',
  },
  'DS-304': {
    title: 'All together is too large',
    kind: 'limit',
    message: '{path} comes to about {tokens} tokens, {max} are allowed',
    remedy: 'take in less with --include, --exclude, --target or --since, or raise --max-tokens',
  },
  'DS-305': {
    title: 'The cache folder cannot be used',
    kind: 'failed',
    message: '{path} cannot keep scans: {reason}',
    remedy: 'make room there, or name another folder with DEEPSCAN_HOME',
  },
  'DS-306': {
    title: 'There is no such scan',
    kind: 'notFound',
    message: '{reason}',
    remedy: 'deepscan list shows the scans, deepscan init makes one',
  },
  'DS-401': {
    title: 'A settings file is not as it should be',
    kind: 'usage',
    message: '{path}: {reason}',
    remedy: 'mend the file',
  },
  'DS-402': {
    title: 'A setting is missing',
    kind: 'usage',
    message: 'expected {setting}, got nothing',
    remedy: 'give it on the command line',
  },
  'DS-403': {
    title: 'A model is not known',
    kind: 'usage',
    message: 'expected a model, got {model}',
    remedy: 'name one that the agent knows',
  },
  'DS-404': {
    title: 'The budget is spent',
    kind: 'limit',
    message: 'the budget is spent: {reason}',
    remedy: 'raise it, then go on with deepscan map',
  },
  'DS-501': {
    title: 'A bug of deepscan',
    kind: 'bug',
    message: 'deepscan ended by a mistake of its own',
    remedy: 'report it with the lines above',
  },
  'DS-502': {
    title: 'The files of a scan are damaged',
    kind: 'corrupt',
    message: '{path} is damaged: {reason}',
    remedy: 'remove the scan with deepscan abort, then deepscan init',
  },
  'DS-503': {
    title: 'It took too long',
    kind: 'waitTimeout',
    message: '{work} took longer than {seconds} seconds',
    remedy: 'allow more time with --timeout, or do less at once',
  },
  'DS-504': {
    title: 'The model is asked too often',
    kind: 'outside',
    message: 'the agent answers that it is asked too often: {reason}',
    remedy: 'wait, then go on with deepscan map --jobs 1',
  },
  'DS-505': {
    title: 'The user stopped it',
    kind: 'interrupted',
    message: 'stopped; {done} of {total} chunks are done and kept',
    remedy: 'go on with deepscan map',
  },
} as const satisfies Readonly<Record<string, ErrorRow>>

export type ErrorCode = keyof typeof errorTable
