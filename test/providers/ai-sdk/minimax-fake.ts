import * as v from 'valibot'
import { faultIn, filled, oneOf, whole } from '../body-schemas.ts'
import { type Charge, fileReply, type VendorReply, vendorServer } from '../vendor-server.ts'

/*
 * MiniMax's API for films, version 2. Sources, read on 2026-11-27: the schema of minimax/minimax-h3 at docs.comfy.org
 * (development/comfy-router/models/minimax/minimax-h3/code), novita.ai/docs/api-reference/model-apis-minimax-h3, and
 * @ai-sdk/minimax 3.0.45 (paths, lengths from 4 seconds, answers, errors).
 */

export const minimaxKey = 'mm-k3y-of-the-house-7f3a9c0d51e8'
/** Where its films are. */
export const minimaxHosts = ['public-cdn-video-data-algeng.oss-cn-wulanchabu.aliyuncs.com']
const film = `https://${minimaxHosts[0]}/inference/it.mp4?Expires=1795910400&Signature=abc`

const link = v.object({ url: v.pipe(v.string(), v.regex(/^(?:https?:|data:|mm_file:)/)) })
const item = v.variant('type', [
  v.strictObject({ type: v.literal('text'), text: v.pipe(filled, v.maxLength(7000)) }),
  v.strictObject({
    type: v.literal('image_url'),
    image_url: link,
    role: oneOf('first_frame last_frame reference_image'),
  }),
  v.strictObject({
    type: v.literal('video_url'),
    video_url: link,
    role: oneOf('reference_video base_video'),
  }),
  v.strictObject({ type: v.literal('audio_url'), audio_url: link, role: oneOf('reference_audio') }),
])
const body = v.strictObject({
  model: v.picklist(['MiniMax-H3', 'MiniMax-H3-Max']),
  content: v.pipe(
    v.array(item),
    v.check((items) => items.filter(({ type }) => type === 'text').length === 1, 'One text is needed.'),
  ),
  resolution: oneOf('480P 768P 2K'),
  duration: v.unwrap(whole(4, 15)),
  ratio: oneOf('adaptive 21:9 16:9 4:3 1:1 3:4 9:16'),
  aigc_watermark: v.optional(v.boolean()),
  callback_url: v.optional(v.pipe(v.string(), v.url())),
})

const refused = (status: number, type: string, message: string): VendorReply => ({
  status,
  json: { type: 'error', error: { type, message, http_code: String(status) }, request_id: 'r1' },
})

/** An answer to a poll. */
export const minimaxTask = (task: object) => ({ task: { id: 't', model: 'MiniMax-H3', ...task } })

/** The answer to a poll of a film at this URL. */
export const minimaxFilm = (url: unknown) =>
  minimaxTask({
    status: 'succeeded',
    content: { url },
    resolution: '768P',
    duration: 6,
    ratio: '16:9',
    usage: { total_seconds: 6, input_seconds: 0, output_seconds: 6 },
  })

export async function minimaxFake() {
  const ledger: (Charge & { pollsLeft: number })[] = []
  /** How many of the first tasks it has forgotten. */
  let forgotten = 0
  const server = await vendorServer(
    ({ method, url, headers, json }): VendorReply => {
      if (minimaxHosts.includes(url.hostname)) return fileReply(url.pathname)
      if (headers['authorization'] !== `Bearer ${minimaxKey}`)
        return refused(401, 'authentication_error', 'login fail')
      if (method === 'POST' && url.pathname === '/v2/video_generation') {
        const fault = faultIn(body, json())
        if (fault !== undefined) return refused(400, 'invalid_request_error', `invalid params, ${fault}`)
        ledger.push({ path: url.pathname, body: json(), pollsLeft: 1 })
        return { json: { task_id: `27652${ledger.length}` } }
      }
      const [, id = ''] = /^\/v2\/query\/video_generation\/27652(\d+)$/.exec(url.pathname) ?? []
      const task = Number(id) > forgotten ? ledger[Number(id) - 1] : undefined
      if (!task || method !== 'GET') return refused(404, 'not_found_error', 'task not found')
      return { json: task.pollsLeft-- > 0 ? minimaxTask({ status: 'running' }) : minimaxFilm(film) }
    },
    { hosts: minimaxHosts },
  )
  return { ...server, ledger, forget: () => void (forgotten = ledger.length) }
}
