import { testAllDoors } from './doors/test-all-doors.ts'

// 10 minutes in all.
for (const runtime of ['node', 'bun', 'deno'] as const) testAllDoors(runtime, 200)
