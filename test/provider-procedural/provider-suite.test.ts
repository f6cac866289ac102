import { test } from 'vitest'
import { conformance, isBrief } from './conformance.ts'

// The deep suite has the other cases of films.
for (const [name, run] of Object.entries(conformance)) if (isBrief(name)) test(name, run)
