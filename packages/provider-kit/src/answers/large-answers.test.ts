import { expect, test } from 'vitest'
import { cpuTimeOf } from '@genmount/testing'
import { contentOf } from './content-of.ts'
import { filesIn } from './files-in.ts'
import { vendorReason } from './vendor-reason.ts'

const png = 'iVBORw0KGgoAAAANSUhEUg=='

test.each<[string, (index: number) => unknown]>([
  ['links', (index) => ({ url: `https://cdn.example/${index}.png` })],
  ['files of two kinds', (index) => ({ url: `https://cdn.example/${index}.${index % 2 ? 'mp4' : 'png'}` })],
  ['words', (index) => ({ error: `No picture ${index}.` })],
  ['pictures in base64', () => ({ b64_json: png })],
])('30,000 %s in one answer are found in linear time', async (_what, itemOf) => {
  const data = Array.from({ length: 30_000 }, (_, index) => itemOf(index))
  let found = 0
  const cpuMs = await cpuTimeOf(() => {
    found = filesIn({ data }, { kind: 'image' }).length
  })
  expect(found).toBeGreaterThanOrEqual(15_000)
  expect(cpuMs).toBeLessThan(3000)
})

test('items of a list keep the places of their files, also beyond the tenth and in lists within', () => {
  const data: unknown[] = Array.from({ length: 12 }, (_, index) => ({
    url: `https://cdn.example/${index}.png`,
  }))
  data[1] = { error: { message: 'No.' } }
  data[11] = ['https://cdn.example/a.png', 'https://cdn.example/b.png']
  const at = filesIn({ data }, { kind: 'image' }).map((file) => file.at)
  expect(at).toHaveLength(13)
  expect([at[1], at[10], at[11], at[12]]).toEqual(['data[1]', 'data[10].url', 'data[11][0]', 'data[11][1]'])
})

test('an answer that is a stream of a million events costs no more than its first 1,000', async () => {
  const text = 'data: {"a":1}\n'.repeat(1_000_000)
  let events: unknown
  const cpuMs = await cpuTimeOf(() => {
    events = contentOf({ bytes: new Uint8Array(), json: undefined, text })
  })
  expect(events).toHaveLength(1000)
  expect(cpuMs).toBeLessThan(500)
})

test.each([')', '.', '.)', '())'])(
  'a link in the text of a model with 100,000 times "%s" behind it is found in linear time',
  async (end) => {
    const content = `Here: ](https://cdn.example/a.png${end.repeat(100_000)}`
    let found: unknown
    const cpuMs = await cpuTimeOf(() => {
      found = filesIn({ choices: [{ message: { content } }] }, { kind: 'image', withLinksInText: true })
    })
    expect(found).toHaveLength(1)
    expect(cpuMs).toBeLessThan(1000)
  },
)

test('the events of a stream may have 100,000 values together', async () => {
  const text = `data: [0${',1'.repeat(60_000)}]\n`.repeat(300)
  let content: unknown
  const cpuMs = await cpuTimeOf(() => {
    content = contentOf({ bytes: new Uint8Array(), json: undefined, text })
  })
  expect(content).toEqual([expect.objectContaining({ length: 60_001 })])
  expect(cpuMs).toBeLessThan(500)
})

test.each([
  'blocked ',
  'rejected by us, ',
  'violat',
  'violated ',
  'err',
  'failure_',
  'content_polic',
  'flagged ',
  '<title',
  '<script',
  '<',
  'data:',
  '"',
  ' ',
])('words and names of fields that repeat %j for 200 kB are read in linear time', async (part) => {
  const text = part.repeat(200_000 / part.length)
  const cpuMs = await cpuTimeOf(() => {
    vendorReason({ error: `No picture: ${text}` })
    vendorReason({ [`${text}.`]: 'There is no picture.' })
    filesIn(contentOf({ bytes: new Uint8Array(), json: undefined, text }), { kind: 'image' })
  })
  expect(cpuMs).toBeLessThan(2000)
})
