import console from 'node:console'
import process from 'node:process'
import { readReference } from './read-reference.ts'

const { warnings, write } = await readReference()
for (const warning of warnings) console.warn(warning)
await write()
process.exitCode = warnings.length === 0 ? 0 : 1
