import { expect, test } from 'vitest'
import { falKey, falRoute, isFor } from './fal-fake.ts'
import { falFake, falWorld, pictureTask, providerAt, untroubled } from './fal-world.ts'

test('a fal job that is running when its process ends is finished by the next process and submitted once', async () => {
  const { fake, job, service, restart, create, finished } = await falWorld()
  fake.taskDefaults.pollsLeft = 3
  const id = await create({ prompt: 'a fox runs', duration: 5 }, 'kling-video')
  await finished(id, ({ phase }) => phase === 'running')
  await service.close()

  const { requestId } = fake.ledger[0]!
  const request = `https://queue.fal.run/fal-ai/kling-video/requests/${requestId}`
  expect((await job(id)).handle).toEqual({
    id: requestId,
    request_id: requestId,
    status_url: `${request}/status`,
    response_url: request,
    cancel_url: `${request}/cancel`,
  })

  restart()
  expect(await finished(id)).toMatchObject({
    phase: 'completed',
    outputs: [{ url: 'https://v3.fal.media/files/rabbit/film.mp4', contentType: 'video/mp4' }],
    costUsd: 0.35,
    inferenceMs: 1500,
  })
  expect(fake.ledger).toHaveLength(1)
})

test('the fal provider does not follow links that lead away from the queue of fal', async () => {
  const { fake, create, finished } = await falWorld()
  const links = {
    status_url: 'https://evil.example/status',
    response_url: 'https://me:pw@queue.fal.run/x',
    cancel_url: 'javascript:alert(1)',
  }
  fake.trouble(isFor('submit'), { after: ({ json }) => ({ json: { ...(json as object), ...links } }) })
  const id = await create()
  const { handle } = await finished(id, ({ phase }) => phase === 'running')
  const requestId = fake.ledger[0]?.requestId
  expect(handle).toEqual({ id: requestId, request_id: requestId })
  expect(await finished(id)).toMatchObject({ phase: 'completed', costUsd: 0.003 })
})

test('the fal provider does not send its key to another host of a changed handle', async () => {
  const fake = await falFake()
  const provider = providerAt(fake)
  await provider.submit(pictureTask, untroubled)
  const handle = { request_id: fake.ledger[0]!.requestId, status_url: 'https://rest.fal.ai/status' }
  await provider.poll({ ...pictureTask, handle }, untroubled)
  expect(fake.requests.map(({ url }) => url.host)).toEqual(['queue.fal.run', 'queue.fal.run'])
})

test('the fal provider cancels a request at its cancel URL, also twice or too late', async () => {
  const fake = await falFake()
  fake.taskDefaults.pollsLeft = 5
  const provider = providerAt(fake)
  const begun = await provider.submit(pictureTask, untroubled)
  if (begun.state !== 'running') throw new Error('expected a running task')
  const running = { ...pictureTask, handle: begun.handle }
  await provider.cancel?.(running, untroubled)
  await provider.cancel?.(running, untroubled)
  expect(await provider.poll(running, untroubled)).toMatchObject({ state: 'failed', code: 'provider_failed' })
  fake.forget()
  await provider.cancel?.(running, untroubled)
  const cancels = fake.requests.filter((request) => falRoute(request) === 'cancel')
  expect(cancels.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'PUT'])
  expect(cancels[0]?.headers['authorization']).toBe(`Key ${falKey}`)
})
