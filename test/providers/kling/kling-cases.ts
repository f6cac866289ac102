import { klingProvider } from '@genmount/provider-kling'
import { type Step, type VendorCase, vendorCase, type Words } from '../vendor-case.ts'
import { accessKey, klingHosts, secretKey, startKling, token, webhookSecret } from './kling-fake.ts'

const error = (message: string) => ({ code: 1201, message, request_id: 'r' })

/** A task of the newer API in this state. */
const task = (state: object): Words => ({
  step: 'poll',
  json: ({ searchParams }) => ({ code: 0, data: [{ id: searchParams.get('task_ids'), ...state }] }),
})
/** A task of the older API in this state. */
const legacyTask = (state: object): Words => ({
  step: 'poll',
  json: ({ pathname }) => ({ code: 0, data: { task_id: pathname.split('/').at(-1), ...state } }),
})

/** Polls ask for a task by Kling's id, which has only digits here; the other requests look for a lost task. */
function stepOf(method: string, { pathname, searchParams }: URL): Step {
  if (method === 'POST') return 'submit'
  return searchParams.has('task_ids') || /\/\d+$/.test(pathname) ? 'poll' : 'other'
}

/** Films of Kling by an API key, and pictures by the older pair of keys. */
export const klingCases: Readonly<Record<string, VendorCase>> = {
  kling: vendorCase({
    secrets: [token, webhookSecret],
    hosts: klingHosts,
    fake: () => startKling(),
    provider({ origin: baseUrl, fetch, typicalMs }) {
      const models = { it: { model: 'kling-3.0-turbo', outputKind: 'video', typicalMs } } as const
      return klingProvider({ token, webhookSecret, baseUrl, models, fetch })
    },
    stepOf,
    error,
    ended: (url) => task({ status: 'succeeded', outputs: url === undefined ? [] : [{ type: 'video', url }] }),
    failed: (message) => task({ status: 'failed', message }),
    strange: task({ status: 'pondering' }),
    isDurable: true,
    webhooks: 'signed',
    finds: 'arrived',
  }),
  'kling-keys': vendorCase({
    secrets: [secretKey, accessKey],
    hosts: klingHosts,
    fake: () => startKling(),
    provider({ origin: baseUrl, fetch, typicalMs }) {
      const models = { it: { model: 'kling-v3', outputKind: 'image', typicalMs } } as const
      return klingProvider({ accessKey, secretKey, baseUrl, models, fetch })
    },
    stepOf,
    error,
    ended: (url) =>
      legacyTask({ task_status: 'succeed', task_result: { images: url === undefined ? [] : [{ url }] } }),
    failed: (task_status_msg) => legacyTask({ task_status: 'failed', task_status_msg }),
    strange: legacyTask({ task_status: 'pondering' }),
    isDurable: true,
    webhooks: 'hints',
    finds: 'arrived',
  }),
}
