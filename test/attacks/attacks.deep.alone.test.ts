import { attacks } from './cases/attacks.ts'
import { testAttacks } from './test-attacks.ts'

for (const runtime of ['node', 'bun', 'deno'] as const) testAttacks(runtime, attacks, { margin: 1 })
