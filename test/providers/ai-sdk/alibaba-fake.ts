import * as v from 'valibot'
import { faultIn, filled, oneOf, whole } from '../body-schemas.ts'
import { type Charge, fileReply, type VendorReply, vendorServer } from '../vendor-server.ts'

/*
 * Alibaba Cloud Model Studio's films by Wan 3. Sources, read on 2026-11-27: alibabacloud.com/help/en/model-studio,
 * wan3-video-generation-api-reference (2026-10-15) and text-to-video-api-reference (the task and its id, valid for 24 hours),
 * the schema of wan/wan3.0-video at docs.comfy.org, docs.apiyi.com (lengths, 480P to 1080P), and @ai-sdk/alibaba 2.0.58
 * (paths, answers, errors).
 */

export const alibabaKey = 'sk-k3y0fth3h0us37f3a9c0d51e8'
/** Where its films are. */
export const alibabaHosts = ['dashscope-result-sh.oss-accelerate.aliyuncs.com']
const film = `https://${alibabaHosts[0]}/1d/it.mp4?Expires=1795910400&Signature=abc`

const media = v.strictObject({
  type: v.picklist(
    'first_frame last_frame reference_image reference_video reference_audio file link'.split(' '),
  ),
  url: v.pipe(v.string(), v.regex(/^(?:https?:|data:)/)),
  reference_voice: v.optional(v.string()),
})
const body = v.strictObject({
  model: v.literal('wan3.0-video'),
  input: v.strictObject({
    prompt: v.optional(filled),
    media: v.optional(
      v.pipe(
        v.array(media),
        v.check((items) => {
          const frames = items.filter(({ type }) => type.endsWith('_frame')).length
          return frames === 0 || frames === items.length
        }, 'Frames and references exclude each other.'),
      ),
    ),
  }),
  parameters: v.strictObject({
    resolution: oneOf('480P 720P 1080P'),
    ratio: oneOf('16:9 9:16 1:1 4:3 3:4'),
    duration: whole(2, 30),
    seed: whole(0, 2_147_483_647),
    audio: v.optional(v.boolean()),
    watermark: v.optional(v.boolean()),
  }),
})

const refused = (status: number, code: string, message: string): VendorReply => ({
  status,
  json: { code, message, request_id: '4c87e22d-dfaf-95bb-aadc-9f1c' },
})

/** An answer to a poll. */
export const alibabaTask = (output: object, usage?: object) => ({
  request_id: '4c87e22d-dfaf-95bb-aadc-9f1c',
  output: { task_id: 't', ...output },
  ...(usage && { usage }),
})

/** The answer to a poll of a film at this URL. */
export const alibabaFilm = (video_url: unknown) =>
  alibabaTask(
    { task_status: 'SUCCEEDED', video_url, submit_time: '2026-11-27 12:00:00.000' },
    { duration: 5, output_video_duration: 5, input_video_duration: 0, fps: 30, SR: 720, ratio: '16:9' },
  )

export async function alibabaFake() {
  const ledger: (Charge & { pollsLeft: number })[] = []
  /** How many of the first tasks it has forgotten. */
  let forgotten = 0
  const server = await vendorServer(
    ({ method, url, headers, json }): VendorReply => {
      if (alibabaHosts.includes(url.hostname)) return fileReply(url.pathname)
      if (headers['authorization'] !== `Bearer ${alibabaKey}`)
        return refused(401, 'InvalidApiKey', 'Invalid API-key provided.')
      if (method === 'POST' && url.pathname === '/api/v1/services/aigc/video-generation/video-synthesis') {
        if (headers['x-dashscope-async'] !== 'enable')
          return refused(403, 'AccessDenied', 'current user api does not support synchronous calls.')
        const fault = faultIn(body, json())
        if (fault !== undefined) return refused(400, 'InvalidParameter', `${fault} is not supported.`)
        ledger.push({ path: url.pathname, body: json(), pollsLeft: 1 })
        return { json: alibabaTask({ task_id: `0385dc79-${ledger.length}`, task_status: 'PENDING' }) }
      }
      const [, id = ''] = /^\/api\/v1\/tasks\/0385dc79-(\d+)$/.exec(url.pathname) ?? []
      const task = Number(id) > forgotten ? ledger[Number(id) - 1] : undefined
      // Unknown ids, and tasks of which 24 hours have passed.
      if (!task || method !== 'GET') return { json: alibabaTask({ task_status: 'UNKNOWN' }) }
      return { json: task.pollsLeft-- > 0 ? alibabaTask({ task_status: 'RUNNING' }) : alibabaFilm(film) }
    },
    { hosts: alibabaHosts },
  )
  return { ...server, ledger, forget: () => void (forgotten = ledger.length) }
}
