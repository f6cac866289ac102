import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import type { OutputReading } from '../contracts/plugin/output-change.ts'
import type { ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4, 5])
const outputs = { bytes: { bytes: png }, link: { url: 'https://cdn.test/0' } }
const ways = ['bytes', 'link'] as const

function reading(readOutput: () => unknown): ServicePlugin {
  return { name: 'reader', attach: () => ({ readOutput: readOutput as () => OutputReading }) }
}

/** Counts the bytes of a file, and keeps the last of them. */
function counting(): OutputReading {
  let [count, last] = [0, 0]
  return {
    read(bytes) {
      count += bytes.byteLength
      last = bytes.at(-1) ?? last
    },
    facts: async () => ({ count, last }),
  }
}

/** Adds a byte at the end of each output. */
const adding: ServicePlugin = {
  name: 'adding',
  attach: () => ({
    changeOutput: () => [
      (body) =>
        body.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            flush: (controller) => controller.enqueue(Uint8Array.of(9)),
          }),
        ),
    ],
  }),
}

/** Lets a service with these plugins store an output. @param broken how many of the first fetches break off */
async function stored(way: 'bytes' | 'link', plugins: readonly ServicePlugin[], broken = 0) {
  let fetches = 0
  const fetch = async () => {
    const isBroken = fetches++ < broken
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(png),
      pull: (controller) =>
        isBroken ? controller.error(new Error('The server is gone.')) : controller.close(),
    })
    return { body }
  }
  const files = { ...memoryFileStore(), fetch }
  const { create, clock, jobs, log, service } = fakeWorld(
    { behave: [{ outputs: [outputs[way]] }] },
    { files, plugins },
  )
  const { id } = await create()
  await clock.advance(60_000)
  const [output] = (await jobs.get(id))!.outputs
  const file = await files.open?.(output!.fileKey!)
  const bytes = [...new Uint8Array(await new Response(file!.read()).arrayBuffer())]
  await service.close()
  return { id, output: output!, bytes, fetches, lines: log.lines }
}

test.each(ways)(
  'a job keeps what a plugin has read of an output as %s, after the changes of all plugins',
  async (way) => {
    const { output, bytes } = await stored(way, [reading(counting), adding])
    expect(bytes).toEqual([...png, 9])
    expect(output).toMatchObject({ bytes: 14, facts: { count: 14, last: 9 } })
  },
)

test('an output that no plugin reads has no facts, nor has one of which a plugin says nothing', async () => {
  for (const plugin of [adding, reading(() => undefined), reading(() => ({ read() {}, facts() {} }))])
    expect((await stored('bytes', [plugin])).output).not.toHaveProperty('facts')
})

test('a copy that breaks off is read again from its beginning', async () => {
  const { output, fetches } = await stored('link', [reading(counting)], 2)
  expect(fetches).toBe(3)
  expect(output.facts).toEqual({ count: png.byteLength, last: 5 })
})

const no = () => {
  throw new Error('no')
}
const wrong: Readonly<Record<string, () => unknown>> = {
  'that throws': no,
  'that returns a promise': () => Promise.reject(new Error('no')),
  'that returns nonsense': () => 'nonsense',
  'without functions': () => ({}),
  'whose read throws': () => ({ read: no, facts: () => ({}) }),
  'whose read rejects': () => ({ read: () => Promise.reject(new Error('no')), facts: () => ({}) }),
  'whose read hangs': () => ({ read: () => new Promise(() => {}), facts: () => ({}) }),
  'whose facts throw': () => ({ read() {}, facts: no }),
  'whose facts hang': () => ({ read() {}, facts: () => new Promise(() => {}) }),
  'whose facts are no object': () => ({ read() {}, facts: () => [1] }),
  'whose facts are no JSON': () => ({ read() {}, facts: () => ({ size: 1n }) }),
}

test.each(Object.keys(wrong))('a plugin %s costs no output, and the log names it', async (what) => {
  for (const way of ways) {
    const { id, output, bytes, fetches, lines } = await stored(way, [adding, reading(wrong[what]!)])
    expect(bytes).toEqual([...png, 9])
    expect(output).toEqual({ fileKey: `${id}-0`, contentType: 'image/png', bytes: 14 })
    expect(fetches).toBe(way === 'link' ? 1 : 0)
    expect(lines.join()).toContain(`Output 0 of job ${id} is stored without the facts of the plugin reader`)
  }
})

test('two plugins that read outputs are refused when the service is made', () => {
  const second = { ...reading(counting), name: 'second' }
  expect(() => fakeWorld({}, { plugins: [reading(counting), second] }).service).toThrow(
    'the plugins reader and second both have a function readOutput',
  )
})
