import { printVerdicts } from '../print-verdicts.ts'
import { poolCases } from './pool-cases.ts'

await printVerdicts(poolCases)
