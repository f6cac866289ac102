import { createGenerationService, type JobNews } from '@genmount/core'
import { comfyuiProvider } from '@genmount/provider-comfyui'
import { quietLog } from '@genmount/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { nodeOn } from '../../backend-postgres/two-nodes.ts'
import { databaseOfFile, newSchema } from '../../postgres/temporary-database.ts'
import { token } from './comfyui-cases.ts'
import { models } from './comfyui-world.ts'
import { fakeComfyui } from './fake-comfyui.ts'

const patiently = { timeout: 60_000, interval: 500 }

/** Two nodes of a Postgres, each with a visitor of one task that runs in ComfyUI. */
async function visitedNodes() {
  const comfyui = await fakeComfyui()
  onTestFinished(() => comfyui.close())
  const url = await databaseOfFile()
  const schema = newSchema()

  async function startNode() {
    const { backend } = nodeOn(url, schema)
    const provider = comfyuiProvider({ baseUrl: comfyui.origin, token, models, submitGraceMs: 20 })
    const service = createGenerationService({ providers: [provider], backend, log: quietLog() })
    onTestFinished(async () => void (await service.close()))
    await service.ready()
    service.start()
    return service
  }

  const nodes = [await startNode(), await startNode()]
  const input = { prompt: 'a fox' }
  const { job } = await nodes[0]!.create({ owner: 'alice', model: 'comfy-image', input })
  await vi.waitFor(() => expect(comfyui.ledger).toHaveLength(1), patiently)
  const visitors = await Promise.all(
    nodes.map(async (node) => {
      const heard: JobNews[] = []
      const watcher = { onChange() {}, onEnd() {}, onNews: (news: JobNews) => void heard.push(news) }
      return { heard, leave: await node.watch(job.id, 'alice', watcher) }
    }),
  )

  return {
    visitors,
    /** Tells the progress of the sampler until it has reached these visitors. */
    reaches: (step: number, reached: typeof visitors) =>
      vi.waitFor(() => {
        comfyui.progress({ '3': { value: step, max: 20, state: 'running' } })
        for (const { heard } of reached) expect(heard.at(-1)?.progress).toBe((4 + step) / 26)
      }, patiently),
  }
}

test('the progress of a task in ComfyUI reaches the visitors of each node of a Postgres, also when those of another node leave', async () => {
  const { visitors, reaches } = await visitedNodes()
  await reaches(10, visitors)
  visitors[1]?.leave()
  // ComfyUI sends the messages of a prompt to whoever connected last, and to nobody once that connection has ended. The
  // other node connects again when it has heard nothing for 20 seconds.
  await reaches(15, visitors.slice(0, 1))
})
