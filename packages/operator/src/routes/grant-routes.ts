import {
  cursorOf,
  type Grant,
  grantWords,
  instantText,
  isGrantAmount,
  limitTo,
  type PluginHost,
  type PluginRoute,
  readQuery,
  refuseParameter,
} from '@genmount/core'
import { audited } from '../jobs/audited.ts'
import { needed, serviceOf, startUnlessClosing } from '../plugin/service-of.ts'
import { auditEntryObject } from '../wire/audit-entry-object.ts'
import { listObject } from '../wire/list-object.ts'
import { isShortText, readActBody } from '../wire/read-body.ts'
import { placeCursor, instantAndIdIn, ownerParameter, usualLimit } from '../wire/read-query.ts'

const path = '/v1/operator/grants'
const withoutLimits = 'This service is without the plugin limits'

const parameters = {
  owner: ownerParameter,
  limit: limitTo(100),
  cursor: placeCursor(instantAndIdIn),
}

/** `GET /v1/operator/grants` lists grants, and POST makes one. */
export function grantRoutes(host: PluginHost): readonly PluginRoute[] {
  return [
    {
      method: 'GET',
      path,
      async answer({ query }) {
        startUnlessClosing(host)
        const { owner, limit = usualLimit, cursor } = readQuery(query, parameters)
        const read = needed(serviceOf(host).grants, withoutLimits)
        const after = cursor && { grantedAt: cursor[0], id: cursor[1] }
        const { grants, next } = await read({ owner, after, limit })
        return { json: listObject(grants.map(grantObject), next && cursorOf([next.grantedAt, next.id])) }
      },
    },
    {
      method: 'POST',
      path,
      async answer(request) {
        host.start()
        const { reason: why, owner, usd, id } = await readActBody(request, fields, rules)
        const give = needed(serviceOf(host).grant, withoutLimits)
        const by = request.owner
        const intent = { by, action: 'grant', why, owner: owner as string }
        const { act, result } = await audited(host, intent, async () => {
          const grant = await give(intent.owner, usd as number, {
            by,
            why,
            ...(id !== '' && { id: id as string }),
          }).catch((fault: unknown) =>
            fault instanceof TypeError
              ? refuseParameter('id', 'is that of an earlier grant of another owner or amount')
              : Promise.reject(fault),
          )
          return { outcome: grant.id, result: grant }
        })
        return {
          status: 201,
          json: { object: 'operator_act', act: auditEntryObject(act), grant: grantObject(result) },
        }
      },
    },
  ]
}

const fields = {
  owner: (value: unknown) => (isShortText(value, 1000) ? value : undefined),
  usd: (value: unknown) => (isGrantAmount(value) ? value : undefined),
  // Without an id the grant gets a random one.
  id: (value: unknown) => (value === undefined ? '' : isShortText(value, 200) ? value : undefined),
}
const rules = {
  owner: 'the name of an owner',
  usd: grantWords,
  id: 'a text of 1 to 200 characters',
}

function grantObject({ id, owner, usd, by, why, grantedAt }: Grant) {
  return { object: 'grant', id, owner, usd, by, why, granted_at: instantText(grantedAt) }
}
