import type { JobNews } from '@genmount/core'
import { expect, test, vi } from 'vitest'
import { token } from './comfyui-cases.ts'
import { comfyuiWorld, type WorldOptions } from './comfyui-world.ts'
import type { Client } from './fake-sockets.ts'

/** As JPEG files begin, with `size` bytes. */
export const jpeg = (size = 500) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(size)])

/** A world whose first job runs in ComfyUI, and is watched. */
async function watchedWorld(options: WorldOptions = {}) {
  const world = await comfyuiWorld(options)
  const { sockets } = world.comfyui
  const heard: JobNews[] = []
  const { service } = world
  const watch = async (id: string, watcher: { onNews(news: JobNews): void } = { onNews() {} }) =>
    service.watch(id, 'alice', { onChange() {}, onEnd() {}, ...watcher })
  /** Waits until it is so, while the clock of the service moves on. */
  const soon = (isSo: () => void) =>
    vi.waitFor(
      async () => {
        await world.clock.advance(300)
        isSo()
      },
      { timeout: 60_000, interval: 20 },
    )
  const begin = async () => {
    const id = await world.create()
    const end = await watch(id, { onNews: (news) => void heard.push(news) })
    await world.becomes(() => world.comfyui.ledger.length > 0)
    return { id, end }
  }
  return { ...world, service, sockets, heard, watch, soon, begin }
}

const running = (value: number, max = 20) => ({ value, max, state: 'running' }) as const
const done = { value: 1, max: 1, state: 'finished' } as const

test('who watches a ComfyUI job receives its progress over all nodes and steps, and previews', async () => {
  const { comfyui, sockets, heard, begin, finished, soon } = await watchedWorld()
  const { id } = await begin()
  await soon(() => expect(sockets.opened).toHaveLength(1))
  // The workflow has a sampler of 20 steps and six other nodes, of which three come before the sampler.
  comfyui.progress({ '4': running(0, 1) })
  await soon(() => expect(heard).toEqual([{ progress: 0 }]))
  comfyui.progress({ '4': done, '5': done, '6': done, '7': done, '3': running(10) }, jpeg())
  await soon(() => expect(heard).toHaveLength(2))
  expect(heard[1]).toEqual({
    progress: 14 / 26,
    preview: { bytes: new Uint8Array(jpeg()), contentType: 'image/jpeg' },
  })
  comfyui.finish()
  expect(await finished(id)).toMatchObject({ phase: 'completed' })
  await soon(() => expect(sockets.open).toBe(0))
})

test('the progress of a ComfyUI job counts cached nodes as done, also for who connects late', async () => {
  const { comfyui, sockets, heard, begin, soon } = await watchedWorld()
  await begin()
  await soon(() => expect(sockets.open).toBe(1))
  comfyui.progress({ '3': running(10) })
  await soon(() => expect(heard).toEqual([{ progress: 14 / 26 }]))
})

