import { uploads } from '@genmount/core/uploads'
import type { Job, ServicePlugin } from '@genmount/core'
import { fakeFile, refused } from '@genmount/testing'
import { expect, test } from 'vitest'
import { dataUri, uploadWorld } from '../test-kit/upload-world.ts'

const { bytes, contentType } = fakeFile('image')
const output = dataUri(bytes, contentType)
const dayMs = 24 * 3_600_000

test('jobs that refer to outputs of other jobs wait for them, and their providers get the outputs', async () => {
  const { create, inputs, service, inTime } = uploadWorld()
  const first = await create({})
  const second = await create({ image: `job://${first.id}` })
  const third = await create({ images: [`job://${second.id}#0`, `job://${first.id}#0`] })
  expect(second.shownInput).toMatchObject({ image: `job://${first.id}#0` })
  await inTime(async () => expect((await service.get(third.id, 'alice')).phase).toBe('completed'))
  expect(inputs.submits).toEqual([
    { prompt: 'a' },
    { prompt: 'a', image: output },
    { prompt: 'a', images: [output, output] },
  ])
  expect(JSON.stringify(inputs.polls)).not.toMatch(/job:|data:/)
  await service.close()
})

test('a job that waits for an output is claimed by no process and seldom written, and is submitted at most two seconds after the output is stored', async () => {
  const writes: Job[] = []
  const recorder: ServicePlugin = {
    name: 'recorder',
    attach: () => ({ wrote: (job) => writes.push(job) }),
  }
  const plugins = [uploads(), recorder]
  const { create, jobs, clock, inputs, service } = uploadWorld({ plugins }, { delayMs: 120_000 })
  const first = await create({})
  const second = await create({ image: `job://${first.id}` })
  expect(second).toMatchObject({ phase: 'accepted', setback: { why: 'input' } })
  expect(second.startedAt).toBeUndefined()
  while ((await jobs.get(first.id))?.phase !== 'completed') await clock.advance(200)
  const from = clock.now()
  await expect.poll(() => clock.advance(100).then(() => inputs.submits.length)).toBe(2)
  expect(clock.now() - from).toBeLessThanOrEqual(2000)
  const { completedAt = 0 } = (await jobs.get(first.id))!
  const whileWaiting = writes.filter(({ id, updatedAt = 0 }) => id === second.id && updatedAt < completedAt)
  expect(whileWaiting.length).toBeGreaterThan(1)
  expect(whileWaiting.length).toBeLessThan(30)
  expect(
    whileWaiting.filter(({ phase, claim, attempts }) => phase !== 'accepted' || claim || attempts > 0),
  ).toEqual([])
  await service.close()
})

test('those who watch a job that waits for an output learn that another job comes first', async () => {
  const { create, clock, service } = uploadWorld()
  const first = await create({})
  const second = await create({ image: `job://${first.id}` })
  const news: unknown[] = []
  const watcher = { onChange() {}, onNews: (one: unknown) => void news.push(one), onEnd() {} }
  const end = await service.watch(second.id, 'alice', watcher)
  await expect.poll(() => clock.advance(1000).then(() => news)).toContainEqual({ queuePosition: 1 })
  end()
  await service.close()
})

test('the address of an output, which its owner pastes, refers to the output, and addresses of other services stay', async () => {
  const { create, inputs, service, inTime } = uploadWorld()
  const first = await create({})
  const address = `https://app.example/media/v1/files/${first.id}`
  const other = `https://other.example/v1/files/gen_019b7c0104007e791ee7d6f64191b1ab`
  const second = await create({ image: address, images: [`${address}?n=0`, other, `${address}x`] })
  expect(second.shownInput).toEqual({
    prompt: 'a',
    image: `job://${first.id}#0`,
    images: [`job://${first.id}#0`, other, `${address}x`],
  })
  await inTime(() => expect(inputs.submits).toHaveLength(2))
  expect(inputs.submits[1]).toEqual({ prompt: 'a', image: output, images: [output, other, `${address}x`] })
  await service.close()
})

test('unknown, foreign and deleted jobs are refused alike, with the name of the field', async () => {
  const { create, service, inTime, inputs } = uploadWorld()
  const foreign = await create({}, 'bob')
  const deleted = await create({})
  await inTime(async () => expect((await service.get(deleted.id, 'alice')).phase).toBe('completed'))
  await service.delete(deleted.id, 'alice')
  const unknown = 'gen_019b7c0104007e791ee7d6f64191b1ab'
  for (const id of [
    foreign.id,
    deleted.id,
    unknown,
    '',
    `${foreign.id}?x`,
    `${foreign.id}#-1`,
    `${foreign.id}#1.5`,
  ])
    await expect(create({ parts: { first: [`job://${id}`] } }), id).rejects.toMatchObject({
      param: 'parts.first.0',
      code: 'job_not_found',
      message: 'parts.first.0: There is no such job, or it has expired.',
    })
  expect(inputs.submits).toHaveLength(2)
  await service.close()
})

test('an output that a finished job does not have is refused, and so is one of a job that has failed', async () => {
  const { create, service, inTime } = uploadWorld()
  const { id } = await create({})
  await inTime(async () => expect((await service.get(id, 'alice')).phase).toBe('completed'))
  await expect(create({ image: `job://${id}#1` })).rejects.toMatchObject({
    code: 'invalid_request',
    message: `image: The job ${id} has 1 outputs, counted from 0.`,
  })
  const canceled = await create({})
  await service.cancel(canceled.id, 'alice')
  await inTime(async () => expect((await service.get(canceled.id, 'alice')).phase).toBe('failed'))
  await expect(create({ image: `job://${canceled.id}` })).rejects.toMatchObject({
    code: 'invalid_request',
    message: `image: The job ${canceled.id} has failed, so it has no outputs.`,
  })
  await service.close()
})

