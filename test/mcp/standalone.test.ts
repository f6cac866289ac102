import { expect, test } from 'vitest'
import { listening } from '../examples/standalone-server.ts'
import { connectOverHttp } from './connect.ts'

test('the standalone server has an MCP endpoint with its models as tools and the API keys of /v1', async () => {
  const { baseUrl } = await listening({ API_KEYS: 'alice:alice-key' })
  const client = await connectOverHttp(baseUrl, 'modern', 'alice-key')
  const { content } = await client.callTool({
    name: 'generate_image',
    arguments: { model: 'procedural-image', prompt: 'a kite', resolution: '480p' },
  })
  expect(content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }))
  await client.close()
  await expect(connectOverHttp(baseUrl, 'modern', 'wrong')).rejects.toThrow()
})
