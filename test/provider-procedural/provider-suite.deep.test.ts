import { test } from 'vitest'
import { conformance, isBrief } from './conformance.ts'

for (const [name, run] of Object.entries(conformance)) if (!isBrief(name)) test(name, run)
