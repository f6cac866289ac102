import process from 'node:process'
import { createGenerationService } from '@genmount/core'
import { fakeProvider } from '@genmount/testing'

const log = { warn() {}, error() {} }
const service = createGenerationService({ providers: [fakeProvider()], log, retentionDays: 365 })
const input = { prompt: 'a kite', delay_ms: 600_000 }
const { job } = await service.create({ owner: 'alice', model: 'fake-video', input })

let phase = job.phase
while (phase !== 'running') phase = (await service.waitFor(job.id, 'alice', { budgetMs: 10 })).phase

if (process.argv[2] === 'close') await service.close()
const handled = ['SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'exit']
const signalHandlers = handled.reduce((sum, name) => sum + process.listenerCount(name), 0)
console.log(JSON.stringify({ phase, signalHandlers }))
