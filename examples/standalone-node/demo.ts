import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { demoServer } from './demo-server.ts'
import { progress } from './progress.ts'

const key = 'demo-key'
const folder = 'demo-output'
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

/** How long the video is made before the server is killed, in milliseconds. */
const killAfterMs = 1000
/** When to explain why it takes so long, in milliseconds. */
const explainAfterMs = 15_000

const dataDir = await mkdtemp(join(tmpdir(), 'genmount-demo-'))
const server = demoServer(key, dataDir)
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143))
process.once('exit', () => {
  void server.end('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const { baseUrl, models } = await server.start()
await mkdir(folder, { recursive: true })
const image = await makeImage()
if (models.includes('esrgan-x2')) await enlarge(image)
await makeVideo()
process.exitCode = (await server.end('SIGTERM')) ?? 1

/** @returns its file */
async function makeImage(): Promise<Uint8Array> {
  console.log('Image: one request that waits for its result.')
  const job = await create(`${baseUrl}/v1/images/generations?wait=true`, {
    model: 'procedural-image',
    prompt: 'a lighthouse on a cliff, sunset over a calm sea',
    aspect_ratio: '4:3',
    resolution: '480p',
  })
  return save(job, 'image.png')
}

async function enlarge(picture: Uint8Array): Promise<void> {
  console.log('Enlarged image: a neural network on this machine makes it twice as wide and high.')
  let job = await create(`${baseUrl}/v1/images/generations`, {
    model: 'esrgan-x2',
    image: `data:image/png;base64,${Buffer.from(picture).toString('base64')}`,
  })
  const shown = progress(process.stdout)
  while (job.status === 'processing') {
    shown.update(Date.now() - Date.parse(job.created_at))
    await delay(250)
    job = await ask(job.urls.get, {})
  }
  shown.end(job.status)
  await save(job, 'image-enlarged.png')
}

async function makeVideo(): Promise<void> {
  console.log('Video: a job that is polled until it has finished, and outlives its server.')
  let job = await create(`${baseUrl}/v1/video/generations`, {
    model: 'procedural-video',
    prompt: 'northern lights above snowy mountains at night',
    resolution: '720p',
    duration: 4,
  })
  const shown = progress(process.stdout)
  let restartedAt: number | undefined
  let isExplained = false
  while (job.status === 'processing') {
    shown.update(Date.now() - Date.parse(job.created_at))
    await delay(250)
    job = await ask(job.urls.get, {})
    // Right after an answer, because a job that is answered for is hardly ever in the middle of a step.
    if (restartedAt === undefined && hasRunFor(job, killAfterMs)) {
      shown.note('  The server is killed (SIGKILL), and started again.')
      await server.end('SIGKILL')
      await server.start()
      restartedAt = Date.now()
      shown.note('  It knows the job from its folder, and goes on with it:')
    } else if (restartedAt !== undefined && !isExplained && Date.now() > restartedAt + explainAfterMs) {
      isExplained = true
      shown.note(
        '  It takes long. A step that died with the server is left alone for 30 s, lest two take it.',
      )
    }
  }
  shown.end(job.status)
  await save(job, 'video.mp4')
}

interface Job {
  readonly id: string
  readonly status: 'processing' | 'completed' | 'failed'
  readonly created_at: string
  readonly started_at: string | null
  readonly error: string | null
  readonly urls: { readonly get: string }
  readonly data: readonly { readonly url: string }[]
}

function hasRunFor({ status, started_at }: Job, durationMs: number): boolean {
  return status === 'processing' && started_at !== null && Date.now() - Date.parse(started_at) >= durationMs
}

async function create(url: string, input: object): Promise<Job> {
  const job = await ask(url, { method: 'POST', body: JSON.stringify(input) })
  console.log(`  job ${job.id} is ${job.status}`)
  return job
}

async function ask(url: string, request: RequestInit): Promise<Job> {
  const reply = await fetch(url, { ...request, headers })
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`)
  return reply.json()
}

/** Follows the redirect to the first output and keeps it. @returns its bytes */
async function save(job: Job, name: string): Promise<Uint8Array> {
  if (job.status !== 'completed') throw new Error(`Job ${job.id} is ${job.status}: ${job.error}`)
  const reply = await fetch(job.data[0]!.url, { headers })
  if (!reply.ok) throw new Error(`${reply.url} answered ${reply.status}.`)
  const bytes = new Uint8Array(await reply.arrayBuffer())
  const path = join(folder, name)
  await writeFile(path, bytes)
  console.log(`  saved ${path} (${reply.headers.get('content-type')}, ${bytes.byteLength} bytes)`)
  return bytes
}
