import type { OutputKind, ProviderReport } from '@genmount/core'
import {
  type AnsweredFile,
  failed,
  failureBy,
  numberIn,
  recordOf,
  type VendorAnswer,
} from '@genmount/provider-kit'

/** A job of the API, as it arrived. */
export type ApiJob = Readonly<Record<string, unknown>>

/**
 * The report on a job that has ended without success.
 * @returns `undefined` for any other state
 */
export function endOf({ status, error }: ApiJob): ProviderReport | undefined {
  if (status === 'canceled') return failed('provider_failed', 'The job was canceled at Comfy.')
  if (status === 'expired') return failed('provider_lost', 'The job has expired at Comfy.')
  if (status !== 'failed') return undefined
  const { code, message, node_id: node, class_type: type } = recordOf(error)
  const words = typeof message === 'string' && message !== '' ? message.trim() : 'no reason given'
  const place = typeof type === 'string' ? `${type} (node ${String(node)})` : 'The workflow'
  return failed(failureBy(typeof code === 'string' ? [code] : [], words), `${place}: ${words}`)
}

/** What is done of a job, and its place in the queue. */
export function newsOf({ status, progress, queue_position: place }: ApiJob) {
  const value = numberIn(recordOf(progress)['value'])
  return {
    progress: value === undefined || status === 'queued' ? undefined : Math.min(1, Math.max(0, value)),
    queuePosition: status === 'queued' ? numberIn(place) : undefined,
  }
}

/**
 * The outputs of a job.
 * @param kind the kind of files that count, unless `nodes` names theirs. @default all kinds
 * @param nodes the nodes whose files count, in this order. @default all nodes
 * @param origin the origin of the API, to which links without one belong
 */
export function outputsOf(
  { outputs }: ApiJob,
  kind: OutputKind | undefined,
  nodes: readonly string[] | undefined,
  origin: string,
) {
  const all = (Array.isArray(outputs) ? outputs : []).map(recordOf)
  const isOfKind = ({ type }: ApiJob) => kind === undefined || type === kind
  const chosen = nodes
    ? nodes.flatMap((node) => all.filter(({ node_id: id }) => String(id) === node))
    : all.filter(isOfKind)
  const files = [...chosen.filter(isOfKind), ...chosen.filter((output) => !isOfKind(output))]
  return {
    files: files.map((output) => fileOf(output, origin)),
    others: all.filter((output) => !files.includes(output)).map(({ name }) => String(name)),
  }
}

function fileOf({ name, node_id: node, url, content_type: type }: ApiJob, origin: string): AnsweredFile {
  const at = `the file ${String(name)} of node ${String(node)}`
  const link = typeof url === 'string' && url !== '' ? URL.parse(url, origin) : null
  if (link === null || !/^https?:$/.test(link.protocol)) return { at, fault: 'has no link' }
  return { at, output: { url: link.href, ...(typeof type === 'string' && { contentType: type }) } }
}

/** How long a job has run, in milliseconds. */
export function runningMsOf({ metrics, started_at: start, completed_at: end }: ApiJob): number | undefined {
  const measured = numberIn(recordOf(metrics)['execution_ms'])
  if (measured !== undefined && measured >= 0) return measured
  const ms = Date.parse(String(end)) - Date.parse(String(start))
  return ms >= 0 ? ms : undefined
}

/** The code of an error of the API. */
export function codeIn({ json }: VendorAnswer): string | undefined {
  const { code } = recordOf(recordOf(json)['error'])
  return typeof code === 'string' ? code : undefined
}

/** Why the API refuses a workflow, in the words of its nodes. */
export function rejectionIn({ json, message }: VendorAnswer): string | undefined {
  const faults = Object.entries(
    recordOf(recordOf(recordOf(recordOf(json)['error'])['details'])['node_errors']),
  )
  const words = faults.flatMap(([node, list]) =>
    [list ?? []].flat().map((fault) => {
      const { field, reason } = recordOf(fault)
      return `node ${node}: ${[field, reason].filter((part) => typeof part === 'string').join(': ')}`
    }),
  )
  return [message ?? [], words.length > 0 ? words.join('; ') : []].flat().join(' ') || undefined
}
