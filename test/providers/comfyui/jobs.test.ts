import { fakeFile } from '@genmount/testing'
import { expect, test } from 'vitest'
import { served } from '../../served.ts'
import { imageToVideo } from './comfyui-shapes.ts'
import { comfyuiWorld } from './comfyui-world.ts'

const picture = fakeFile('image', 2).bytes
const film = fakeFile('video', 2).bytes
const pictureUri = `data:image/png;base64,${Buffer.from(picture).toString('base64')}`

async function servedPicture(status = 200) {
  const origin = await served((_request, response) => response.writeHead(status).end(picture))
  return `${origin}/fox.png`
}

test('a ComfyUI job runs the workflow with its inputs in the named nodes, and its files are stored', async () => {
  const { comfyui, service, create, finished } = await comfyuiWorld({ runMs: 5 })
  const input = { prompt: 'a fox', seed: 7, num_outputs: 3, aspect_ratio: '16:9' }
  const job = await finished(await create(input))
  const workflow = comfyui.workflows.get(comfyui.ledger[0]!)
  expect(workflow?.['6']?.inputs).toEqual({ clip: ['4', 1], text: 'a fox' })
  expect(workflow?.['3']?.inputs).toMatchObject({ seed: 7, steps: 20, model: ['4', 0] })
  expect(workflow?.['5']?.inputs).toEqual({ batch_size: 3, width: 912, height: 512 })
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.12, inferenceMs: 2500 })
  const kept = await Promise.all(job.outputs.map(({ fileKey }) => service.files.open?.(fileKey!)))
  expect(kept.map((file) => file?.contentType)).toEqual(['image/png', 'image/png', 'image/png'])
})

test('each ComfyUI job without a seed gets a random seed', async () => {
  const { comfyui, create, finished } = await comfyuiWorld({ runMs: 5 })
  for (let i = 0; i < 3; i++) await finished(await create())
  const seeds = [...comfyui.workflows.values()].map((workflow) => workflow['3']?.inputs['seed'])
  expect(new Set(seeds).size).toBe(3)
  for (const seed of seeds) expect(Number.isSafeInteger(seed)).toBe(true)
})

test.each<[string, () => string | Promise<string>]>([
  ['a data URI', () => pictureUri],
  ['a URL', () => servedPicture()],
])('a picture given as %s is uploaded to ComfyUI, and the workflow names it', async (_how, given) => {
  const { comfyui, create, finished } = await comfyuiWorld({
    runMs: 5,
    provider: { allowAddress: (address) => address === '127.0.0.1' },
  })
  const created = await create({ image: await given(), duration: 2 }, 'comfy-video')
  expect(await finished(created)).toMatchObject({ phase: 'completed', costUsd: 0.25 })
  const [[name, bytes]] = [...comfyui.inputFiles] as [[string, Uint8Array]]
  expect(Buffer.from(bytes).equals(picture)).toBe(true)
  const workflow = comfyui.workflows.get(comfyui.ledger[0]!)
  expect([workflow?.['1']?.inputs['image'], workflow?.['5']?.inputs['length']]).toEqual([name, 33])
})

test('a film and a mask are uploaded to ComfyUI for the nodes that load them', async () => {
  const workflow = {
    ...imageToVideo,
    '1': { class_type: 'LoadVideo', inputs: { file: 'example.mp4' } },
    '3': { class_type: 'LoadImageMask', inputs: { image: 'example.png', channel: 'alpha' } },
  }
  const inputs = {
    prompt: { node: '2', field: 'text' },
    video: { node: '1', field: 'file' },
    mask: { node: '3', field: 'image' },
  }
  const models = { edit: { workflow, outputKind: 'video' as const, inputs } }
  const { comfyui, create, finished } = await comfyuiWorld({ runMs: 5, provider: { models } })
  const video = `data:video/mp4;base64,${Buffer.from(film).toString('base64')}`
  expect(await finished(await create({ video, mask: pictureUri }, 'edit'))).toMatchObject({
    phase: 'completed',
  })
  const sent = comfyui.workflows.get(comfyui.ledger[0]!)
  const names = [sent?.['1']?.inputs['file'], sent?.['3']?.inputs['image']].map(String)
  expect(names).toEqual([expect.stringMatching(/\.mp4$/), expect.stringMatching(/\.png$/)])
  expect(names.map((name) => Buffer.from(comfyui.inputFiles.get(name) ?? []))).toEqual([
    Buffer.from(film),
    Buffer.from(picture),
  ])
  await expect(create({ video: pictureUri, mask: pictureUri }, 'edit')).rejects.toMatchObject({
    param: 'video',
  })
})

/** A recording without sound: the header of a WAV file of no samples. */
const recording = Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0', 'latin1')

