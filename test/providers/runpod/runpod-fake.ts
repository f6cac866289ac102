import { faultIn } from '../body-schemas.ts'
import { base64File, type Charge, fileReply, type VendorReply, vendorServer } from '../vendor-server.ts'
import { inputOf, runBody } from './runpod-bodies.ts'

/*
 * Runpod's queue, with the answers of serverless/endpoints/operation-reference.mdx and public-endpoints/requests.mdx of
 * runpod/docs@a900806e (2026-08-20), and of worker-comfyui 5.8.5. The texts of 401 and 404 are those that
 * skyphusion-labs/vivijure-cf has measured on 2026-08-05. A worker that can't use its input lets the task fail:
 * public-endpoints/models/vidu-q3-t2v.mdx. Read on 2026-11-27.
 */

export const runpodKey = 'rpa_K3YOFTHEHOUSE7F3A9C0D51E8'

/** Where public endpoints have their files. */
export const runpodHosts = ['video.runpod.ai', 'image.runpod.ai']

/** The outputs of public endpoints. */
export const film = 'https://video.runpod.ai/abc123/output.mp4'
export const picture = 'https://image.runpod.ai/abc123/output.png'

/** A task that Runpod is paid for. */
export interface RunpodTask extends Charge {
  readonly id: string
  readonly endpoint: string
  /** How many polls find the task unfinished. */
  pollsLeft: number
  isCancelled: boolean
}

/** @param polls how many polls find a task unfinished */
export async function startRunpod({ polls = 0 } = {}) {
  const ledger: RunpodTask[] = []
  /** How many of the first tasks it has forgotten. */
  let forgotten = 0

  const server = await vendorServer(
    ({ method, url, headers, json }): VendorReply => {
      if (runpodHosts.includes(url.hostname)) return fileReply(url.pathname)
      const [, version, endpoint = '', operation, id] = url.pathname.split('/')
      if (version !== 'v2' || !inputOf(endpoint))
        return { status: 404, json: { error: 'endpoint not found' } }
      if (headers['authorization'] !== `Bearer ${runpodKey}`)
        return { status: 401, json: { error: 'no token provided' } }
      if (method === 'GET' && operation === 'health')
        return { json: { jobs: { completed: 1 }, workers: { idle: 0, running: 0 } } }
      if (method === 'POST' && operation === 'run') {
        const fault = faultIn(runBody, json())
        if (fault !== undefined) return { status: 400, json: { error: `bad request: ${fault}` } }
        const taken = `${String(ledger.length + 1).padStart(8, '0')}-6a92-4bb8-a911-f996ac5ea99d-u1`
        const isCancelled = false
        ledger.push({ id: taken, endpoint, path: url.pathname, body: json(), pollsLeft: polls, isCancelled })
        return { json: { id: taken, status: 'IN_QUEUE' } }
      }
      const task = ledger.slice(forgotten).find((one) => one.id === id && one.endpoint === endpoint)
      if (!task) return { status: 404, json: { error: 'job not found' } }
      if (method === 'POST' && operation === 'cancel') {
        task.isCancelled ||= task.pollsLeft > 0
        return { json: stateOf(task) }
      }
      if (method !== 'GET' || operation !== 'status') return { status: 404, json: { error: 'not found' } }
      const state = stateOf(task)
      task.pollsLeft--
      return { json: state }
    },
    { hosts: runpodHosts },
  )

  return {
    ...server,
    baseUrl: `${server.origin}/v2`,
    ledger,
    forget: () => void (forgotten = ledger.length),
    webhook: {
      finish: () => void (ledger.at(-1)!.pollsLeft = 0),
      address: () => ledger.at(-1)!.body['webhook'] as string | undefined,
      /** The body is that of `/status`, and nothing signs it. */
      signed: () => ({ headers: {}, body: Buffer.from(JSON.stringify(stateOf(ledger.at(-1)!))) }),
    },
  }
}

function stateOf(task: RunpodTask) {
  const { id, endpoint, body, pollsLeft, isCancelled } = task
  if (isCancelled) return { id, status: 'CANCELLED', delayTime: 12, executionTime: 700 }
  if (pollsLeft > 1) return { id, status: 'IN_QUEUE' }
  if (pollsLeft > 0) return { id, status: 'IN_PROGRESS', delayTime: 12 }
  const timed = { id, delayTime: 28, executionTime: 3986, workerId: 'oqk7ao1uomckye' }
  const fault = faultIn(inputOf(endpoint)!, body['input'])
  if (fault !== undefined) return { ...timed, status: 'FAILED', error: `Invalid ${fault}` }
  return { ...timed, status: 'COMPLETED', output: outputOf(endpoint) }
}

function outputOf(endpoint: string) {
  if (endpoint.endsWith('t2v')) return { video_url: film, cost: 0.5 }
  if (endpoint !== '4k8c0mfyui2q') return { image_url: picture, cost: 0.005 }
  return { images: [{ filename: 'ComfyUI_00001_.png', type: 'base64', data: base64File('image') }] }
}
