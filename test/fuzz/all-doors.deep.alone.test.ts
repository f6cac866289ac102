import { testAllDoors } from './doors/test-all-doors.ts'

// 13 minutes in all, of which the three pass at once.
for (const runtime of ['node', 'bun', 'deno'] as const) testAllDoors(runtime, 260)
