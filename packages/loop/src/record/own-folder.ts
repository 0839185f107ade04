import { folderIn } from '@switchyard/ground/disk'

/**
 * A folder of loop's private ones beside the repository's objects. Failure `conflict` where a link is in its place: loop
 * writes there and removes what it finds.
 */
export const ownFolder = (commonDir: string, name?: string) =>
  folderIn({ path: commonDir }, name === undefined ? 'loop' : `loop/${name}`)
