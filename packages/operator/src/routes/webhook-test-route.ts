import type { PluginHost, PluginRoute } from '@genmount/core'
import { audited } from '../jobs/audited.ts'
import { needed, serviceOf } from '../plugin/service-of.ts'
import { auditEntryObject } from '../wire/audit-entry-object.ts'
import { deliveryObject } from '../wire/operator-job.ts'
import { isShortText, readActBody } from '../wire/read-body.ts'

/** `POST /v1/operator/webhook-tests`: sends one webhook of the type `webhook.test` to a receiver. */
export function webhookTestRoute(host: PluginHost): PluginRoute {
  return {
    method: 'POST',
    path: '/v1/operator/webhook-tests',
    async answer(request) {
      host.start()
      const { reason: why, ...body } = await readActBody(request, fields, rules)
      const url = body['url'] as string
      const by = request.owner
      // A service whose receivers all have one secret needs no owner.
      const owner = body['owner'] === '' ? by : (body['owner'] as string)
      const send = needed(serviceOf(host).testWebhook, 'This service has no webhooks')
      const { act, result } = await audited(host, { by, action: 'webhook-test', why, owner }, async () => {
        const tried = await send({ url, owner })
        return { outcome: tried.error ?? `delivered (${tried.status})`, result: tried }
      })
      return {
        json: { object: 'operator_act', act: auditEntryObject(act), delivery: deliveryObject(result) },
      }
    },
  }
}

const fields = {
  url: (value: unknown) => (isShortText(value, 2048) ? value : undefined),
  owner: (value: unknown) => (value === undefined ? '' : isShortText(value, 1000) ? value : undefined),
}
const rules = {
  url: 'a URL of at most 2048 characters',
  owner: 'the name of an owner',
}
