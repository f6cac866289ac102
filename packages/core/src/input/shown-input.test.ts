import { expect, test } from 'vitest'
import { cpuTimeOf } from '@genmount/testing'
import { shownInput } from './shown-input.ts'

test('hashing a large data URI of an input does not block other requests', async () => {
  const image = `data:image/png;base64,${'A'.repeat(20_000_000)}`
  const cpuMs = await cpuTimeOf(async () => {
    expect((await shownInput({ image })).image).toContain('15000000 bytes')
  })
  expect(cpuMs).toBeLessThan(900)
})

test('a data URI with any number of parameters is shown as a placeholder', async () => {
  const { image } = await shownInput({ image: `data:${';a'.repeat(10_000_000)},x` })
  expect(image).toMatch(/^\[data URI: text\/plain, /)
})

test('an input text of more than 65,536 characters is shown as its length and hash, a shorter one as it is', async () => {
  const short = 'x'.repeat(65_536)
  const shown = await shownInput({ short, list: [{ deep: `${short}y` }, short] })
  expect(shown).toEqual({
    short,
    list: [{ deep: expect.stringMatching(/^\[text: 65537 characters, sha256 [0-9a-f]{64}\]$/) }, short],
  })
  const long = '\u00e4'.repeat(19_000_000)
  const cpuMs = await cpuTimeOf(async () => {
    expect(JSON.stringify(await shownInput({ long })).length).toBeLessThan(200)
  })
  expect(cpuMs).toBeLessThan(2000)
})

test('an input list of any length is shown as it is', async () => {
  const list = Array.from({ length: 1_000_000 }, (_, i) => i)
  const cpuMs = await cpuTimeOf(async () => {
    expect((await shownInput({ list })).list).toHaveLength(1_000_000)
  })
  expect(cpuMs).toBeLessThan(300)
})

test('the first 100 data URIs of an input are shown with their hash, and all with type and size', async () => {
  const images = Array.from({ length: 10_000 }, (_, i) => `data:image/png,${i}`)
  const shown = (await shownInput({ images }))['images'] as string[]
  expect(shown.slice(0, 100)).toEqual(
    images
      .slice(0, 100)
      .map(() => expect.stringMatching(/^\[data URI: image\/png, \d bytes, sha256 \w{64}\]$/)),
  )
  expect(new Set(shown.slice(100))).toEqual(
    new Set(['3 bytes', '4 bytes'].map((size) => `[data URI: image/png, ${size}]`)),
  )
})
