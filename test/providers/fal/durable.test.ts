import { expect, test } from 'vitest'
import { falKey } from './fal-fake.ts'
import { changing } from './fal-faults.ts'
import { falFake, falWorld, pictureTask, providerAt, untroubled } from './fal-world.ts'

test('a job that is running when its process ends is finished by the next, and submitted once', async () => {
  const { fake, jobs, service, startService, create, until, end } = await falWorld()
  fake.taskDefaults.pollsLeft = 3
  const id = await create({ prompt: 'a fox runs', duration: 5 }, 'kling-video')
  await until(({ phase }) => phase === 'running', id)
  await service.close()

  const { requestId } = fake.ledger[0]!
  const request = `https://queue.fal.run/fal-ai/kling-video/requests/${requestId}`
  expect((await jobs.get(id))?.handle).toEqual({
    request_id: requestId,
    status_url: `${request}/status`,
    response_url: request,
    cancel_url: `${request}/cancel`,
  })

  startService().start()
  expect(await end(id)).toMatchObject({
    phase: 'completed',
    outputs: [{ url: 'https://v3.fal.media/files/rabbit/film.mp4', contentType: 'video/mp4' }],
    costUsd: 0.35,
    inferenceMs: 1500,
  })
  expect(fake.ledger).toHaveLength(1)
})

test('links that lead away from the queue are not followed, and the request is found without them', async () => {
  const { fake, jobs, create, end, until } = await falWorld()
  fake.intercept.submit = changing(({ json }) => ({
    ...(json as object),
    status_url: 'https://evil.example/status',
    response_url: 'https://me:pw@queue.fal.run/x',
    cancel_url: 'javascript:alert(1)',
  }))
  const id = await create()
  const { handle } = await until(({ phase }) => phase === 'running', id)
  expect(handle).toEqual({ request_id: fake.ledger[0]?.requestId })
  expect(await end(id)).toMatchObject({ phase: 'completed' })
  expect(await jobs.get(id)).toMatchObject({ costUsd: 0.003 })
})

test('a stored handle that was tampered with does not take the key elsewhere', async () => {
  const fake = await falFake()
  const provider = providerAt(fake)
  await provider.submit(pictureTask, untroubled)
  const handle = { request_id: fake.ledger[0]!.requestId, status_url: 'https://rest.fal.ai/status' }
  await provider.poll({ ...pictureTask, handle }, untroubled)
  expect(fake.requests.map(({ url }) => new URL(url).host)).toEqual(['queue.fal.run', 'queue.fal.run'])
})

test('a cancelled request is told to fal by its cancel address, and twice or too late does no harm', async () => {
  const fake = await falFake()
  fake.taskDefaults.pollsLeft = 5
  const provider = providerAt(fake)
  const begun = await provider.submit(pictureTask, untroubled)
  if (begun.state !== 'running') throw new Error('expected a running task')
  const running = { ...pictureTask, handle: begun.handle }
  await provider.cancel?.(running, untroubled)
  await provider.cancel?.(running, untroubled)
  expect(await provider.poll(running, untroubled)).toMatchObject({ state: 'failed', code: 'provider_failed' })
  fake.forget(fake.ledger[0]!.requestId)
  await provider.cancel?.(running, untroubled)
  const cancels = fake.requests.filter(({ route }) => route === 'cancel')
  expect(cancels.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'PUT'])
  expect(cancels[0]?.headers['authorization']).toBe(`Key ${falKey}`)
})
