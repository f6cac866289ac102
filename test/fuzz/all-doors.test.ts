import { testAllDoors } from './doors/test-all-doors.ts'

// The deep suite has 90 s on each runtime.
testAllDoors('node', 1)
testAllDoors('bun', 1)
testAllDoors('deno', 1)
