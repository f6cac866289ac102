// @module-tag needs/ffmpeg
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '@genmount/cli'
import { createClient } from '@genmount/client'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { startServe } from './genmount.ts'

/** A folder with this configuration in its `genmount.json`, and a key. */
function folderWith(config: object): string {
  const folder = temporaryFolder()
  const file = { port: 0, apiKeys: { dev: 'dev-key' }, ...config }
  writeFileSync(join(folder, 'genmount.json'), JSON.stringify(file))
  return folder
}

/** The server with this configuration. */
async function serveWith(config: object) {
  const { server, url } = await startServe(['-c', 'genmount.json'], { cwd: folderWith(config) })
  const client = createClient({ baseUrl: url, apiKey: 'dev-key' })
  const typeOf = async (...call: Parameters<typeof client.download>) =>
    (await client.download(...call)).headers.get('content-type')
  return { server, client, typeOf }
}

const small = { width: 100, format: 'webp' } as const

test('genmount serve gives small pictures, and with posters the first frames of films', async () => {
  const { server, client, typeOf } = await serveWith({ variants: { posters: true } })
  const picture = await client.generate({ model: 'procedural-image', prompt: 'a fox', resolution: '480p' })
  expect(await typeOf(picture, 0, small)).toBe('image/webp')
  const film = await client.generate({
    model: 'procedural-video',
    prompt: 'a fox',
    resolution: '480p',
    duration: 1,
  })
  expect(await typeOf(film, 0, { poster: true })).toBe('image/jpeg')
  server.child.kill('SIGTERM')
  await server.ended
})

test('genmount serve gives outputs alone when its configuration file wants no variants, and refuses wrong options', async () => {
  const { server, client, typeOf } = await serveWith({ variants: false })
  const picture = await client.generate({ model: 'procedural-image', prompt: 'a fox', resolution: '480p' })
  expect(await typeOf(picture, 0, small)).toBe('image/png')
  server.child.kill('SIGTERM')
  await server.ended
  for (const [wrong, message] of [
    [{ width: 64 }, 'variants: width is not an option'],
    [{ posters: 64 }, 'ffmpegFrame: program must be a text'],
    [null, 'variants: '],
  ] as const) {
    const configFile = join(folderWith({ variants: wrong }), 'genmount.json')
    await expect(serve({ env: {}, configFile })).rejects.toThrow(message)
  }
})
