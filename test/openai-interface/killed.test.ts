import { join } from 'node:path'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { launchServer, scriptCommand } from '../processes/start-server.ts'
import { served } from '../served.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { until } from '../until.ts'

test("after kill -9 in the middle of a request, the SDK's own retry gets the picture from the next process, and one submit is paid", async () => {
  let submits = 0
  let polls = 0
  let isDone = false
  const vendor = await served((req, res) => {
    if (req.method === 'POST') res.end(`task-${++submits}`)
    else res.end((polls++, isDone) ? 'succeeded' : 'running')
  })
  const port = String(await freePort())
  const file = join(temporaryFolder(), 'jobs.db')
  const command = scriptCommand(
    'node',
    new URL('servers/killed-server.ts', import.meta.url),
    port,
    file,
    vendor,
  )
  const first = await launchServer(command)
  const sdk = new OpenAI({
    apiKey: 'alice-key',
    baseURL: `http://127.0.0.1:${port}/openai/v1`,
    maxRetries: 20,
  })
  const answer = sdk.images.generate({ model: 'painter', prompt: 'a fox' })
  await until(() => polls > 0)
  await first.process.kill()
  const second = await launchServer(command)
  isDone = true
  try {
    expect((await answer).data).toHaveLength(1)
    expect(submits).toBe(1)
  } finally {
    await second.process.kill()
  }
}, 120_000)
