import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledWorker } from './bundled-worker.ts'

let worker: Miniflare

beforeAll(async () => {
  worker = await bundledWorker('r2-faults-worker', { r2Buckets: ['BUCKET'] })
})
afterAll(() => worker?.dispose())

/** What came of storing a file over an earlier one of 3 bytes. */
interface Report {
  readonly outcome: string
  readonly calls: readonly string[]
  readonly most: number
  readonly size: number
  readonly isFilm: boolean
  readonly openUploads: number
}

async function storing(order: object): Promise<Report> {
  const answer = await worker.dispatchFetch('https://r2.test/', {
    method: 'POST',
    body: JSON.stringify(order),
  })
  return (await answer.json()) as Report
}
const kept = { size: 3, isFilm: false, openUploads: 0 }
const whole = { outcome: 'stored', size: 20 * 2 ** 20, isFilm: true, openUploads: 0 }

test('a film of 20 MiB is stored in three parts, and at most two of them are read ahead of R2', async () => {
  const { most, ...report } = await storing({ file: 'film' })
  expect(report).toEqual({ ...whole, calls: ['begin', 'part', 'part', 'part', 'complete'] })
  // A part counts as sent when its call begins, so the part under way is added.
  expect(most).toBeLessThanOrEqual(17)
})

test('if the stream of a film breaks, its upload is aborted and the earlier file stays', async () => {
  const report = await storing({ file: 'film', breaksAfter: 18 })
  expect(report).toMatchObject({ ...kept, outcome: 'Error: the stream broke' })
  expect(report.calls).toEqual(['begin', 'part', 'part', 'abort'])
})

test('if R2 refuses a part, the upload is aborted and the earlier file stays', async () => {
  const report = await storing({ file: 'film', fault: { call: 'part', from: 2, times: 1, what: 10003 } })
  expect(report).toMatchObject({ ...kept, outcome: 'Error: part: It failed. (10003)' })
  expect(report.calls.at(-1)).toBe('abort')
})

test('if R2 fails a part six times, put fails with the error of R2 and aborts the upload', async () => {
  const report = await storing({ file: 'film', fault: { call: 'part', from: 2, times: 99, what: 10043 } })
  expect(report).toMatchObject({ ...kept, outcome: 'Error: part: It failed. (10043)' })
  expect(report.calls.filter((call) => call === 'part')).toHaveLength(7)
})

test.each([10001, 10043, 10054, 10058, 'answer lost'] as const)(
  'after the passing fault %s of a put, R2 is called again',
  async (what) => {
    const report = await storing({ file: 'picture', fault: { call: 'put', from: 1, times: 1, what } })
    expect(report).toMatchObject({ outcome: 'stored', size: 1000, calls: ['put', 'put'] })
  },
)

test.each([10043, 'answer lost'] as const)(
  'after the passing fault %s of a part, the part is sent again and the film is whole',
  async (what) => {
    const report = await storing({ file: 'film', fault: { call: 'part', from: 2, times: 2, what } })
    expect(report).toMatchObject(whole)
    expect(report.calls.filter((call) => call === 'part')).toHaveLength(5)
  },
)

test('an upload that R2 has completed counts as stored, even if the answer is lost', async () => {
  const fault = { call: 'complete', from: 1, times: 1, what: 'answer lost' }
  const report = await storing({ file: 'film', fault })
  expect(report).toMatchObject(whole)
  expect(report.calls.slice(-3)).toEqual(['complete', 'complete', 'head'])
})

test('an upload that R2 can not complete fails, although the key has an object of an earlier put', async () => {
  const report = await storing({ file: 'film', fault: { call: 'complete', from: 1, times: 99, what: 10024 } })
  expect(report).toMatchObject({ ...kept, outcome: 'Error: complete: It failed. (10024)' })
})
