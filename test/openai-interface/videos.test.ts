import { fakeFile } from '@genmount/testing'
import OpenAI, { toFile } from 'openai'
import { expect, test } from 'vitest'
import { openaiWorld } from './openai-world.ts'

const film = fakeFile('video').bytes
const kite = { model: 'filmer', prompt: 'a kite' }

async function finished(sdk: OpenAI, id: string) {
  for (;;) {
    const video = await sdk.videos.retrieve(id)
    if (video.status === 'completed' || video.status === 'failed') return video
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test("OpenAI's SDK makes a film from a picture, follows it, downloads it whole and in part, and deletes it", async () => {
  const { sdk, origin, service } = await openaiWorld()
  const reference = await toFile(fakeFile('image').bytes, 'a.png', { type: 'image/png' })
  const created = await sdk.videos.create({
    ...kite,
    seconds: '4',
    size: '1280x720',
    input_reference: reference,
  })
  expect(created).toMatchObject({ object: 'video', model: 'filmer', prompt: 'a kite', error: null })
  expect(created).toMatchObject({ seconds: '5', size: '1280x720', remixed_from_video_id: null })
  const done = await finished(sdk, created.id)
  expect(done).toMatchObject({ status: 'completed', progress: 100 })
  expect(done.expires_at).toBeGreaterThan(done.completed_at ?? Infinity)
  const { jobs } = await service.list({ owner: 'alice' })
  expect(jobs[0]!.shownInput).toMatchObject({ duration: 5, aspect_ratio: '16:9', resolution: '720p' })

  const whole = await sdk.videos.downloadContent(done.id)
  expect(new Uint8Array(await whole.arrayBuffer())).toEqual(film)
  const part = await fetch(`${origin}/openai/v1/videos/${done.id}/content`, {
    headers: { authorization: 'Bearer alice-key', range: 'bytes=4-7' },
  })
  expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
  await expect(sdk.videos.downloadContent(done.id, { variant: 'thumbnail' })).rejects.toThrow(
    /404.*no thumbnail/,
  )

  expect(await sdk.videos.delete(done.id)).toEqual({ id: done.id, object: 'video.deleted', deleted: true })
  await expect(sdk.videos.retrieve(done.id)).rejects.toThrow(OpenAI.NotFoundError)
})

test('films are created by JSON too, and a film that is being made is queued or in progress, and can not be deleted', async () => {
  const { sdk, origin } = await openaiWorld()
  const body = { model: 'fake-video', prompt: 'a kite', delay_ms: 60_000, progress: 0.42, seconds: 4 }
  const response = await fetch(`${origin}/openai/v1/videos`, {
    method: 'POST',
    headers: { authorization: 'Bearer alice-key', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { id } = (await response.json()) as { readonly id: string }
  const progress = async () => (await sdk.videos.retrieve(id)).progress
  await expect.poll(progress, { timeout: 30_000 }).toBe(42)
  expect(await sdk.videos.retrieve(id)).toMatchObject({
    status: 'in_progress',
    seconds: '4',
    completed_at: null,
  })
  await expect(sdk.videos.delete(id)).rejects.toThrow(OpenAI.ConflictError)
  await expect(sdk.videos.downloadContent(id)).rejects.toThrow(OpenAI.NotFoundError)
})

test('films are listed in pages, from the newest or from the oldest, and pictures are not among them', async () => {
  const { sdk, client } = await openaiWorld()
  const ids: string[] = []
  for (const _ of [1, 2, 3]) ids.push((await sdk.videos.create(kite)).id)
  await sdk.images.generate({ model: 'painter', prompt: 'a fox' })
  const listed = async (order: 'asc' | 'desc') => {
    const all: string[] = []
    for await (const { id } of sdk.videos.list({ limit: 2, order })) all.push(id)
    return all
  }
  expect(await listed('asc')).toEqual(ids)
  expect(await listed('desc')).toEqual(ids.toReversed())
  expect((await client({ apiKey: 'bob-key' }).videos.list()).data).toEqual([])
})

test('a film that is being made is canceled, and then has failed; a film that has ended says what it has cost', async () => {
  const { sdk, origin } = await openaiWorld()
  const { id } = await sdk.videos.create({ model: 'fake-video', prompt: 'a kite', delay_ms: 60_000 } as never)
  const cancel = (video: string, key: string) =>
    fetch(`${origin}/openai/v1/videos/${video}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    })
  expect((await cancel(id, 'bob-key')).status).toBe(404)
  expect((await cancel(id, 'alice-key')).status).toBe(200)
  expect(await finished(sdk, id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } })
  const film = await sdk.videos.create(kite)
  expect(film).not.toHaveProperty('usage')
  expect(await finished(sdk, film.id)).toMatchObject({
    status: 'completed',
    usage: { cost: expect.any(Number) },
  })
})

test('a film is remixed, edited and extended by a model that takes films, and refused by one that does not', async () => {
  const { sdk, studio } = await openaiWorld()
  const { id } = await finished(sdk, (await sdk.videos.create(kite)).id)
  const remix = await sdk.videos.remix(id, { prompt: 'at night' })
  expect(await finished(sdk, remix.id)).toMatchObject({ status: 'completed', remixed_from_video_id: id })
  expect((await sdk.videos.edit({ prompt: 'in snow', video: { id } })).remixed_from_video_id).toBe(id)
  const extended = await sdk.videos.extend({ prompt: 'and on', video: { id }, seconds: '8' })
  expect(extended.seconds).toBe('10')
  const sent = { prompt: 'a', video: await toFile(film, 'a.mp4', { type: 'video/mp4' }), model: 'filmer' }
  expect((await finished(sdk, (await sdk.videos.edit(sent)).id)).status).toBe('completed')
  expect(studio.submits.length).toBeGreaterThanOrEqual(4)

  const other = await finished(sdk, (await sdk.videos.create({ model: 'fake-video', prompt: 'a' })).id)
  await expect(sdk.videos.remix(other.id, { prompt: 'b' })).rejects.toThrow(
    /400 The model fake-video does not take a film/,
  )
})

test('a film that fails has the error, and one of another owner does not exist', async () => {
  const failure = { code: 'content_policy' as const, message: 'No kites.' }
  const { sdk, client } = await openaiWorld({ studio: { behave: [{ failure }] } })
  const { id } = await sdk.videos.create(kite)
  expect(await finished(sdk, id)).toMatchObject({
    status: 'failed',
    error: { code: 'moderation_blocked', message: expect.stringContaining('No kites.') },
  })
  const other = client({ apiKey: 'bob-key' })
  await expect(other.videos.retrieve(id)).rejects.toThrow(OpenAI.NotFoundError)
  await expect(other.videos.delete(id)).rejects.toThrow(OpenAI.NotFoundError)
})
