import { expect, onTestFinished, test } from 'vitest'
import { printedBy } from '../../processes/run-program.ts'
import { type Runtime, runtimes } from '../../processes/runtimes.ts'
import { until } from '../../until.ts'
import { token } from '../comfyui/comfyui-cases.ts'
import { comfyApiFake } from './comfy-api-fake.ts'

const script = new URL('../comfyui/follow-on-runtime.ts', import.meta.url)
const picture = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(20_000)]).toString(
  'base64',
)

test.for(Object.keys(runtimes) as Runtime[])(
  'on %s, progress and a preview at Comfy reach a client of the HTTP interface, and the stream does not outlive the service',
  async (runtime) => {
    const fake = await comfyApiFake({ polls: Infinity, key: token })
    onTestFinished(() => fake.close())
    const printed = printedBy(runtime, script, { args: [fake.origin, 'hears', 'api-v2'] })
    await until(() => fake.streams.count() === 1)
    fake.streams.send('progress', { value: 0.42, nodes_done: 1, nodes_total: 4 })
    fake.streams.send('preview', { node_id: '3', content_type: 'image/jpeg', data_base64: picture })
    expect(await printed).toMatchObject({
      heard: expect.arrayContaining([
        expect.objectContaining({ preview: `data:image/jpeg;base64,${picture}` }),
      ]),
    })
    await until(() => fake.streams.count() === 0)
  },
)
