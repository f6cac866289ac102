import { testTwoProcesses } from './two-processes.ts'

testTwoProcesses('Postgres')
