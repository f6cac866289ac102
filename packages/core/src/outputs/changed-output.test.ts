import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import type { OutputChange } from '../contracts/plugin/output-change.ts'
import type { ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4, 5])
const outputs = { bytes: { bytes: png }, link: { url: 'https://cdn.test/0' } }
const ways = ['bytes', 'link'] as const

/** A change that adds bytes at the end, and fails after the first piece if it is told to. */
function adding(end: readonly number[], fails = false): OutputChange {
  return (body) =>
    body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          controller.enqueue(piece)
          if (fails) controller.error(new Error('This change is out of order.'))
        },
        flush: (controller) => controller.enqueue(Uint8Array.from(end)),
      }),
    )
}

function changing(name: string, changes: unknown): ServicePlugin {
  return { name, attach: () => ({ changeOutput: () => changes as OutputChange[] }) }
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
  const bytes = new Uint8Array(await new Response(file!.read()).arrayBuffer())
  await service.close()
  expect(output).toEqual({ fileKey: `${id}-0`, contentType: 'image/png', bytes: bytes.byteLength })
  return { id, added: [...bytes.subarray(png.byteLength)], fetches, lines: log.lines }
}

test.each(ways)('an output as %s is stored as the plugins have changed it, in their order', async (way) => {
  const plugins = [
    changing('first', [adding([6]), adding([7])]),
    changing('none', undefined),
    changing('second', [adding([8])]),
  ]
  expect(await stored(way, plugins)).toMatchObject({ added: [6, 7, 8] })
})

test('a plugin gets the job, the place of the output and the type that its bytes show', async () => {
  const seen: unknown[] = []
  const plugin: ServicePlugin = {
    name: 'seeing',
    attach: () => ({ changeOutput: ({ job, ...rest }) => void seen.push({ id: job.id, ...rest }) }),
  }
  const { id } = await stored('link', [plugin])
  expect(seen).toEqual([{ id, index: 0, contentType: 'image/png' }])
})

test.each(ways)(
  'a change of %s that fails is left out, the others are made, and the log names its plugin',
  async (way) => {
    const plugins = [
      changing('good', [adding([6])]),
      changing('bad', [adding([7], true)]),
      changing('last', [adding([8])]),
    ]
    const { id, added, fetches, lines } = await stored(way, plugins)
    expect(added).toEqual([6, 8])
    expect(fetches).toBe(way === 'link' ? 2 : 0)
    expect(lines.filter((line) => line.includes('Output'))).toEqual([
      `Output 0 of job ${id} is stored without the change of the plugin bad: This change is out of order.`,
    ])
  },
)

const wrong: Readonly<Record<string, () => unknown>> = {
  'an error': () => {
    throw new Error('no')
  },
  'a change that throws': () => [
    () => {
      throw new Error('no')
    },
  ],
  'a change that returns no stream': () => [() => 'nonsense'],
  'no list': () => 'nonsense',
  'a promise': () => Promise.reject(new Error('no')),
  'a list without functions': () => [1],
}

test.each(Object.keys(wrong))('a plugin that gives %s costs no output', async (what) => {
  for (const way of ways) {
    const { added, lines } = await stored(way, [
      { name: 'wrong', attach: () => ({ changeOutput: wrong[what] as () => OutputChange[] }) },
      changing('last', [adding([8])]),
    ])
    expect(added).toEqual([8])
    expect(lines.join()).toContain('without the change of the plugin wrong')
  }
})

test('a fetch that breaks off is no fault of a plugin: the next copy is changed', async () => {
  const { added, fetches, lines } = await stored('link', [changing('good', [adding([6])])], 2)
  expect(added).toEqual([6])
  expect(fetches).toBe(3)
  expect(lines.join()).not.toContain('plugin good')
})

test('a change of bytes that hangs is left out after five minutes', async () => {
  const hanging: OutputChange = () => new ReadableStream({ pull: () => new Promise(() => {}) })
  const { create, clock, jobs, log } = fakeWorld(
    { behave: [{ outputs: [outputs.bytes] }] },
    { plugins: [changing('hanging', [hanging])] },
  )
  const { id } = await create()
  await clock.advance(301_000)
  expect(await jobs.get(id)).toMatchObject({ phase: 'completed', outputs: [{ bytes: png.byteLength }] })
  expect(log.lines.join()).toContain('without the change of the plugin hanging')
})
