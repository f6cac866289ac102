import { testSameBytes } from './test-same-bytes.ts'

testSameBytes(9, 'all')
