import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repo, start } from '../../examples/started-server.ts'
import { runtimes } from '../../processes/runtimes.ts'
import { vendorCases } from '../hosted-vendors.ts'
import { holdingProxy } from './holding-proxy.ts'
import { killedVendors } from './killed-vendors.ts'

const program = join(repo, 'test/providers/killed/killed-server.ts')
const all = Object.keys(killedVendors)
/** The vendors whose outputs outlive the call that makes them. */
const durable = all.filter((name) => vendorCases[name]?.isDurable)

/** These vendors, each behind a proxy, and the processes of one service in front of all of them. */
async function world(names: readonly string[]) {
  const vendors = await Promise.all(
    names.map(async (name) => {
      const fake = await killedVendors[name]!()
      return { name, fake, proxy: await holdingProxy(fake.origin, vendorCases[name]!.stepOf) }
    }),
  )
  const FOLDER = await mkdtemp(join(tmpdir(), 'genmount-killed-'))
  onTestFinished(async () => {
    await Promise.all(vendors.flatMap(({ fake, proxy }) => [proxy.close(), fake.close()]))
    await rm(FOLDER, { recursive: true, force: true })
  })
  const VENDORS = JSON.stringify(
    vendors.map(({ name, fake: { token }, proxy: { origin } }) => ({ name, origin, token })),
  )
  return {
    vendors,
    /** How many tasks each vendor has been paid for. */
    paid: () => Object.fromEntries(vendors.map(({ name, fake }) => [name, fake.ledger.length])),
    once: Object.fromEntries(names.map((name) => [name, 1])),
    async serve(env: Readonly<Record<string, string>> = {}) {
      const server = start([...runtimes.node, program], { FOLDER, VENDORS, ...env })
      const said = (words: string) => (name: string) => server.heard(new RegExp(`^${name} ${words}$`, 'm'))
      return {
        /** Waits until the process has printed this for each of these vendors. */
        heard: (words: string, of = names) => Promise.all(of.map(said(words))),
        jobs: async () => {
          const lines = await Promise.all(names.map(said('job (\\S+)')))
          return JSON.stringify(Object.fromEntries(lines.map(([, id], index) => [names[index], id])))
        },
        async kill() {
          server.process.kill('SIGKILL')
          await server.exited
        },
      }
    },
  }
}

test('jobs whose process is killed while it submits them are not submitted again, at any vendor', async () => {
  const { vendors, paid, once, serve } = await world(all)
  for (const { proxy } of vendors) proxy.hold('submit')
  const first = await serve()
  const JOBS = await first.jobs()
  await expect.poll(paid, { timeout: 60_000 }).toEqual(once)
  await first.kill()
  for (const { proxy } of vendors) proxy.letGo()
  const second = await serve({ JOBS })
  await second.heard('submit_ambiguous')
  expect(paid()).toEqual(once)
}, 240_000)

test('jobs whose process is killed while they are made are finished by the next one, and paid for once', async () => {
  const { vendors, paid, once, serve } = await world(durable)
  for (const { proxy } of vendors) proxy.hold('poll')
  const first = await serve()
  const JOBS = await first.jobs()
  await first.heard('running')
  await expect
    .poll(() => vendors.every(({ proxy }) => proxy.held('poll') > 0), { timeout: 60_000 })
    .toBe(true)
  await first.kill()
  for (const { proxy } of vendors) proxy.letGo()
  const second = await serve({ JOBS })
  await second.heard('stored')
  expect(paid()).toEqual(once)
}, 240_000)

test('jobs whose process is killed while it stores their outputs are paid for once, and stored where the vendor still has the outputs', async () => {
  const { paid, once, serve } = await world(all)
  const first = await serve({ HOLD_FILES: '1' })
  const JOBS = await first.jobs()
  await first.heard('storing')
  await first.kill()
  const second = await serve({ JOBS })
  await second.heard('stored', durable)
  // The output of a blocking call was only in the memory of the killed process.
  await second.heard('output_invalid', ['a1111'])
  expect(paid()).toEqual(once)
}, 240_000)
