import { testAllDoors } from './doors/test-all-doors.ts'

// Six and a half minutes in all, of which the three pass at once. Each run has a seed of its own.
for (const runtime of ['node', 'bun', 'deno'] as const) testAllDoors(runtime, 130)
