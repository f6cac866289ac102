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

const pollMs = 250
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
const video = await beginVideo()
await killServerDuring(video)
// The enlarging runs beside the video, which leaves one core free. It starts after the kill, so that the kill does not
// cost its work too.
const enlarged = models.includes('esrgan-x2') ? await beginEnlarging(image) : undefined
await save(await finished(video, 'video'), 'video.mp4')
if (enlarged) await save(await finished(enlarged, 'enlarged image'), 'image-enlarged.png')
process.exitCode = (await server.end('SIGTERM')) ?? 1
console.log('Try it yourself: npm start, and open http://127.0.0.1:3000/ in a browser.')

/** @returns the bytes of the image file */
async function makeImage(): Promise<Uint8Array> {
  console.log('Image: one request that waits for its result.')
  const job = await create(`${baseUrl}/v1/images/generations?wait=true`, {
    model: 'procedural-image',
    prompt: 'a lighthouse on a cliff, sunset over a calm sea',
    aspect_ratio: '1:1',
    resolution: '480p',
  })
  return save(job, 'image.png')
}

function beginVideo(): Promise<Job> {
  console.log('Video: a job that is polled until it has finished, and outlives its server.')
  return create(`${baseUrl}/v1/video/generations`, {
    model: 'procedural-video',
    prompt: 'northern lights above snowy mountains at night',
    resolution: '720p',
    duration: 3,
  })
}

function beginEnlarging(picture: Uint8Array): Promise<Job> {
  console.log('Enlarged image: a neural network on this machine makes it twice as wide and high.')
  return create(`${baseUrl}/v1/images/generations`, {
    model: 'esrgan-x2',
    image: `data:image/png;base64,${Buffer.from(picture).toString('base64')}`,
  })
}

async function killServerDuring({ urls }: Job): Promise<void> {
  // The server is killed right after an answer, because at that moment it is hardly ever in the middle of a step.
  for (let job = await ask(urls.get, {}); !hasRunFor(job, killAfterMs); job = await ask(urls.get, {})) {
    if (job.status !== 'processing') return
    await delay(pollMs)
  }
  console.log('  The server is killed (SIGKILL), and started again.')
  await server.end('SIGKILL')
  await server.start()
  console.log('  It knows the job from its folder, and goes on with it.')
}

/** Waits until a job has ended, whether it completed or failed. */
async function finished({ urls, created_at }: Job, name: string): Promise<Job> {
  const waitingSince = Date.now()
  const shown = progress(process.stdout, name)
  let isExplained = false
  for (;;) {
    const job = await ask(urls.get, {})
    if (job.status !== 'processing') {
      shown.end(job.status)
      return job
    }
    shown.update(Date.now() - Date.parse(created_at))
    if (!isExplained && Date.now() > waitingSince + explainAfterMs) {
      isExplained = true
      shown.note(
        '  This takes long. The machine is busy, or the kill interrupted a step, which is repeated only after 30 s.',
      )
    }
    await delay(pollMs)
  }
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

function hasRunFor({ started_at }: Job, durationMs: number): boolean {
  return started_at !== null && Date.now() - Date.parse(started_at) >= durationMs
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
