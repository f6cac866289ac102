import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'
import { type BreakingVendor, breakingVendor } from './breaking-vendor.ts'

// These tests use real connections on real runtimes. A submit that never got a connection is made again. Any other submit is
// not, because it might be paid for twice.

const script = new URL('verdicts.ts', import.meta.url)

/** Runs one job at each of the named servers. @returns the outcome of each job, by the name of its server */
async function outcomes(
  { places: all }: BreakingVendor,
  runtime: Runtime,
  names: readonly string[],
  options: { readonly trustsEverybody?: boolean; readonly maxDescriptors?: number } = {},
): Promise<Record<string, unknown>> {
  const places = Object.fromEntries(names.map((name) => [name, all[name]]))
  const args = [JSON.stringify(places), options.maxDescriptors ? 'exhausted' : '']
  return (await printedBy(runtime, script, { ...options, args })) as Record<string, unknown>
}

const madeAgain = { submits: 2, came: 'completed' }
const givenUp = { submits: 1, came: 'submit_ambiguous' }

// At the same time, because most of these jobs wait.
describe.concurrent.each(Object.keys(runtimes) as Runtime[])('on %s', (runtime) => {
  let vendor: BreakingVendor
  beforeAll(async () => {
    vendor = await breakingVendor()
  })
  afterAll(() => vendor.close())

  test('a job whose vendor could not be reached is submitted again', async () => {
    const names = ['does not listen', 'has no address', 'has a certificate of its own']
    // Deno and Bun would wait two minutes for the system to give this connection up, and other systems take it.
    if (runtime === 'node' && process.platform === 'linux') names.push('does not take the connection')
    const seen = names.map((name) => vendor.seen(name))
    expect(await outcomes(vendor, runtime, names)).toEqual(
      Object.fromEntries(names.map((name) => [name, madeAgain])),
    )
    expect(names.map((name) => vendor.seen(name))).toEqual(seen)
  })

  test('a job for whose connection to the vendor there was no file descriptor is submitted again', async () => {
    const name = 'answers half of it'
    expect(await outcomes(vendor, runtime, [name], { maxDescriptors: 120 })).toEqual({ [name]: madeAgain })
  })

  test('a job whose vendor has read the request and then broken the connection or not answered is not submitted again', async () => {
    const names = [
      'resets when it has read the request',
      'closes when it has read the request',
      'resets a kept connection when it has read the second request',
      'answers half of it',
      'does not answer',
      'cuts TLS when it has read the request',
    ]
    const seen = names.map((name) => vendor.seen(name))
    expect(await outcomes(vendor, runtime, names, { trustsEverybody: true })).toEqual(
      Object.fromEntries(names.map((name) => [name, givenUp])),
    )
    names.forEach((name, index) => expect([name, vendor.seen(name)]).not.toEqual([name, seen[index]]))
  })

  // The server is gone then, so a runtime that sends the request again by itself finds no server.
  test('a job whose vendor has read the request and is gone then is not submitted again', async ({
    onTestFinished,
  }) => {
    const leaving = await breakingVendor()
    onTestFinished(() => leaving.close())
    const names = [
      'is gone when it has read the request',
      'is gone when it has read the second request of a kept connection',
    ]
    expect(await outcomes(leaving, runtime, names)).toEqual(
      Object.fromEntries(names.map((name) => [name, givenUp])),
    )
    expect(names.map((name) => leaving.seen(name))).toEqual([1, 2])
  })
})
