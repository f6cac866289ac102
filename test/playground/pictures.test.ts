// @module-tag needs/chromium
import type { ServicePlugin } from '@genmount/core'
import { uploads } from '@genmount/core/uploads'
import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import type { Clock, Json, ProviderTask } from '@genmount/core'
import { type FakeBehaviour, fakeModels, fakeProvider, manualClock } from '@genmount/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { openPlayground, servePlayground } from './playground-world.ts'

const picture = readFileSync(
  new URL('../../packages/provider-procedural/pictures/northern-lights.webp', import.meta.url),
)
const kite = { name: 'kite.webp', mimeType: 'image/webp', buffer: picture }
const input = v.strictObject({
  prompt: v.string(),
  image: v.string(),
  mask: v.optional(v.string()),
  reference_images: v.optional(v.pipe(v.array(v.string()), v.maxLength(3))),
})

/** A page whose first model edits pictures, and the inputs that its provider has got. */
async function openEditor(
  plugins: readonly ServicePlugin[] = [uploads()],
  ofKite: FakeBehaviour = {},
  clock?: Clock,
) {
  const inputs: Readonly<Record<string, Json>>[] = []
  const behave = (task: ProviderTask) => {
    inputs.push(task.input)
    return task.input['prompt'] === 'a kite' ? ofKite : {}
  }
  const models = [
    { id: 'edit', outputKind: 'image' as const, input: toStandardJsonSchema(input) },
    ...fakeModels,
  ]
  const world = await servePlayground({
    providers: [fakeProvider({ models, behave, ...(clock && { clock }) })],
    plugins,
  })
  const opened = await openPlayground(world)
  const chooser = (label: string) => opened.page.locator(`input[type=file][aria-label="${label}"]`)
  return { ...opened, inputs, chooser }
}

/** The bytes that the provider reads for a field. */
async function bytesOf(value: Json | undefined): Promise<Uint8Array> {
  const reply = await fetch(String(value))
  expect(reply.status).toBe(200)
  return new Uint8Array(await reply.arrayBuffer())
}

/** Puts files into what is dropped on, or pasted into, an element. */
const handOver = (page: Page, selector: string, event: 'drop' | 'paste') =>
  page.evaluate(
    ([place, name, base64]) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new File([bytes], 'kite.webp', { type: 'image/webp' }))
      const made =
        name === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true })
      document.querySelector(place)!.dispatchEvent(made)
    },
    [selector, event, picture.toString('base64')] as const,
  )

test('the playground uploads a picture that the user chooses, and the provider gets its bytes', async () => {
  const { problems, write, chooser, page, generate, card, inputs } = await openEditor()
  await write('make it day')
  await chooser('Image').setInputFiles(kite)
  await page.getByText('kite.webp is ready').waitFor({ state: 'attached' })
  await generate()
  await card.getByRole('img', { name: 'make it day' }).waitFor()
  expect(await bytesOf(inputs[0]?.['image'])).toEqual(new Uint8Array(picture))
  expect(problems).toEqual([])
})

test('the playground frees the memory of a chosen picture that the user removes', async () => {
  const { problems, chooser, page } = await openEditor()
  await chooser('Image').setInputFiles(kite)
  await page.getByText('kite.webp is ready').waitFor({ state: 'attached' })
  const preview = await page.getByRole('img', { name: 'kite.webp' }).getAttribute('src')
  const isKept = () =>
    page.evaluate(async (address) => {
      const image = new Image()
      // The fragment keeps the browser from taking the picture from its cache.
      image.src = `${address}#${Math.random()}`
      return image.decode().then(
        () => true,
        () => false,
      )
    }, preview)
  expect(await isKept()).toBe(true)
  await page.getByRole('button', { name: 'Remove kite.webp' }).click()
  expect(await isKept()).toBe(false)
  expect(problems.filter((problem) => !problem.includes('ERR_FILE_NOT_FOUND'))).toEqual([])
})

test.each(['drop', 'paste'] as const)('the playground takes a picture by %s', async (event) => {
  const { problems, write, page, generate, card, inputs } = await openEditor()
  await write('make it day')
  await handOver(page, event === 'drop' ? '[data-field=image] .drop' : 'body', event)
  await page.getByText('kite.webp is ready').waitFor({ state: 'attached' })
  await generate()
  await card.getByRole('img', { name: 'make it day' }).waitFor()
  expect(await bytesOf(inputs[0]?.['image'])).toEqual(new Uint8Array(picture))
  expect(problems).toEqual([])
})

test('the playground sends a picture inside the request when the service takes no uploads', async () => {
  const { write, chooser, page, generate, card, inputs } = await openEditor([])
  await write('make it day')
  await chooser('Image').setInputFiles(kite)
  await page.getByText('kite.webp is ready').waitFor({ state: 'attached' })
  await generate()
  await card.getByRole('img', { name: 'make it day' }).waitFor()
  expect(inputs[0]?.['image']).toMatch(/^data:image\/webp;base64,/)
  expect(await bytesOf(inputs[0]?.['image'])).toEqual(new Uint8Array(picture))
})

test('the playground sends the pictures of a field for several pictures as a list', async () => {
  const { write, chooser, page, generate, card, inputs } = await openEditor()
  await write('make it day')
  await chooser('Image').setInputFiles(kite)
  await chooser('Reference images').setInputFiles([kite, { ...kite, name: 'second.webp' }])
  await page.getByText('second.webp is ready').waitFor({ state: 'attached' })
  await generate()
  await card.getByRole('img', { name: 'make it day' }).waitFor()
  expect(inputs[0]?.['reference_images']).toHaveLength(2)
})

