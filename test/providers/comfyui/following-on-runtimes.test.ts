import { expect, test, type TestContext } from 'vitest'
import { printedBy } from '../../processes/run-program.ts'
import { type Runtime, runtimes } from '../../processes/runtimes.ts'
import { until } from '../../until.ts'
import { token } from './comfyui-cases.ts'
import { fakeComfyui } from './fake-comfyui.ts'

const script = new URL('follow-on-runtime.ts', import.meta.url)
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(20_000)])

/** A ComfyUI behind a proxy that knows one token. */
async function guardedComfyui({ onTestFinished }: TestContext) {
  const comfyui = await fakeComfyui()
  comfyui.sockets.authorization = `Bearer ${token}`
  onTestFinished(() => comfyui.close())
  return comfyui
}

for (const runtime of Object.keys(runtimes) as Runtime[]) {
  test.concurrent(`on ${runtime}, progress and a preview reach a client of the HTTP interface while the job runs`, async (context) => {
    const comfyui = await guardedComfyui(context)
    const printed = printedBy(runtime, script, { args: [comfyui.origin] })
    await until(() => comfyui.sockets.greeted === 1)
    const sampler = { value: 10, max: 20, state: 'running' } as const
    comfyui.progress({ '3': sampler }, jpeg)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    comfyui.finish()
    const preview = `data:image/jpeg;base64,${jpeg.toString('base64')}`
    expect(await printed).toMatchObject({
      status: 'completed',
      heard: expect.arrayContaining([{ progress: 0.538, preview }]),
    })
    await until(() => comfyui.sockets.open === 0)
  })

  test.concurrent(`on ${runtime}, a WebSocket whose server has gone silent does not outlive the service`, async (context) => {
    const comfyui = await guardedComfyui(context)
    comfyui.sockets.fault = 'silent'
    await printedBy(runtime, script, { args: [comfyui.origin, 'leaves'] })
    expect(comfyui.sockets.opened).toHaveLength(1)
    await until(() => comfyui.sockets.open === 0)
  })
}
