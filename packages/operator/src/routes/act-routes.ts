import { type Job, type PluginHost, type PluginRequest, type PluginRoute } from '@genmount/core'
import { type Acted, audited } from '../jobs/audited.ts'
import { shownJobs } from '../jobs/shown-jobs.ts'
import { needed, serviceOf } from '../plugin/service-of.ts'
import { auditEntryObject } from '../wire/audit-entry-object.ts'
import { statusOf } from '../wire/operator-job.ts'
import { readActBody } from '../wire/read-body.ts'
import { readJob } from './job-routes.ts'

/** What an act makes of a job: the job as it is then, or the new one. `undefined` when there is none any more. */
type Act = (host: PluginHost, job: Job) => Promise<Acted<Job | undefined>>

const acts: Readonly<Record<string, Act>> = {
  async cancel(host, { id, owner }) {
    const job = await serviceOf(host).cancel(id, owner)
    return { outcome: job.error?.code ?? statusOf(job), result: job }
  },
  async delete(host, { id, owner }) {
    await serviceOf(host).delete(id, owner)
    return { outcome: 'deleted', result: undefined }
  },
  async retry(host, { id }) {
    const job = await serviceOf(host).retry(id)
    return { outcome: job.id, result: job }
  },
  async deliver(host, { id }) {
    const { deliverAgain } = serviceOf(host)
    const job = await needed(deliverAgain, 'This service has no webhooks')(id)
    return { outcome: 'owed', result: job }
  },
}

/** `POST /v1/operator/jobs/{id}/cancel`, `delete`, `retry` and `deliver`: what operators do to jobs, with a reason. */
export function actRoutes(host: PluginHost): readonly PluginRoute[] {
  return Object.entries(acts).map(([action, act]) => ({
    method: 'POST',
    path: `/v1/operator/jobs/:id/${action}`,
    answer: (request) => answerAct(host, action, act, request),
  }))
}

async function answerAct(host: PluginHost, action: string, act: Act, request: PluginRequest) {
  host.start()
  const { params, owner: by } = request
  const { reason: why } = await readActBody(request)
  const job = await readJob(host, params['id'] ?? '')
  const intent = { by, action, why, job: job.id, owner: job.owner }
  const { act: entry, result } = await audited(host, intent, () => act(host, job))
  const [shown = null] = result ? await shownJobs(host, [result]) : []
  return { json: { object: 'operator_act', act: auditEntryObject(entry), job: shown } }
}
