import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openaiWorld } from './openai-world.ts'

const slow = { model: 'painter', prompt: 'a fox' }

test.each([false, true])(
  'a client that leaves gives the places of its waits back, with stream: %o',
  async (stream) => {
    const { sdk, service } = await openaiWorld({
      service: { maxWaiters: 2 },
      studio: { behave: [{ delayMs: 60_000 }] },
    })
    for (let round = 0; round < 3; round++) {
      const leave = new AbortController()
      const order = { ...slow, prompt: `fox ${round}`, n: 2, stream }
      const answer = sdk.images.generate(order as never, { signal: leave.signal }).then(async (events) => {
        for await (const event of events as unknown as AsyncIterable<unknown>) void event
      })
      await sleep(400)
      leave.abort()
      await answer.catch(() => {})
      await sleep(200)
      const { jobs } = await service.list({ owner: 'alice', limit: 100 })
      const id = jobs[0]!.id
      const watches = [
        await service.watch(id, 'alice', watcher()),
        await service.watch(id, 'alice', watcher()),
      ]
      for (const end of watches) end()
    }
  },
)

test.each([false, true])(
  'a client that leaves while its jobs are being created takes no place, with stream: %o',
  async (stream) => {
    const { sdk, service } = await openaiWorld({
      service: { maxWaiters: 1, admit: () => sleep(600) },
      studio: { behave: [{ delayMs: 60_000 }] },
    })
    const order = { ...slow, stream }
    const answer = sdk.images.generate(order as never, { signal: AbortSignal.timeout(200) })
    await expect(answer).rejects.toThrow()
    await expect.poll(async () => (await service.list({ owner: 'alice' })).jobs).toHaveLength(1)
    await sleep(300)
    const [job] = (await service.list({ owner: 'alice' })).jobs
    const end = await service.watch(job!.id, 'alice', watcher())
    end()
  },
)

const watcher = () => ({ onChange() {}, onNews() {}, onEnd() {} })