test('the watcher of a ComfyUI job receives news at most twice a second', async () => {
  const { comfyui, sockets, heard, begin, clock, soon } = await watchedWorld()
  await begin()
  await soon(() => expect(sockets.open).toBe(1))
  const from = performance.now()
  for (let step = 1; step <= 100; step++) {
    comfyui.progress({ '3': running(step, 100) }, jpeg(step))
    await clock.advance(10)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await soon(() => expect(heard.at(-1)?.preview?.bytes.length).toBe(104))
  expect(heard.length).toBeLessThanOrEqual(2 + (performance.now() - from) / 500)
})

test('the comfyui provider opens no WebSocket for a task that nobody watches or that waits in the queue', async () => {
  const { comfyui, sockets, begin, create, watch, becomes, soon } = await watchedWorld()
  const { end } = await begin()
  const second = await create()
  await becomes(() => comfyui.ledger.length === 2)
  await watch(second)
  // The first poll of the second job says that it waits.
  await soon(() => expect(sockets.opened.length - sockets.open).toBe(1))
  end()
  await soon(() => expect(sockets.open).toBe(0))
  comfyui.finish()
  await soon(() => expect(sockets.open).toBe(1))
  expect(sockets.opened.at(-1)?.clientId).toBe(comfyui.ledger[1])
  expect(sockets.opened.length).toBeLessThanOrEqual(3)
})

test('the WebSocket to ComfyUI is opened with the token of the proxy and without Origin', async () => {
  const { sockets, begin, soon } = await watchedWorld()
  sockets.authorization = `Bearer ${token}`
  await begin()
  await soon(() => expect(sockets.opened).toHaveLength(1))
  expect(sockets.opened[0]?.headers).not.toHaveProperty('origin')
})

test('a WebSocket to ComfyUI that breaks is opened again, and the progress goes on', async () => {
  const { comfyui, sockets, heard, begin, becomes, soon } = await watchedWorld()
  await begin()
  await soon(() => expect(sockets.open).toBe(1))
  comfyui.progress({ '6': running(0, 1), '3': running(0) })
  await soon(() => expect(heard).toEqual([{ progress: 4 / 26 }]))
  sockets.cut()
  await becomes(() => sockets.opened.length === 2)
  comfyui.progress({ '3': running(20) })
  await soon(() => expect(heard.at(-1)).toEqual({ progress: 24 / 26 }))
})

test.each(['refused', 'silent', 'broken'] as const)(
  'a ComfyUI job completes although its WebSocket is %s, which is not retried again and again',
  async (fault) => {
    const { comfyui, sockets, begin, finished, becomes, service, soon } = await watchedWorld()
    sockets.fault = fault
    const { id } = await begin()
    await soon(() => expect(sockets.asked).toBeGreaterThan(0))
    const polls = comfyui.requests.length
    await becomes(() => comfyui.requests.length > polls + 20)
    expect(sockets.asked).toBeLessThanOrEqual(3)
    comfyui.finish()
    expect(await finished(id)).toMatchObject({ phase: 'completed' })
    await service.close()
    await soon(() => expect(sockets.open).toBe(0))
  },
)

const floods: readonly (readonly [string, (client: Client) => void])[] = [
  [
    'a message of a gigabyte',
    ({ socket }) => socket.write(Buffer.from([0x82, 127, 0, 0, 0, 0, 0x40, 0, 0, 0])),
  ],
  ['ten megabytes in a second', ({ client }) => times(20, () => client.send(Buffer.alloc(500_000)))],
  ['thousands of messages in a second', ({ client }) => times(5000, () => client.send('{}'))],
  ['what is no WebSocket', ({ socket }) => socket.write('HTTP/1.1 200 OK\r\n\r\n'.repeat(50))],
]

function times(count: number, send: () => void): void {
  for (let sent = 0; sent < count; sent++) send()
}

test.each(floods)(
  'the comfyui provider closes a WebSocket that sends %s, and the job completes',
  async (_what, flood) => {
    const { comfyui, sockets, begin, finished, becomes, soon } = await watchedWorld()
    const { id } = await begin()
    await soon(() => expect(sockets.open).toBe(1))
    sockets.clients().forEach(flood)
    await soon(() => expect(sockets.open).toBe(0))
    const polls = comfyui.requests.length
    await becomes(() => comfyui.requests.length > polls + 20)
    expect(sockets.opened).toHaveLength(1)
    comfyui.finish()
    expect(await finished(id)).toMatchObject({ phase: 'completed' })
  },
)

test('the watcher of a ComfyUI job never receives a preview of another job or one that is no picture', async () => {
  const { comfyui, sockets, heard, begin, soon } = await watchedWorld()
  await begin()
  await soon(() => expect(sockets.open).toBe(1))
  const [own = ''] = comfyui.ledger
  // ComfyUI sends what happens to a prompt without a client id to all who are connected.
  sockets.sendPreview(jpeg(), { prompt_id: 'foreign' })
  sockets.sendPreview(jpeg(), { prompt_id: 'foreign' }, own)
  sockets.sendPreview(Buffer.from('<svg onload="alert(1)">'), { prompt_id: own }, own)
  sockets.send('progress_state', { prompt_id: 'foreign', nodes: { '3': running(20) } })
  sockets.send('execution_success', { prompt_id: own }, own)
  await new Promise((resolve) => setTimeout(resolve, 600))
  sockets.send('progress_state', { prompt_id: own, nodes: { '3': running(10) } }, own)
  await soon(() => expect(heard).toEqual([{ progress: 14 / 26 }]))
})

test.each<[string, unknown]>([
  ['nodes that are none', { nodes: 5 }],
  ['a node that the workflow does not have', { nodes: { '99.1': running(10) } }],
  ['figures that are none', { nodes: { '4': { value: 'a', max: null } } }],
])('a message of ComfyUI with %s does not raise the progress', async (_what, data) => {
  const { comfyui, sockets, heard, begin, soon } = await watchedWorld()
  await begin()
  await soon(() => expect(sockets.open).toBe(1))
  const [own = ''] = comfyui.ledger
  sockets.send('progress_state', { prompt_id: own, ...(data as object) }, own)
  await soon(() => expect(heard).toEqual([{ progress: 0 }]))
})

test('a comfyui provider with the option fetch opens no WebSocket', async () => {
  const { comfyui, sockets, begin, finished, becomes } = await watchedWorld({
    provider: { fetch: globalThis.fetch },
  })
  const { id } = await begin()
  const polls = comfyui.requests.length
  await becomes(() => comfyui.requests.length > polls + 5)
  expect(sockets.asked).toBe(0)
  comfyui.finish()
  expect(await finished(id)).toMatchObject({ phase: 'completed' })
})

test.each([undefined, 'taesd', 'none'] as const)(
  'ComfyUI is asked for previews as previewMethod says: %s',
  async (method) => {
    const provider = method === undefined ? {} : { previewMethod: method }
    const { comfyui, begin } = await watchedWorld({ provider })
    await begin()
    const queue = await (await fetch(`${comfyui.origin}/queue`)).json()
    expect(queue).toMatchObject({
      queue_running: [[0, comfyui.ledger[0], {}, { preview_method: method ?? 'auto' }, ['9']]],
    })
  },
)
