import { listen } from '../../../loopback.ts'
import { answerParent, cpuMs } from '../../answer-parent.ts'
import type { HopCalls } from './hop-calls.ts'

/** A vendor: answers each request for a picture as OpenAI does, with 65,000 bytes in base64. */

const picture = new Uint8Array(65_000)
picture.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
// A linear congruential generator, so that every run decodes the same bytes.
for (let at = 8, state = 1; at < picture.length; at++) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  picture[at] = state >>> 24
}
const body = Buffer.from(
  JSON.stringify({
    created: 1_790_000_000,
    background: 'opaque',
    data: [{ b64_json: Buffer.from(picture).toString('base64') }],
    output_format: 'png',
    quality: 'low',
    size: '1024x1024',
    usage: {
      input_tokens: 40,
      input_tokens_details: { image_tokens: 0, text_tokens: 40 },
      output_tokens: 272,
      total_tokens: 312,
    },
  }),
)
const headers = { 'content-type': 'application/json', 'content-length': body.byteLength }

const { origin } = await listen((request, response) => {
  request.resume().on('end', () => response.writeHead(200, headers).end(body))
})
const calls: HopCalls = { url: () => origin, cpuMs, async clear() {} }
answerParent(calls)
