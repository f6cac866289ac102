import { fileReply, type VendorReply, vendorServer } from '../vendor-server.ts'

export const lumaKey = 'luma-k3y-of-the-house:7f3a9c0d51e8'

/** Luma's pictures. Sources: lumalabs/lumaai-api openapi.yaml Generation; vercel/ai packages/luma/src/luma-image-model.test.ts */
export async function lumaFake() {
  const ledger: { readonly body: object }[] = []
  const server = await vendorServer(({ method, url, headers, json }): VendorReply => {
    if (url.pathname.startsWith('/files/')) return fileReply(url.pathname)
    if (headers['authorization'] !== `Bearer ${lumaKey}`) return { status: 401, json: { detail: 'No key.' } }
    if (method === 'POST') {
      ledger.push({ body: json() })
      return { status: 201, json: { id: `task-${ledger.length}`, state: 'queued', assets: null } }
    }
    const assets = { image: `http://${headers['host']}/files/1.png` }
    return { json: { id: url.pathname.split('/').at(-1), state: 'completed', failure_reason: null, assets } }
  })
  return { ...server, ledger }
}
