import { fileReply, type VendorServer, vendorServer } from '../vendor-server.ts'

/**
 * LocalAI, which wants no key, makes an image at once and answers with its URL below the server's own address.
 * @param address its own address. @default the one at which it is asked
 * Source: mudler/LocalAI core/http/endpoints/openai/image.go at 82c191a (2026-08-22).
 */
export function fakeLocalai(address?: string): Promise<VendorServer> {
  const path = '/generated-images/1.png'
  return vendorServer(({ method, url, headers }) => {
    if (method === 'GET' && url.pathname === path) return fileReply(path)
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
