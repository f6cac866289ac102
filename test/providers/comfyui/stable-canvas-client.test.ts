import { Client } from '@stable-canvas/comfyui-client'
import { expect, onTestFinished, test } from 'vitest'
import { textToImage } from './comfyui-shapes.ts'
import { fakeComfyui } from './fake-comfyui.ts'

async function clientOfTheFake() {
  const comfyui = await fakeComfyui({ runMs: 20 })
  onTestFinished(() => comfyui.close())
  return { comfyui, client: new Client({ api_host: new URL(comfyui.origin).host }) }
}

test('the client of stable-canvas submits a workflow to the fake of ComfyUI and finds its pictures', async () => {
  const { comfyui, client } = await clientOfTheFake()
  const { images, prompt_id } = await client.enqueue_polling(structuredClone(textToImage), { polling_ms: 20 })
  expect([prompt_id]).toEqual(comfyui.ledger)
  const [saved] = images
  const url = saved?.type === 'url' ? saved.data : ''
  expect((await fetch(url)).status).toBe(200)
  expect(await client.getPromptStatus(String(prompt_id))).toEqual({
    running: false,
    pending: false,
    done: true,
  })
})

test('the fake of ComfyUI refuses a wrong workflow of the client of stable-canvas as ComfyUI does', async () => {
  const { comfyui, client } = await clientOfTheFake()
  const workflow = {
    ...textToImage,
    '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'gone' } },
  }
  await expect(client.enqueue_polling(workflow)).rejects.toMatchObject({
    status: 400,
    json: { node_errors: { '4': { errors: [{ type: 'value_not_in_list' }] } } },
  })
  expect(comfyui.ledger).toEqual([])
})