test('the playground makes a mask as large as the picture, white and transparent where the user has painted', async () => {
  const { problems, write, chooser, page, generate, card, inputs } = await openEditor()
  await write('a moon here')
  await chooser('Image').setInputFiles(kite)
  await page.getByRole('button', { name: 'Paint a mask' }).click()
  const canvas = page.locator('.painting canvas')
  await expect.poll(() => canvas.evaluate((one: HTMLCanvasElement) => one.width)).toBeGreaterThan(300)
  const box = (await canvas.boundingBox())!
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.5)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.5, { steps: 5 })
  await page.mouse.up()
  await page.getByRole('button', { name: 'Use the mask' }).click()
  await page.getByText('painted mask is ready').waitFor({ state: 'attached' })
  await generate()
  await card.getByRole('img', { name: 'a moon here' }).waitFor()

  const mask = maskIn(await bytesOf(inputs[0]?.['mask']))
  const shown = page.locator('[data-field=image] .file-tile img')
  expect([mask.width, mask.height]).toEqual(
    await shown.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]),
  )
  expect(mask.at(0.5, 0.5)).toEqual([255, 255, 255, 0])
  expect(mask.at(0.1, 0.1)).toEqual([0, 0, 0, 255])
  expect(problems).toEqual([])
})

/** Reads a PNG of one chunk of pixels in RGBA, whose lines have no filter (https://www.w3.org/TR/png-3). */
function maskIn(png: Uint8Array) {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const from = 33
  const lines = inflateSync(png.subarray(from + 8, from + 8 + view.getUint32(from)))
  const at = (x: number, y: number) => {
    const start = Math.floor(y * height) * (1 + width * 4) + 1 + Math.floor(x * width) * 4
    return [...lines.subarray(start, start + 4)]
  }
  return { width, height, at }
}

test('the playground takes a picture with the camera, and turns the camera off afterwards', async () => {
  const { problems, write, page, generate, card, inputs } = await openEditor()
  await write('make it day')
  await page.getByRole('button', { name: 'Take a picture with the camera' }).first().click()
  await page.getByRole('button', { name: 'Take the picture' }).click()
  await page.getByText('camera.jpg is ready').waitFor({ state: 'attached' })
  expect(await page.locator('video').count()).toBe(0)
  await generate()
  await card.getByRole('img', { name: 'make it day' }).waitFor()
  const [first, second] = await bytesOf(inputs[0]?.['image'])
  expect([first, second]).toEqual([0xff, 0xd8])
  expect(problems).toEqual([])
})

/** The picture in the form, once it is drawn. */
const chosenPicture = async (page: Page) => {
  const shown = page.locator('[data-field=image] .file-tile img')
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
}

test('the playground uses an output as the input of the next job by a reference, shows it in the form, and sends no file', async () => {
  const { problems, choose, write, page, generate, card, gallery, inputs } = await openEditor()
  await choose('fake-image')
  await write('a kite')
  await generate()
  const uploaded: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && uploaded.push(request.url())))
  await card.getByRole('button', { name: 'Use as input' }).click()
  await page.getByText(/output 1 of gen_\w+ is ready/).waitFor({ state: 'attached' })
  await chosenPicture(page)
  await write('with a tail')
  await page.getByRole('button', { name: 'Copy the request as code' }).click()
  const shown = await page.getByLabel('The request in curl').textContent()
  expect(shown).toMatch(/"image":"job:\/\/gen_\w+#0"/)
  await page.keyboard.press('Escape')
  await generate()
  await card.getByRole('img', { name: 'with a tail' }).waitFor()
  const [first, second] = inputs
  expect(first?.['image']).toBeUndefined()
  expect((await bytesOf(second?.['image'])).byteLength).toBeGreaterThan(50)
  expect(uploaded.filter((url) => !url.includes('dry_run'))).toEqual([expect.stringMatching(/generate$/)])
  expect(await gallery.getByRole('listitem').count()).toBe(2)
  await card.getByRole('button', { name: 'Reuse' }).click()
  await chosenPicture(page)
  expect(problems).toEqual([])
})

test('the playground uses the output of a job that is still running, and shows it in the form once it is there', async () => {
  const clock = manualClock()
  const opened = await openEditor([uploads()], { delayMs: 1000 }, clock)
  const { problems, choose, write, page, generate, card, inputs } = opened
  await choose('fake-image')
  await write('a kite')
  await generate()
  await card.getByRole('button', { name: 'Use as input' }).click()
  await page.getByText(/output 1 of gen_\w+ is awaited/).waitFor({ state: 'attached' })
  await write('with a tail')
  await generate()
  await clock.advance(1000)
  await chosenPicture(page)
  await card.getByRole('img', { name: 'with a tail' }).waitFor()
  expect((await bytesOf(inputs.at(-1)?.['image'])).byteLength).toBeGreaterThan(50)
  expect(problems).toEqual([])
})

test('the playground sends an output inside the request when the service takes no uploads', async () => {
  const { choose, write, page, generate, card, inputs } = await openEditor([])
  await choose('fake-image')
  await write('a kite')
  await generate()
  await card.getByRole('button', { name: 'Use as input' }).click()
  await page.getByText(/gen_\w+-0\.png is ready/).waitFor({ state: 'attached' })
  await write('with a tail')
  await generate()
  await card.getByRole('img', { name: 'with a tail' }).waitFor()
  expect(inputs[1]?.['image']).toMatch(/^data:image\/png;base64,/)
})

test('the playground shows at the field that the service does not take a file', async () => {
  const { chooser, page } = await openEditor()
  await chooser('Image').setInputFiles({
    name: 'kite.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture'),
  })
  await page
    .locator('[data-field=image]')
    .getByText(/The service does not take files of this kind/)
    .first()
    .waitFor()
})
