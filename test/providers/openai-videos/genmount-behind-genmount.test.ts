import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../free-port.ts'
import { runtimes } from '../../processes/runtimes.ts'
import { launchServer } from '../../processes/start-server.ts'
import { bundledProgram } from '../../suite/bundled-programs.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { until } from '../../until.ts'

type Server = Awaited<ReturnType<typeof launchServer>>
type Json = Readonly<Record<string, unknown>>

const program = await bundledProgram('test/providers/openai-videos/genmount-server.ts')

/** A genmount that can be killed and started again on its port. */
async function genmount(folder: string, ...more: readonly string[]) {
  const port = String(await freePort())
  const command = [...runtimes.node, program, port, folder, ...more] as const
  let running: Server = await launchServer(command)
  return {
    origin: `http://127.0.0.1:${port}`,
    kill: () => running.process.kill(),
    async killAndRestart() {
      await running.process.kill()
      running = await launchServer(command)
    },
  }
}

const folders = [temporaryFolder(afterAll), temporaryFolder(afterAll)] as const
let behind: Awaited<ReturnType<typeof genmount>>
let front: Awaited<ReturnType<typeof genmount>>
beforeAll(async () => {
  behind = await genmount(folders[0])
  front = await genmount(folders[1], behind.origin)
}, 120_000)
afterAll(async () => {
  await front?.kill()
  await behind?.kill()
})

async function ask(url: string, key: string, body?: Json): Promise<Json> {
  const response = await fetch(url, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  const json = (await response.json()) as Json
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(json)}`)
  return json
}

const create = (body: Json) => ask(`${front.origin}/v1/generate`, 'alice-key', body)
const jobAt = ({ id }: Json) => ask(`${front.origin}/v1/jobs/${String(id)}`, 'alice-key')
const jobsBehind = async () => (await ask(`${behind.origin}/v1/jobs`, 'front-key'))['data'] as readonly Json[]

/** The job of a prompt, in the genmount behind. */
async function madeBehind(prompt: string): Promise<readonly Json[]> {
  return (await jobsBehind()).filter(({ input }) => (input as Json)['prompt'] === prompt)
}

async function ended(job: Json): Promise<Json> {
  let last = job
  await until(async () => (last = await jobAt(job).catch(() => last))['status'] !== 'processing')
  return last
}

async function fileOf(job: Json): Promise<Uint8Array> {
  const response = await fetch(`${front.origin}/v1/files/${String(job['id'])}`, {
    headers: { authorization: 'Bearer alice-key' },
  })
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

test('a picture and a film are made by the genmount behind, with their cost, and delivered by the one in front', async () => {
  const [picture, film] = await Promise.all([
    create({ model: 'picture', prompt: 'a fox', resolution: '512x512' }).then(ended),
    create({ model: 'film', prompt: 'a fox that runs', duration: 1, resolution: '854x480' }).then(ended),
  ])
  expect(picture).toMatchObject({ status: 'completed', error: null })
  expect(film).toMatchObject({ status: 'completed', error: null, cost_usd: 0.02 })
  expect(Buffer.from((await fileOf(film)).slice(4, 8)).toString()).toBe('ftyp')
  expect((await fileOf(picture)).byteLength).toBeGreaterThan(100)
}, 120_000)

test('a film that is canceled in front is canceled behind', async () => {
  const slow = { model: 'film', prompt: 'a slow fox', duration: 10, resolution: '1920x1080' }
  const job = await create(slow)
  await until(async () => (await madeBehind('a slow fox')).length === 1)
  await ask(`${front.origin}/v1/jobs/${String(job['id'])}/cancel`, 'alice-key', {})
  expect((await ended(job))['error']).toMatch(/^canceled/)
  const [made] = await madeBehind('a slow fox')
  expect(made).toMatchObject({ status: 'failed', error: expect.stringMatching(/^canceled/) })
}, 120_000)

test('a film outlives kill -9 of the genmount in front and of the one behind, and is made once', async () => {
  const prompt = 'a fox that lives on'
  const film = {
    model: 'film',
    prompt,
    duration: 1,
    resolution: '854x480',
    simulate_latency_ms: 3000,
  }
  const job = await create(film)
  await until(async () => (await madeBehind(prompt)).length === 1)
  await front.killAndRestart()
  await behind.killAndRestart()
  expect(await ended(job)).toMatchObject({ status: 'completed', error: null, cost_usd: 0.02 })
  expect(await madeBehind(prompt)).toHaveLength(1)
  expect(Buffer.from((await fileOf(job)).slice(4, 8)).toString()).toBe('ftyp')
}, 120_000)
