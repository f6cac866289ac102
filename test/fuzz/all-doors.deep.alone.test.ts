import { testAllDoors } from './doors/test-all-doors.ts'

// 4.5 minutes in all, of which the three pass at once. The plans are others in each run.
for (const runtime of ['node', 'bun', 'deno'] as const) testAllDoors(runtime, 90)
