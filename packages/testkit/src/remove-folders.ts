// Runs around each test file: several share a process, and the modules in it.
import { afterAll } from 'vitest'
import { removeFolders } from './folder.ts'

afterAll(removeFolders)
