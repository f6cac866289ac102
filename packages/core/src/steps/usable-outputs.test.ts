import { expect, test } from 'vitest'
import { type FakeFault, fakeWorld } from '@genmount/testing'

const png = { bytes: Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) }

/** A job whose provider answers with this report, a minute after its creation. */
async function jobWith(report: object) {
  const submit = async () => report as never
  const { create, jobAfter, log, service } = fakeWorld({}, { provider: { submit } })
  const job = await jobAfter(60_000, (await create()).id)
  await service.close()
  return { job, logged: log.lines }
}

test.each<[string, readonly unknown[], string]>([
  ['empty bytes', [png, { bytes: new Uint8Array() }, png], 'output 2 of 3 is empty'],
  [
    'an http link',
    [png, { url: 'http://cdn.test/1.png' }, png],
    'output 2 of 3 is at a URL with http: instead of https:',
  ],
  ['null', [png, null, png], 'output 2 of 3 is neither bytes nor a URL'],
  // oxlint-disable-next-line no-sparse-arrays
  ['a hole in the list', [png, , png], 'output 2 of 3 is neither bytes nor a URL'],
  ['a private address', [png, { url: 'https://10.0.0.7/1.png' }, png], 'output 2 of 3 is at an address of a'],
  ['a text', [png, 'I cannot do that', png], 'output 2 of 3 is neither bytes nor a URL'],
  [
    'a page as bytes',
    [png, { bytes: new TextEncoder().encode('<html>Sign in') }, png],
    'output 2 of 3 is no picture and no film: "<html>Sign in"',
  ],
  [
    'an output that throws when it is read',
    [
      png,
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no')
          },
        },
      ),
      png,
    ],
    'output 2 of 3 is neither bytes nor a URL',
  ],
])(
  'the good outputs are delivered although one is %s, and the log names it',
  async (_what, outputs, words) => {
    const { job, logged } = await jobWith({ state: 'succeeded', outputs, costUsd: 0.12 })
    expect(job).toMatchObject({ phase: 'completed', costUsd: 0.12, outputs: [{ bytes: 8 }, { bytes: 8 }] })
    expect(job.outputs.map(({ fileKey }) => fileKey)).toEqual([`${job.id}-0`, `${job.id}-1`])
    const lines = logged.filter((line) => line.includes(words))
    expect(lines).toHaveLength(1)
    for (const name of [job.id, 'provider fake']) expect(lines[0]).toContain(name)
  },
)

test('what a provider itself left out of a finished task is in the log, and the job completes', async () => {
  const omitted = ['data[1] is empty', 'data[2] is a text']
  const { job, logged } = await jobWith({ state: 'succeeded', outputs: [png], omitted })
  expect(job).toMatchObject({ phase: 'completed', outputs: [{ bytes: 8 }] })
  expect(logged.filter((line) => line.includes('data[1] is empty; data[2] is a text'))).toHaveLength(1)
})

test('a job whose only output is a page or an error fails as output_invalid, and its words are in the log only', async () => {
  for (const text of ['<!doctype html><title>Sign in', '{"error":{"message":"blocked"}}']) {
    const bytes = new TextEncoder().encode(text)
    const outputs = [{ bytes, contentType: 'image/png' }]
    const { job, logged } = await jobWith({ state: 'succeeded', outputs, costUsd: 0.12 })
    const error = {
      code: 'output_invalid',
      message: 'The provider has finished, but an output is no picture and no film.',
    }
    expect(job).toMatchObject({ phase: 'failed', costUsd: 0.12, error })
    expect(logged.filter((line) => line.includes(job.id) && line.includes(text))).toHaveLength(1)
  }
})

const empty = { report: { state: 'succeeded', outputs: [], costUsd: 0.07 } }

/** A job whose task ends after 500 ms, and the answers of its provider to polls before the true one. */
async function pollsOf(poll: FakeFault | readonly FakeFault[]) {
  const { create, jobAfter, provider, service } = fakeWorld({
    behave: [{ delayMs: 500, poll, pollAfterMs: 1000 }],
  })
  const job = await jobAfter(60_000, (await create()).id)
  await service.close()
  return { job, polls: provider.polls.length }
}

test.each<[string, readonly FakeFault[], number]>([
  ['at once', [empty], 2],
  ['after a call that got no answer', [empty, 'server_error'], 3],
])(
  'a task that is said to have finished without any output is asked about again, and its job completes if outputs come %s',
  async (_when, faults, polls) => {
    expect(await pollsOf(faults)).toMatchObject({ job: { phase: 'completed', costUsd: 0.01 }, polls })
  },
)

test('a job whose task is twice said to have finished without any output fails as output_invalid, with its cost', async () => {
  const error = { code: 'output_invalid', message: 'The provider has finished without an image.' }
  expect(await pollsOf(empty)).toMatchObject({ job: { phase: 'failed', error, costUsd: 0.07 }, polls: 2 })
})

test('a job whose task is said at its deadline to have finished without any output fails as output_invalid', async () => {
  const poll = async () => {
    if (clock.now() < deadlineAt) throw new Error('overloaded')
    return empty.report as never
  }
  const { clock, create, jobAfter, service } = fakeWorld(
    { behave: [{ delayMs: 500 }] },
    { provider: { poll } },
  )
  const { id, deadlineAt } = await create()
  const error = { code: 'output_invalid' }
  expect(await jobAfter(3_600_000, id)).toMatchObject({ phase: 'failed', error, costUsd: 0.07 })
  await service.close()
})

test('a job keeps the first 1,000 outputs of a report that has 100,000, completes, and the log names how many are left out', async () => {
  const urls = Array.from({ length: 100_000 }, (_, index) => ({ url: `https://cdn.test/${index}.png` }))
  const { job, logged } = await jobWith({
    state: 'succeeded',
    outputs: [{ bytes: new Uint8Array() }, ...urls],
  })
  expect(job).toMatchObject({ phase: 'completed' })
  expect(job.outputs).toEqual(urls.slice(0, 1000))
  const lines = logged.filter(
    (line) => line.includes(job.id) && line.includes('99000 outputs beyond the first 1000'),
  )
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('output 1 of 100001 is empty')
})

test('a job keeps each of 1,000 outputs, and the log names none', async () => {
  const outputs = Array.from({ length: 1000 }, (_, index) => ({ url: `https://cdn.test/${index}.png` }))
  const { job, logged } = await jobWith({ state: 'succeeded', outputs })
  expect(job.outputs).toEqual(outputs)
  expect(logged.filter((line) => line.includes('beyond'))).toEqual([])
})

test('a provider that lists more than 1,000 omitted outputs costs no more than a log line, which has their number', async () => {
  const omitted = Array.from({ length: 100_000 }, (_, index) => `data[${index}] is empty`)
  const { job, logged } = await jobWith({ state: 'succeeded', outputs: [png], omitted })
  expect(job).toMatchObject({ phase: 'completed', outputs: [{ bytes: 8 }] })
  expect(logged.filter((line) => line.includes(job.id) && line.includes('data[0] is empty'))).toHaveLength(1)
})
