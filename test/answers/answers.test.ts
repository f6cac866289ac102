import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Job, isFinished } from '@genmount/core'
import { serviceWorld } from '../providers/service-world.ts'
import { type Answer, answers, bodyOf, nameOf, readAnswer } from './answer-file.ts'
import { vendorFetch } from './vendor-fetch.ts'
import { vendors } from './vendors.ts'

/*
 * What vendors have answered, by their documentation or in the wild. Each answer is a file in the folder of its vendor;
 * a new file is a new test. All jobs run at once in one service.
 */

const lines: string[] = []
const log = { warn: (line: string) => void lines.push(line), error: () => {} }
const jobs = new Map<Answer, Job>()
const world = serviceWorld(
  () =>
    Object.values(vendors).map((vendor) =>
      vendor.provider(vendorFetch(vendor, () => givenTo(world.task()!))),
    ),
  { log },
)

/** The prompt of a job is the number of its answer. */
function givenTo({ input }: { readonly input: { readonly prompt?: unknown } }) {
  const { vendor, answer } = answers[Number(input.prompt)]!
  const { step, status = 200, headers = {}, json, text } = answer
  const { wrap } = vendors[vendor]!
  return {
    step,
    status,
    headers,
    body: (asked: Parameters<NonNullable<typeof wrap>>[1]) =>
      bodyOf(text === undefined ? { json: wrap && step === undefined ? wrap(json, asked) : json } : { text }),
  }
}

beforeAll(async () => {
  const ids = await Promise.all(
    answers.map(({ vendor, answer }, index) => {
      const { kinds, input } = vendors[vendor]!
      return world.create(`${vendor}-${answer.model ?? kinds[0]}`, { ...input, prompt: String(index) })
    }),
  )
  const ends = ids.filter((_, index) => answers[index]!.answer.expect.code !== 'running')
  await world.until(ends)
  for (const [index, answer] of answers.entries()) jobs.set(answer, await world.job(ids[index]!))
})
afterAll(() => world.close())

test('there are at least 20 answers of each vendor', () => {
  const counts = Object.groupBy(answers, ({ vendor }) => vendor)
  for (const vendor of Object.keys(vendors))
    expect(counts[vendor]?.length ?? 0, vendor).toBeGreaterThanOrEqual(20)
})

test('an answer that does not say where and when it was seen, or what is expected, is refused', () => {
  const whole = {
    source: 'https://docs.example.com/api',
    date: '2026-11-26',
    json: {},
    expect: { code: 'output_invalid' },
  }
  const read = (change: object) => () => readAnswer('acme/a.json', JSON.stringify({ ...whole, ...change }))
  expect(read({})).not.toThrow()
  for (const source of [undefined, '', 'somewhere'])
    expect(read({ source })).toThrow('acme/a.json has no source')
  for (const date of [undefined, '', 'yesterday', '26.11.2026'])
    expect(read({ date })).toThrow('acme/a.json has no date')
  for (const nothing of [undefined, {}]) expect(read({ expect: nothing })).toThrow('expects nothing')
})

test.for(answers)('a job ends as expected after the answer $name', async (one) => {
  const { outputs = [], costUsd = 0, code, words = '', log: logged } = one.answer.expect
  const job = jobs.get(one)!
  if (code === 'running') return expect(isFinished(job)).toBe(false)
  const bytes = await world.outputs({ ...job, outputs: job.outputs.filter(({ url }) => url === undefined) })
  const names = bytes.map(nameOf)
  expect({
    outputs: job.outputs.map(({ url }) => url ?? names.shift()),
    code: job.error?.code,
    message: job.error?.message ?? '',
    costUsd: Number(job.costUsd.toFixed(9)),
  }).toEqual({ outputs, code, message: expect.stringContaining(words), costUsd })
  const omitted = lines.filter((line) => line.includes(job.id) && line.includes("can't be delivered"))
  expect(omitted).toEqual(logged === undefined ? [] : [expect.stringContaining(logged)])
})
