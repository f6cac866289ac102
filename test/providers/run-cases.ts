import { printVerdicts } from '../print-verdicts.ts'
import { providerCases } from './provider-cases.ts'

await printVerdicts(providerCases)
