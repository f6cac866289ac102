import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { falProvider } from '@genmount/provider-fal'

// One genuine and one forged webhook, by the ED25519 of the runtime that this file is run on.

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const provider = falProvider({
  token: 'id:secret',
  models: { flux: { endpoint: 'fal-ai/flux/schnell', outputKind: 'image' } },
  fetch: async () => Response.json({ keys: [publicKey.export({ format: 'jwk' })] }),
})

const body = Buffer.from('{"request_id":"r-1","status":"OK","payload":{}}')
const timestamp = String(Math.floor(Date.now() / 1000))
const digest = createHash('sha256').update(body).digest('hex')
const signature = sign(null, Buffer.from(`r-1\nuser\n${timestamp}\n${digest}`), privateKey).toString('hex')
const headers = {
  'x-fal-webhook-request-id': 'r-1',
  'x-fal-webhook-user-id': 'user',
  'x-fal-webhook-timestamp': timestamp,
  'x-fal-webhook-signature': signature,
}

const genuine = await provider.readCallback!({ headers, body })
const forged = await provider.readCallback!({ headers, body: Buffer.from('{"request_id":"r-2"}') }).catch(
  (error: Error) => error.message,
)
console.log(JSON.stringify({ genuine, forged }))
