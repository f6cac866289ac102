import { runpodProvider } from '@genmount/provider-runpod'
import runpodSdk from 'runpod-sdk'
import { expect, onTestFinished, test } from 'vitest'
import { film, runpodKey as token, startRunpod } from './runpod-fake.ts'
import { runpodModels } from './runpod-models.ts'

// Runpod's own SDK before the same fake: what the fake takes for Runpod is no fantasy.

const endpointId = 'wan-2-6-t2v'
const body = {
  input: { prompt: 'a fox', duration: 5 },
  policy: { executionTimeout: 900_000, ttl: 3_600_000 },
}

async function sdkAndFake() {
  const runpod = await startRunpod({ polls: 2 })
  onTestFinished(runpod.close)
  const endpoint = runpodSdk(token, { baseUrl: runpod.baseUrl }).endpoint(endpointId)
  if (!endpoint) throw new Error('The SDK makes no endpoint.')
  return { endpoint, ...runpod }
}

test("Runpod's own SDK starts a task, follows it and has its output", async () => {
  const { endpoint, ledger } = await sdkAndFake()
  const { id } = await endpoint.run(body)
  expect(ledger).toMatchObject([{ id, endpoint: endpointId, body }])
  expect(await endpoint.status(id)).toMatchObject({ status: 'IN_QUEUE', completed: false })
  expect(await endpoint.status(id)).toMatchObject({ status: 'IN_PROGRESS', completed: false })
  expect(await endpoint.status(id)).toMatchObject({
    status: 'COMPLETED',
    succeeded: true,
    output: { video_url: film },
  })
})

test("Runpod's own SDK cancels a task, and takes it for ended", async () => {
  const { endpoint } = await sdkAndFake()
  const { id } = await endpoint.run(body)
  expect(await endpoint.cancel(id)).toMatchObject({ id, status: 'CANCELLED' })
  expect(await endpoint.status(id)).toMatchObject({ completed: true, succeeded: false })
})

test("the runpod provider sends the same request as Runpod's SDK", async () => {
  const { endpoint, ledger, baseUrl, requests } = await sdkAndFake()
  await endpoint.run(body)
  const provider = runpodProvider({ token, baseUrl, models: { film: runpodModels.film } })
  const { signal } = new AbortController()
  await provider.submit({ jobId: 'j', model: 'film', input: body.input, clientToken: 't' }, { signal })
  const [theirs, own] = ledger.map(({ path, body }) => ({ path, body }))
  expect(own).toEqual(theirs)
  const [key, ownKey] = requests.map(({ headers }) => headers['authorization'])
  expect(ownKey).toBe(key)
})
