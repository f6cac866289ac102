import { printVerdicts } from '../print-verdicts.ts'
import { guardedFetchCases } from './guarded-fetch-cases.ts'

await printVerdicts(guardedFetchCases)
