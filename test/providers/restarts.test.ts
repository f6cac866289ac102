import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { vendorCases } from './hosted-vendors.ts'
import type { VendorCase } from './vendor-case.ts'
import { silence } from './troubles.ts'
import { vendorWorld } from './vendor-world.ts'

/** A world whose jobs are in a file, which each process opens for itself. */
async function worldOnDisk(vendorCase: VendorCase) {
  const folder = await mkdtemp(join(tmpdir(), 'genmount-'))
  const file = join(folder, 'jobs.db')
  const world = await vendorWorld(vendorCase, { backend: (clock) => sqliteBackend({ file, clock }) })
  onTestFinished(async () => {
    await world.close()
    await rm(folder, { recursive: true })
  })
  return world
}

const cases = Object.entries(vendorCases)

test.each(cases.filter(([, { isDurable }]) => isDurable))(
  '%s: a job that one process has started is finished by the next process from SQLite and paid for once',
  async (_name, vendorCase) => {
    const world = await worldOnDisk(vendorCase)
    const id = await world.createInTrouble()
    const [begun] = await world.until([id], ({ phase }) => phase === 'running')
    expect(begun?.handle).toBeTruthy()
    world.restart()
    expect((await world.job(id)).handle).toEqual(begun?.handle)
    const [ended] = await world.until([id])
    expect(ended).toMatchObject({ phase: 'completed', handle: begun?.handle, outputs: [{}] })
    expect(world.vendor.taken()).toBe(1)
    expect(world.asked.filter(({ step }) => step === 'submit')).toHaveLength(1)
  },
)

test.each(cases)(
  '%s: a job whose process dies during its submit is paid for once',
  async (_name, vendorCase) => {
    const world = await vendorWorld(vendorCase)
    onTestFinished(world.close)
    world.trouble('submit', silence, 1)
    const id = await world.createInTrouble()
    await world.until([id], () => world.vendor.taken() === 1)
    world.restart()
    const [ended] = await world.until([id])
    const { finds, dedupes } = vendorCase
    expect(ended?.error?.code ?? ended?.phase).toBe(finds || dedupes ? 'completed' : 'submit_ambiguous')
    expect(world.vendor.taken()).toBe(1)
    expect(world.asked.filter(({ step }) => step === 'submit')).toHaveLength(dedupes ? 2 : 1)
  },
)
