import { printVerdicts } from '../print-verdicts.ts'
import { webhookCases } from './webhook-cases.ts'

await printVerdicts(webhookCases)