/** `LoadAudio` of comfy_extras/nodes_audio.py at 3fa38fd9 (read in November 2026). */
test('each picture of a list goes to one LoadImage node of ComfyUI, and a recording to LoadAudio', async () => {
  const load = { class_type: 'LoadImage', inputs: { image: 'example.png' } }
  const workflow = {
    ...imageToVideo,
    '1': load,
    '3': load,
    '6': { class_type: 'LoadAudio', inputs: { audio: 'example.mp3' } },
    '7': { class_type: 'BatchOfTwo', inputs: { first: ['1', 0], second: ['3', 0] } },
  }
  const inputs = {
    prompt: { node: '2', field: 'text' },
    reference_images: [
      { node: '1', field: 'image' },
      { node: '3', field: 'image' },
    ],
    audio: { node: '6', field: 'audio' },
  }
  const models = { sing: { workflow, outputKind: 'video' as const, inputs } }
  const { comfyui, create, finished } = await comfyuiWorld({ runMs: 5, provider: { models } })
  const other = fakeFile('image', 3).bytes
  const reference_images = [picture, other].map(
    (bytes) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`,
  )
  const audio = `data:audio/x-wav;base64,${recording.toString('base64')}`
  expect(await finished(await create({ reference_images, audio }, 'sing'))).toMatchObject({
    phase: 'completed',
  })
  const sent = comfyui.workflows.get(comfyui.ledger[0]!)
  const names = [sent?.['1']?.inputs['image'], sent?.['3']?.inputs['image'], sent?.['6']?.inputs['audio']]
  expect(names.map((name) => Buffer.from(comfyui.inputFiles.get(String(name)) ?? []))).toEqual([
    Buffer.from(picture),
    Buffer.from(other),
    recording,
  ])
  expect(names[2]).toMatch(/\.wav$/)
  const three = [...reference_images, reference_images[0]]
  await expect(create({ reference_images: three, audio }, 'sing')).rejects.toMatchObject({
    param: 'reference_images',
  })
  await expect(create({ audio: reference_images[0] }, 'sing')).rejects.toMatchObject({
    param: 'audio',
  })
})

test('a list with fewer pictures than nodes leaves the other nodes of the workflow unchanged', async () => {
  const load = (image: string) => ({ class_type: 'LoadImage', inputs: { image } })
  const workflow = { ...imageToVideo, '1': load('one.png'), '3': load('two.png') }
  const image = [
    { node: '1', field: 'image', type: 'images' as const },
    { node: '3', field: 'image' },
  ]
  const inputs = { prompt: { node: '2', field: 'text' }, image }
  const models = { pair: { workflow, outputKind: 'video' as const, inputs } }
  const { comfyui, create, finished } = await comfyuiWorld({ runMs: 5, provider: { models } })
  await fetch(`${comfyui.origin}/upload/image`, { method: 'POST', body: formWith(picture, 'two.png') })
  expect(await finished(await create({ image: pictureUri }, 'pair'))).toMatchObject({
    phase: 'completed',
  })
  const sent = comfyui.workflows.get(comfyui.ledger[0]!)
  expect(sent?.['1']?.inputs['image']).toMatch(/^genmount-/)
  expect(sent?.['3']?.inputs['image']).toBe('two.png')
})

function formWith(bytes: Uint8Array<ArrayBuffer>, name: string): FormData {
  const form = new FormData()
  form.append('image', new Blob([bytes]), name)
  return form
}

test('a ComfyUI job whose picture cannot be fetched fails without a request to ComfyUI', async () => {
  const { comfyui, create, finished } = await comfyuiWorld({ runMs: 5 })
  const inside = await create({ image: await servedPicture() }, 'comfy-video')
  expect((await finished(inside)).error?.code).toBe('input_fetch_failed')
  expect(comfyui.requests).toEqual([])
})

test('a picture that several jobs use is one file in ComfyUI', async () => {
  const { comfyui, create, finished } = await comfyuiWorld({ runMs: 5 })
  for (let i = 0; i < 2; i++) await finished(await create({ image: pictureUri }, 'comfy-video'))
  expect(comfyui.inputFiles.size).toBe(1)
})

test('a job at its deadline is interrupted or removed from the queue of ComfyUI, and no other job is', async () => {
  const { comfyui, create, becomes, finished } = await comfyuiWorld({ service: { deadlineMs: 60_000 } })
  const running = await create()
  await becomes(() => comfyui.ledger.length === 1)
  const waiting = await create()
  await becomes(() => comfyui.ledger.length === 2)
  const prompt = comfyui.workflows.get(comfyui.ledger[0]!)
  await fetch(`${comfyui.origin}/prompt`, { method: 'POST', body: JSON.stringify({ prompt }) })
  for (const job of [running, waiting]) expect((await finished(job)).error?.code).toBe('deadline_exceeded')
  await becomes(() => comfyui.interrupts > 0)
  const queue = (await (await fetch(`${comfyui.origin}/queue`)).json()) as Record<string, unknown[][]>
  const ids = Object.values(queue).map((list) => list.map((entry) => entry[1]))
  expect(ids).toEqual([[comfyui.ledger[2]], []])
})

test('a job whose task is interrupted in ComfyUI fails as provider_failed', async () => {
  const { comfyui, create, becomes, finished } = await comfyuiWorld()
  const job = await create()
  await becomes(() => comfyui.ledger.length === 1)
  await fetch(`${comfyui.origin}/interrupt`, { method: 'POST', body: '{}' })
  expect((await finished(job)).error).toMatchObject({
    code: 'provider_failed',
    message: 'The task was stopped in ComfyUI.',
  })
})

test('a submit that reaches ComfyUI after its connection broke is found and runs once', async () => {
  const { comfyui, create, finished } = await comfyuiWorld({ runMs: 5, provider: { submitGraceMs: 500 } })
  comfyui.trouble('POST /prompt', { instead: 'reset' })
  const late = async () => {
    await expect.poll(() => comfyui.requests.length).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await fetch(`${comfyui.origin}/prompt`, { method: 'POST', body: String(comfyui.requests[0]!.body) })
  }
  void late()
  expect(await finished(await create())).toMatchObject({ phase: 'completed' })
  expect(comfyui.ledger).toHaveLength(1)
})
