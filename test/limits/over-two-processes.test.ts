import { testTwoProcesses } from './two-processes.ts'

testTwoProcesses('SQLite')
