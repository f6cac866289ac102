import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repo, start } from '../examples/started-server.ts'
import { runtimes } from '../runtimes.ts'
import { arkFake, token as arkKey } from './ark/ark-fake.ts'
import { token as xaiKey, xaiFake } from './xai/xai-fake.ts'

const program = join(repo, 'test/providers/killed-server.ts')

const vendors = {
  xai: { token: xaiKey, fake: () => xaiFake({ polls: 6 }), submit: '/videos/generations' },
  ark: { token: arkKey, fake: () => arkFake({ queued: 6 }), submit: '/generations/tasks' },
} as const
const names = Object.keys(vendors) as (keyof typeof vendors)[]

async function world(vendor: keyof typeof vendors) {
  const { token, fake: startFake, submit } = vendors[vendor]
  const fake = await startFake()
  const folder = await mkdtemp(join(tmpdir(), 'genmount-killed-'))
  onTestFinished(async () => {
    await fake.close()
    await rm(folder, { recursive: true, force: true })
  })
  const own = { JOBS_FILE: join(folder, 'jobs.db'), VENDOR: vendor, TOKEN: token }
  const env = { ...own, BASE_URL: fake.baseUrl }
  return {
    fake,
    submit,
    /** @param job the job to go on with. @default a new one */
    server: (job?: string) => start([...runtimes.node, program], { ...env, ...(job && { JOB: job }) }),
  }
}

test.each(names)(
  'a film of %s whose process is killed while it is made is finished by the next one, and paid for once',
  async (vendor) => {
    const { fake, server } = await world(vendor)
    const first = server()
    const [, job = ''] = await first.heard(/^job (\S+)$/m)
    await first.heard(/^phase running$/m)
    first.process.kill('SIGKILL')
    await first.exited
    await server(job).heard(/^phase completed$/m)
    expect(fake.ledger).toHaveLength(1)
  },
  120_000,
)

test.each(names)(
  'a film of %s whose process is killed while it submits is not submitted again',
  async (vendor) => {
    const { fake, submit, server } = await world(vendor)
    fake.trouble(submit, { after: 'hold' })
    const first = server()
    const [, job = ''] = await first.heard(/^job (\S+)$/m)
    await fake.requested(1)
    await expect.poll(() => fake.ledger.length, { timeout: 30_000 }).toBe(1)
    first.process.kill('SIGKILL')
    await first.exited
    await server(job).heard(/^phase submit_ambiguous$/m)
    expect(fake.ledger).toHaveLength(1)
    expect(fake.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  },
  240_000,
)
