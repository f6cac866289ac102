import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { progress } from './progress.ts'

const key = 'demo-key'
const folder = 'demo-output'
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

const server = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, 'server.ts')], {
  env: { ...process.env, PORT: '0', HOST: '127.0.0.1', API_KEYS: `demo:${key}`, BASE_URL: '' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const exited = new Promise<number | null>((resolve) => server.once('exit', resolve))

try {
  const baseUrl = await addressOf(server.stdout)
  await mkdir(folder, { recursive: true })
  await makeImage(baseUrl)
  await makeVideo(baseUrl)
} finally {
  server.kill('SIGTERM')
}
process.exitCode = (await exited) ?? 1

async function makeImage(baseUrl: string): Promise<void> {
  console.log('Image: one request that waits for its result.')
  const job = await create(`${baseUrl}/v1/images/generations?wait=true`, {
    model: 'procedural-image',
    prompt: 'a lighthouse on a cliff, sunset over a calm sea',
    aspect_ratio: '16:9',
    resolution: '720p',
  })
  await save(job, 'image.png')
}

async function makeVideo(baseUrl: string): Promise<void> {
  console.log('Video: a job that is polled until it has finished.')
  let job = await create(`${baseUrl}/v1/video/generations`, {
    model: 'procedural-video',
    prompt: 'northern lights above snowy mountains at night',
    resolution: '720p',
    duration: 4,
  })
  const shown = progress(process.stdout)
  while (job.status === 'processing') {
    shown.update(Date.now() - Date.parse(job.created_at))
    await delay(500)
    job = await (await fetch(job.urls.get, { headers })).json()
  }
  shown.end(job.status)
  await save(job, 'video.mp4')
}

interface Job {
  readonly id: string
  readonly status: 'processing' | 'completed' | 'failed'
  readonly created_at: string
  readonly error: string | null
  readonly urls: { readonly get: string }
  readonly data: readonly { readonly url: string }[]
}

async function create(url: string, input: object): Promise<Job> {
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) })
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`)
  const job: Job = await reply.json()
  console.log(`  job ${job.id} is ${job.status}`)
  return job
}

/** Follows the redirect to the first output and keeps it. */
async function save(job: Job, name: string): Promise<void> {
  if (job.status !== 'completed') throw new Error(`Job ${job.id} is ${job.status}: ${job.error}`)
  const reply = await fetch(job.data[0]!.url, { headers })
  if (!reply.ok) throw new Error(`${reply.url} answered ${reply.status}.`)
  const bytes = new Uint8Array(await reply.arrayBuffer())
  const path = join(folder, name)
  await writeFile(path, bytes)
  console.log(`  saved ${path} (${reply.headers.get('content-type')}, ${bytes.byteLength} bytes)`)
}

/** The first line that the server prints ends in its address. */
async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /^genmount listens on (\S+)$/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('The server ended before it listened.')
}
