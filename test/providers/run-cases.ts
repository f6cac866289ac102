import { printVerdicts } from '../print-verdicts.ts'
import { providerCases } from './provider-cases.ts'

// Each case has a fake vendor, a service and a clock of its own, and mostly waits for sockets.
await printVerdicts(providerCases, { atATime: 6 })