test.each(['fails', 'is deleted when it has finished', 'has fewer outputs'])(
  'a job that waits for a job which %s, fails with the reason and costs nothing',
  async (end) => {
    const behaviour: { delayMs: number; submit?: ReturnType<typeof refused> } = { delayMs: 30_000 }
    const { create, service, provider, inTime, submitted } = uploadWorld({}, behaviour)
    const first = await create({})
    await submitted()
    // The second job is not taken on before the first one is deleted.
    if (end.startsWith('is deleted')) behaviour.submit = refused()
    const second = await create({ image: `job://${first.id}#${end === 'has fewer outputs' ? 1 : 0}` })
    if (end === 'fails') await service.cancel(first.id, 'alice')
    await inTime(async () => {
      if (end.startsWith('is deleted')) await service.delete(first.id, 'alice').catch(() => {})
      expect(await service.get(second.id, 'alice')).toMatchObject({
        phase: 'failed',
        costUsd: 0,
        error: {
          code: 'input_fetch_failed',
          message: expect.stringContaining(`The input refers to job://${first.id}#`),
        },
      })
    })
    expect(provider.ledger.length).toBeLessThanOrEqual(1)
    await service.close()
  },
)

test('a job whose deadline comes before the output that it needs fails with that reason, and costs nothing', async () => {
  const { create, service, inTime, provider } = uploadWorld({ deadlineMs: 60_000 }, { delayMs: 3_600_000 })
  const first = await create({})
  const second = await create({ image: `job://${first.id}` })
  await inTime(async () =>
    expect(await service.get(second.id, 'alice')).toMatchObject({ phase: 'failed', costUsd: 0 }),
  )
  const { error } = await service.get(second.id, 'alice')
  expect(
    error?.code === 'input_fetch_failed' || error?.message.includes('the job whose output it needs'),
  ).toBe(true)
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('an output that expires before the deadline of the job is refused', async () => {
  const { create, service, clock, inTime } = uploadWorld({ retentionDays: 1, deadlineMs: dayMs / 2 })
  const { id } = await create({})
  await inTime(async () => expect((await service.get(id, 'alice')).phase).toBe('completed'))
  await clock.advance(dayMs / 2)
  await expect(create({ image: `job://${id}` })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'image',
  })
  await service.close()
})

test('the schema of a model sees a picture or a film for an output that is not there yet', async () => {
  const { create, service } = uploadWorld()
  const { id } = await create({})
  await create({ image: `job://${id}` }, 'alice', 'strict')
  await service.close()
})

test('a provider reads the output of another job under the link of the input, where it gets links', async () => {
  const { create, inputs, service, inTime } = uploadWorld({
    plugins: [uploads({ baseUrl: 'https://app.example' })],
  })
  const first = await create({})
  await create({ image: `job://${first.id}` })
  await inTime(() => expect(inputs.submits).toHaveLength(2))
  const { image } = inputs.submits[1] as { readonly image: string }
  const [, job, token, name] =
    /^https:\/\/app\.example\/v1\/inputs\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(image) ?? []
  const opened = await service.uploads?.openInput(job!, token!, name!)
  expect(opened?.owner).toBe('alice')
  expect(await new Response(opened?.file.read()).bytes()).toEqual(bytes)
  expect(await service.uploads?.openInput(job!, token!, `x${name!}`)).toBeUndefined()
  await service.close()
})

test('a provider gets the link of the vendor for an output that only the vendor keeps', async () => {
  const { create, inputs, service, inTime } = uploadWorld(
    {},
    { delayMs: 1000, outputs: [{ url: 'https://cdn.example/a.png' }] },
  )
  const first = await create({})
  const second = await create({ image: `job://${first.id}` })
  await inTime(async () => expect((await service.get(second.id, 'alice')).phase).toBe('completed'))
  expect(inputs.submits[1]).toEqual({ prompt: 'a', image: 'https://cdn.example/a.png' })
  await create({ image: `job://${first.id}#0` })
  await inTime(() => expect(inputs.submits).toHaveLength(3))
  expect(inputs.submits[2]).toEqual({ prompt: 'a', image: 'https://cdn.example/a.png' })
  await service.close()
})

test('a job is submitted at most 5 seconds after another process has stored the output that it needs', async () => {
  const { create, jobs, clock, provider, service, serviceOver, files } = uploadWorld({}, { delayMs: 60_000 })
  const other = serviceOver({ plugins: [uploads()], files })
  const first = await create({})
  const order = { owner: 'alice', model: 'loose', input: { prompt: 'b', image: `job://${first.id}` } }
  const { job: second } = await other.create(order)
  while ((await jobs.get(first.id))?.phase !== 'completed') await clock.advance(200)
  const from = clock.now()
  await expect.poll(() => clock.advance(100).then(() => provider.ledger.length)).toBe(2)
  expect(clock.now() - from).toBeLessThanOrEqual(5000)
  await expect
    .poll(async () => (await clock.advance(5000), (await other.get(second.id, 'alice')).phase))
    .toBe('completed')
  await Promise.all([service.close(), other.close()])
})
