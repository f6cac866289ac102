import { testSameBytes } from './test-same-bytes.ts'

// Two pictures, an edited one, and a film.
testSameBytes(4)
