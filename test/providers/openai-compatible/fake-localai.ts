import { fakeFile } from '@genmount/testing'
import { scriptedServer, type ScriptedServer } from '../scripted-server.ts'

/**
 * LocalAI, which wants no key, makes an image at once and answers with its URL below the server's own address.
 * @param address its own address. @default the one at which it is asked
 * Source: mudler/LocalAI core/http/endpoints/openai/image.go at 82c191a (2026-08-22).
 */
export function fakeLocalai(address?: string): Promise<ScriptedServer> {
  const path = '/generated-images/1.png'
  return scriptedServer(({ method, url, headers }) => {
    if (method === 'GET' && url.pathname === path)
      return { headers: { 'content-type': 'image/png' }, body: fakeFile('image').bytes }
    if (method !== 'POST' || url.pathname !== '/v1/images/generations') return { status: 404 }
    return {
      json: {
        created: 1,
        id: 'i1',
        data: [{ embedding: null, index: 0, url: `${address ?? `http://${headers['host']}`}${path}` }],
        usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      },
    }
  })
}
