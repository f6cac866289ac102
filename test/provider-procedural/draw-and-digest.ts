/* Draws what the runtimes are compared by and prints the digest of each file. Has to end by itself once closed. */
import { createHash } from 'node:crypto'
import type { Json, JsonObject, ProviderReport } from '@genmount/core'
import { proceduralProvider } from '@genmount/provider-procedural'

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFElEQVQImWP4z8DAAMIM/////w8AH+4F+0HwQUsAAAAASUVORK5CYII='

const tasks: readonly { model: string; input: JsonObject }[] = [
  {
    model: 'procedural-image',
    input: { prompt: 'a mountain lake at sunset, birds', resolution: '480p', num_outputs: 2 },
  },
  {
    model: 'procedural-image',
    input: { prompt: 'neon city in the rain', resolution: '480p', format: 'webp' },
  },
  { model: 'procedural-image', input: { prompt: 'saturn in a nebula', resolution: '480p', format: 'jpeg' } },
  {
    model: 'procedural-image',
    input: { prompt: 'an abstract dream', resolution: '480p', aspect_ratio: '16:9' },
  },
  {
    model: 'procedural-image',
    input: { prompt: 'an oil painting at dusk', resolution: '480p', image: picture },
  },
  {
    model: 'procedural-video',
    input: { prompt: 'the sea at dawn', resolution: '480p', duration: 1, fps: 12 },
  },
  {
    model: 'procedural-video',
    input: { prompt: 'zoom in', resolution: '480p', duration: 1, fps: 12, image: picture },
  },
]

const provider = proceduralProvider()
const call = { signal: new AbortController().signal }
const digests: string[] = []
for (const [index, { model, input }] of tasks.entries()) {
  const result = await provider.models.find(({ id }) => id === model)?.input['~standard'].validate(input)
  if (result === undefined || result.issues) throw new Error(JSON.stringify(result))
  const task = { jobId: 'job', model, input: result.value as JsonObject, clientToken: String(index) }
  let report: ProviderReport = await provider.submit(task, call)
  while (report.state === 'running') {
    const { handle, pollAfterMs }: { handle: Json; pollAfterMs?: number | undefined } = report
    await new Promise((resolve) => setTimeout(resolve, pollAfterMs))
    report = await provider.poll({ ...task, handle }, call)
  }
  if (report.state !== 'succeeded') throw new Error(JSON.stringify(report))
  for (const output of report.outputs) {
    if (!('bytes' in output)) throw new Error('A drawn output has bytes.')
    digests.push(createHash('sha256').update(output.bytes).digest('hex'))
  }
}
await provider.close?.()
console.log(JSON.stringify(digests))
