import type { z } from 'zod'
import type { exported } from '../schema/transfer-schemas.ts'

/** What `export --out` says about the file that it wrote. */
export type Exported = Readonly<z.infer<typeof exported>>
