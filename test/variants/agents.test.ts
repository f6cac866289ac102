// @module-tag needs/ffmpeg
import { memoryFileStore } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import { ffmpegFrame, variants } from '@genmount/variants'
import { fakeWorld } from '@genmount/testing'
import type { CallToolResult } from '@modelcontextprotocol/client'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { modernRequest } from '../mcp/modern-request.ts'
import { film } from './films.ts'
import { noise } from './variants-world.ts'

const plugins = [variants({ decodeFrame: ffmpegFrame() })]

/** What an agent gets of a finished job with these outputs. */
async function shownTo(outputs: readonly Uint8Array[], own: readonly (typeof plugins)[number][]) {
  const world = fakeWorld(
    { behave: () => ({ outputs: outputs.map((bytes) => ({ bytes })) }) },
    { files: memoryFileStore(), plugins: own },
  )
  onTestFinished(() => void world.service.close())
  const { id } = await world.create()
  await world.clock.advance(5000)
  const mcp = toMcpHandler(toFetchHandler(world.service, { authenticate: apiKeys({ alice: 'key' }) }))
  const request = modernRequest(
    'tools/call',
    { name: 'get_job', arguments: { job_id: id } },
    { authorization: 'Bearer key' },
  )
  const { result } = (await (await mcp(request)).json()) as { result: CallToolResult }
  const pictures = result.content.filter((one) => one.type === 'image')
  return {
    text: result.content.map((one) => (one.type === 'text' ? one.text : '')).join(''),
    links: result.content.filter((one) => one.type === 'resource_link').length,
    pictures: await Promise.all(
      pictures.map(async ({ data, mimeType }) => {
        const bytes = Buffer.from(data, 'base64')
        return { bytes: bytes.length, mimeType, width: (await sharp(bytes).metadata()).width }
      }),
    ),
  }
}

test('an agent sees each picture of a job in at most 700 kB together, and gets a link to each, whatever the model has made', async () => {
  const large = await noise(1600, 1200).png().toBuffer()
  const small = await noise(100, 100).png().toBuffer()
  expect(large.length).toBeGreaterThan(4_000_000)
  const { pictures, links, text } = await shownTo([large, small, large, large], plugins)
  expect(links).toBe(4)
  expect(pictures.map(({ mimeType }) => mimeType)).toEqual([
    'image/webp',
    'image/png',
    'image/webp',
    'image/webp',
  ])
  expect(pictures.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(700_000)
  expect(pictures[0]!.width).toBe(1024)
  expect(text).toMatch(new RegExp(`image/png, ${large.length} bytes, shown here as a small picture`))
})

test('an agent sees the first frame of a film', async () => {
  const { pictures, links } = await shownTo([await film('high.mp4')], plugins)
  expect(pictures).toMatchObject([{ mimeType: 'image/webp', width: 320 }])
  expect(links).toBe(1)
})

test('without the plugin an agent gets links to large pictures and to films', async () => {
  const { pictures, links } = await shownTo(
    [await noise(1600, 1200).png().toBuffer(), await film('high.mp4')],
    [],
  )
  expect([pictures, links]).toEqual([[], 2])
})
