import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, type Provider } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { temporaryFolder } from '../temporary-folder.ts'

/** A job whose first tries fail takes some seconds. The rest is for a busy machine. */
const soonMs = 20_000

const rejected = () => Promise.reject(Object.assign(new Error('The vendor answers 401.'), { status: 401 }))

test.each<[string, Partial<Provider>]>([
  ['rejects the key of one of them in each poll', { poll: rejected }],
  ['can not be reached by one of them', { submit: async () => Promise.reject(unreached()) }],
])(
  'a job of two services on one store whose vendor %s is completed by the other one',
  { timeout: 60_000 },
  async (_what, faults) => {
    const file = join(temporaryFolder(), 'jobs.db')
    const vendor = fakeProvider({ behave: () => ({ delayMs: 500 }) })
    const serviceOver = (provider: Provider) => {
      const service = createGenerationService({
        providers: [provider],
        backend: sqliteBackend({ file }),
        log: quietLog(),
      })
      onTestFinished(async () => void (await service.close()))
      service.start()
      return service
    }
    const refusing = serviceOver({ ...vendor, ...faults })
    const healthy = serviceOver(vendor)
    const { job } = await refusing.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
    // Nobody reads the job at the healthy service, which would make it poll.
    const seen = () => refusing.get(job.id, 'alice').then(({ phase }) => phase)
    await expect.poll(seen, { timeout: soonMs, interval: 1000 }).toBe('completed')
    expect(vendor.ledger).toHaveLength(1)
    expect((await healthy.get(job.id, 'alice')).phase).toBe('completed')
  },
)

function unreached(): Error {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  return new TypeError('fetch failed', { cause })
}
