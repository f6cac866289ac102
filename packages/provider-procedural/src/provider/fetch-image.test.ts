import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { imageFetcher } from './fetch-image.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const { signal } = new AbortController()
const fetchHere = imageFetcher({ allowAddress: (address) => address === '127.0.0.1' })
const servers: Server[] = []

/** Serves on the loopback. @returns the URL */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}/a.png`
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

test('a URL gives its picture, whatever media type its server claims', async () => {
  const url = await serve((_request, response) =>
    response.setHeader('content-type', 'application/octet-stream').end(pixel),
  )
  expect(Buffer.from(await fetchHere(url, signal))).toEqual(pixel)
})

test('a server that stumbles is asked again', async () => {
  let requests = 0
  const url = await serve((_request, response) => {
    requests++
    response.statusCode = requests < 3 ? 503 : 200
    response.end(pixel)
  })
  expect(Buffer.from(await fetchHere(url, signal))).toEqual(pixel)
  expect(requests).toBe(3)
})

test('a server that says no is not asked again', async () => {
  let requests = 0
  const url = await serve((_request, response) => {
    requests++
    response.writeHead(404).end()
  })
  await expect(fetchHere(url, signal)).rejects.toMatchObject({ name: 'FetchRefusedError', reason: 'status' })
  expect(requests).toBe(1)
})

test('what is no picture is refused, SVG included', async () => {
  const url = await serve((_request, response) =>
    response.setHeader('content-type', 'image/svg+xml').end('<svg/>'),
  )
  await expect(fetchHere(url, signal)).rejects.toThrow('PNG, JPEG, WebP or GIF')
})

test('addresses of the inside are refused', async () => {
  const url = await serve((_request, response) => response.end(pixel))
  await expect(imageFetcher()(url, signal)).rejects.toMatchObject({
    name: 'FetchRefusedError',
    reason: 'address',
  })
})
